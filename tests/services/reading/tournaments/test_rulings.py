"""Rulings in words: each kind has its sentence, with who ruled, why, and whose points it changed."""

import pytest

from domain.ids import PlayerId, StreamVersion
from domain.tournament.state import Change, Ruled
from services.reading.tournaments.sentences import tell_ruling
from services.reading.tournaments.shown import show_tournament
from tests.domain.tournament.tournament_harness import ORGA, PAIRS, Club, player

NAMES = {player(0): "Ada", player(1): "Bob"}


def told(**fields: object) -> str:
    ruled = Ruled(line=9, by="organiser:x", reason="as seen by all", changes=(), **fields)  # type: ignore[arg-type]  # fields by name
    return tell_ruling(ruled, by="Orga", name=["Ada", "Bob"].__getitem__)


@pytest.mark.parametrize(
    ("fields", "what"),
    [
        ({"type": "points_ruled", "round": 1, "entrant": 0, "points": 5}, "Orga gave Ada 5 points in round 1"),
        ({"type": "points_ruled", "round": 2, "entrant": 1, "points": -5}, "Orga took 5 points from Bob in round 2"),
        ({"type": "entrant_removed", "entrant": 1}, "Orga removed Bob"),
        ({"type": "result_replaced", "round": 1, "table": 2}, "Orga replaced the result of round 1, table 2"),
        ({"type": "game_voided", "round": 1, "table": 2}, "Orga voided the game of round 1, table 2"),
        (
            {"type": "no_show_told", "round": 1, "table": 2, "absent": (0, 1)},
            "Orga told Ada and Bob absent from round 1, table 2",
        ),
        ({"type": "table_replayed", "round": 1, "table": 2}, "Orga had round 1, table 2 played again"),
    ],
)
def test_every_kind_of_ruling_has_its_sentence(fields: dict[str, object], what: str) -> None:
    assert told(**fields) == f"{what}. Reason: as seen by all. No points changed."


def test_an_effect_is_told_from_what_to_what() -> None:
    ruled = Ruled(
        line=StreamVersion(9),
        type="entrant_removed",
        by="operator",
        reason="two accounts.",
        entrant=0,
        changes=(
            Change(entrant=0, points_before=60, points_after=0),
            Change(entrant=1, points_before=0, points_after=60),
        ),
    )

    sentence = tell_ruling(ruled, by="operator", name=["Ada", "Bob"].__getitem__)

    assert sentence == "operator removed Ada. Reason: two accounts. Points changed: Ada 60 → 0, Bob 0 → 60."


def test_what_is_folded_says_what_each_ruling_is_about() -> None:
    club = Club(tables=PAIRS)
    club.enter(4)
    club.draw()
    club.play(seed=1)
    club.rule(1, -7)
    club.replace(2, 1, 1)
    club.void(1)
    club.replay(2)
    club.remove(0)

    shown = show_tournament(club.tournament, {**NAMES, PlayerId(ORGA): "Orga"}).rulings

    assert [(ruling.round, ruling.table, ruling.entrant, ruling.points) for ruling in shown] == [
        (1, None, 1, -7),
        (1, 2, None, None),
        (1, 1, None, None),
        (1, 2, None, None),
        (None, None, 0, None),
    ]
    assert {ruling.by_name for ruling in shown} == {"Orga"}
    assert shown[0].told.startswith("Orga took 7 points from Bob in round 1. Reason: late. Points changed: Bob ")


def test_a_replaced_result_is_told_with_its_places_and_those_before() -> None:
    club = Club(tables=PAIRS)
    club.enter(2)
    club.draw()
    first, second = (["Ada", "Bob"][entrant] for entrant in club.table(1).entrants)
    club.replace(1, 2, 1)
    club.replace(1, 1, 2)
    club.replay(1)

    shown = show_tournament(club.tournament, NAMES).rulings

    assert f"replaced the result of round 1, table 1: 1. {second}, 2. {first}. Reason: " in shown[0].told
    told = f"table 1: 1. {first}, 2. {second} (before: 1. {second}, 2. {first}). Reason: "
    assert told in shown[1].told
    assert "before" not in shown[2].told
