"""What a ruling would change is told before it is made, and is what it changes then."""

from typing import Any

import pytest

from clients.demonstrations.tournament import CupShown
from services.cli.ruling_effect import FOR_EVER, tell_effects
from services.cli.tournament_ruling import AskingRefused, RulingAsked, build_fields
from services.reading.tournaments.shown import show_entrants, show_pairings, show_standings, show_tournament
from tests.domain.tournament.club import THREES, Club, player

NAMES = {player(0): "Ada", player(1): "Bob", player(2): "Cleo"}


def build_club() -> Club:
    """A table of three, with places in the order of its seats."""
    club = Club(tables=THREES)
    club.enter(3)
    club.draw()
    club.take(1, 1, 2, 3)
    return club


def show(club: Club) -> CupShown:
    return CupShown(
        url="",
        tournament=show_tournament(club.tournament, NAMES),
        standings=show_standings(club.tournament, NAMES),
        pairings=show_pairings(club.tournament, NAMES),
    )


def foresee(club: Club, ruling: str, **options: Any) -> list[str]:
    absent: dict[str, Any] = {"entrants": (), "round": None, "table": None, "points": None, "places": None}
    asked = RulingAsked(ruling=ruling, reason="seen", **(absent | options))
    fields = build_fields(asked, show_entrants(club.tournament, NAMES).items, show_pairings(club.tournament, NAMES))
    return tell_effects(ruling, fields, show(club))


def list_changes(club: Club) -> list[str]:
    changes = club.tournament.rulings[-1].changes
    return [
        f"{NAMES[player(each.entrant)]} (entrant {each.entrant}) {each.points_before} → {each.points_after}"
        for each in changes
    ]


def test_a_replaced_result_is_told_with_the_places_of_before_and_after() -> None:
    club = build_club()
    first, second, third = (f"{NAMES[player(each)]} (entrant {each})" for each in club.table(1).entrants)

    now, then, points, stays = foresee(club, "result_replaced", round=1, table=1, places="2,1,-")

    assert now == f"The table counts now: 1. {first}, 2. {second}, 3. {third}."
    assert then == f"Then it counts: 1. {second}, 2. {first}; {third} without a place."
    assert points == f"Points in all: {first} 60 → 30, {second} 30 → 60."
    assert stays == FOR_EVER


@pytest.mark.parametrize(
    ("ruling", "options"),
    [
        ("result_replaced", {"round": 1, "table": 1, "places": "3,1,1"}),
        ("game_voided", {"round": 1, "table": 1}),
        ("points_ruled", {"entrants": ("1",), "round": 1, "points": -7}),
    ],
)
def test_what_is_foreseen_is_what_changes(ruling: str, options: dict[str, Any]) -> None:
    club = build_club()

    foreseen = foresee(club, ruling, **options)

    match ruling:
        case "result_replaced":
            club.replace(1, 3, 1, 1)
        case "game_voided":
            club.void(1)
        case _:
            club.rule(1, -7)
    assert list_changes(club)
    assert all(each in foreseen[-2] for each in list_changes(club))


@pytest.mark.parametrize(
    ("ruling", "options", "told"),
    [
        ("table_replayed", {"round": 1, "table": 1}, "counts nothing until that game is over"),
        ("no_show_told", {"round": 1, "table": 1, "entrants": ("Ada", "1")}, "drawn again without Ada (entrant 0) and"),
        ("entrant_removed", {"entrants": ("Cleo",)}, "Cleo (entrant 2) is drawn no more, and keeps its points"),
    ],
)
def test_what_changes_later_is_told_too(ruling: str, options: dict[str, Any], told: str) -> None:
    assert told in " ".join(foresee(build_club(), ruling, **options))


@pytest.mark.parametrize(("places", "found"), [("1,2", "found 2"), ("1,2,3,4", "found 4")])
def test_a_table_takes_as_many_places_as_it_has_seats(places: str, found: str) -> None:
    with pytest.raises(AskingRefused, match=f"expected 3 places, - for a seat without one, {found}"):
        foresee(build_club(), "result_replaced", round=1, table=1, places=places)


def test_a_name_is_found_in_capitals_or_not_and_the_exact_one_first() -> None:
    assert foresee(build_club(), "entrant_removed", entrants=("cLEO",))[0].startswith("Cleo (entrant 2)")
    with pytest.raises(AskingRefused, match="expected one entrant called Nero, found nobody"):
        foresee(build_club(), "entrant_removed", entrants=("Nero",))
