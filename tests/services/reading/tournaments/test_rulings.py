"""Rulings in words: each kind has its sentence, with who ruled, why, and whose points it changed."""

from collections.abc import Mapping
from typing import Any, get_args

import msgspec
import pytest

from domain.ids import PlayerId, StreamVersion
from domain.tournament import ruling_events as events
from domain.tournament.events import TAGS, NoShowTold
from domain.tournament.ruling_events import SeatedTable
from domain.tournament.state import Change, Ruled
from infra.ruleset_files import read_tournament_words, read_verdict_words
from services.reading.tournaments.ruling_forms import FieldKind, list_ruling_forms
from services.reading.tournaments.sentences import tell_ruling
from services.reading.tournaments.shown import show_tournament
from tests.domain.tournament.tournament_harness import NOON, ORGA, PAIRS, Club, player

NAMES = {player(0): "Ada", player(1): "Bob"}


TABLE = {"round": 1, "table": 2, "attempt": 1}
# One of each kind, and its sentence.
RULINGS: list[tuple[type[Any], Mapping[str, object], str]] = [
    (events.PointsRuled, {"entrant": 0, "round": 1, "points": 5}, "Orga gave Ada 5 points in round 1"),
    (events.PointsRuled, {"entrant": 1, "round": 2, "points": -5}, "Orga took 5 points from Bob in round 2"),
    (events.EntrantRemoved, {"entrant": 1}, "Orga removed Bob"),
    (events.EntrantAdmitted, {"entrant": 1}, "Orga admitted Bob"),
    (events.EntrantReturned, {"entrant": 1}, "Orga took Bob back"),
    (events.EntrantExcused, {"entrant": 1, "round": 2, "points": 0}, "Orga let Bob sit out round 2"),
    (events.EntrantExcused, {"entrant": 1, "round": 2, "points": 30}, "Orga let Bob sit out round 2 with 30 points"),
    (
        events.EntryHanded,
        {"entrant": 0, "link": "ab" * 32, "game": "again"},
        "Orga lets Ada go on from another device; a game that goes on by then is played again by all",
    ),
    (
        events.EntryHanded,
        {"entrant": 0, "link": "ab" * 32, "game": "goes_on"},
        "Orga lets Ada go on from another device; a game that goes on by then goes on without them",
    ),
    *(
        (events.PairingWished, {"entrants": (0, 1), "wish": wish}, f"Orga {told}")
        for wish, told in (
            ("apart", "keeps Ada and Bob apart"),
            ("apart_if_possible", "keeps Ada and Bob apart where the draw allows it"),
            ("together", "brings Ada and Bob together"),
            ("together_if_possible", "brings Ada and Bob together where the draw allows it"),
            ("none", "takes back the wish about Ada and Bob"),
        )
    ),
    (events.DrawHeld, {"round": 2}, "Orga holds the draw of round 2: its games are opened once it is released"),
    (events.DrawReleased, {"round": 2}, "Orga released the draw of round 2"),
    (
        events.TablesSeated,
        {
            "round": 1,
            "tables": (
                SeatedTable(table=2, attempt=1, entrants=(1, 0)),
                SeatedTable(table=3, attempt=1, entrants=()),
            ),
        },
        "Orga seated round 1 by hand: Bob and Ada at table 2, no entrant at table 3",
    ),
    (events.TimeGiven, {"round": 1, "table": None, "minutes": 10}, "Orga gave all in round 1 10 minutes more"),
    (events.TimeGiven, {"round": 1, "table": 2, "minutes": 1}, "Orga gave round 1, table 2 1 minute more"),
    (events.RoundPaused, {"round": 1}, "Orga paused round 1: no time of it counts"),
    (events.RoundResumed, {"round": 1}, "Orga let round 1 go on"),
    (events.HelperInvited, {"role": "desk", "link": "5e" * 32}, "Orga invited a helper for the desk"),
    (events.HelperDismissed, {"helper": 0}, "Orga dismissed helper 0"),
    (events.ResultReplaced, {**TABLE, "ranking": ()}, "Orga replaced the result of round 1, table 2"),
    (events.GameVoided, TABLE, "Orga voided the game of round 1, table 2"),
    (NoShowTold, {**TABLE, "entrants": (0, 1)}, "Orga told Ada and Bob absent from round 1, table 2"),
    (events.TableReplayed, TABLE, "Orga had round 1, table 2 played again"),
]


def ruled(kind: type[Any], fields: Mapping[str, object], changes: tuple[Change, ...] = ()) -> Ruled:
    event: Any = kind(**fields, reason="as seen by all")
    return Ruled(
        line=StreamVersion(9), at_ms=NOON, type=TAGS[type(event)], by="organiser:x", event=event, changes=changes
    )


@pytest.mark.parametrize(("kind", "fields", "what"), RULINGS)
def test_every_kind_of_ruling_has_its_sentence(kind: type[Any], fields: Mapping[str, object], what: str) -> None:
    told = tell_ruling(ruled(kind, fields), by="Orga", name=["Ada", "Bob"].__getitem__)

    assert told == f"{what}. Reason: as seen by all. No points changed."


def test_no_kind_of_ruling_lacks_words_a_form_or_a_sentence() -> None:
    kinds = {*events.RULING_TYPES, "no_show_told"}
    words = read_tournament_words().tables

    assert {ruled(kind, fields).type for kind, fields, _ in RULINGS} == kinds
    assert words["rulings"].keys() == words["ruling_notes"].keys() == kinds
    assert kinds <= read_verdict_words().tables["ruled"].keys()


def test_a_form_asks_for_every_field_of_a_ruling_but_the_reason_and_the_draw() -> None:
    forms = {form.ruling: form for form in list_ruling_forms().items}

    for tag, form in forms.items():
        kind = NoShowTold if tag == "no_show_told" else events.RULING_TYPES[tag]
        names = {field.name for field in msgspec.structs.fields(kind)}
        assert {field.name for field in form.fields} == names - {"reason", "attempt"}
        assert all(field.label for field in form.fields if field.kind != "link")
        assert all(choice.label for field in form.fields for choice in field.choices)
    assert {field.kind for form in forms.values() for field in form.fields} == set(get_args(FieldKind))


def test_an_effect_is_told_from_what_to_what() -> None:
    changes = (
        Change(entrant=0, points_before=60, points_after=0),
        Change(entrant=1, points_before=0, points_after=60),
    )

    sentence = tell_ruling(
        ruled(events.EntrantRemoved, {"entrant": 0}, changes), by="operator", name=["Ada", "Bob"].__getitem__
    )

    told = "operator removed Ada. Reason: as seen by all. Points changed: Ada 60 → 0, Bob 0 → 60."
    assert sentence == told


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
