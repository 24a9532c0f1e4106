"""The options of a ruling at the terminal become the fields of its event, or are refused in a sentence."""

from typing import Any

import msgspec
import pytest

from domain.tournament.events import NoShowTold
from domain.tournament.ruling_events import RULING_TYPES
from services.cli.tournament_ruling import AskingRefused, RulingAsked, build_fields, check_ruling
from services.reading.tournaments.pairings import show_pairings
from services.reading.tournaments.ruling_forms import RulingForm, list_ruling_forms
from services.reading.tournaments.shown import show_entrants
from spina_client.formats import Json
from spina_client.tournament_seen import Entrants, Pairings
from tests.domain.tournament.tournament_harness import THREES, Club, player

NAMES = {player(0): "Ada", player(1): "Bob", player(2): "Cleo"}


def fields_of(ruling: str, **options: Any) -> dict[str, Json]:
    """Read the options of a ruling on a table of three."""
    club = Club(tables=THREES)
    club.enter(3)
    club.draw()
    asked = RulingAsked(ruling=ruling, reason="seen", **options)
    entrants = msgspec.json.encode(show_entrants(club.tournament, NAMES))
    pairings = msgspec.json.encode(show_pairings(club.tournament, NAMES))
    read = msgspec.json.decode
    return build_fields(asked, read(entrants, type=Entrants).items, read(pairings, type=Pairings))


def test_places_are_those_of_the_seats_and_a_dash_is_none() -> None:
    fields = fields_of("result_replaced", round=1, table=1, places="2,1,-")

    assert fields["ranking"] == [{"place": 2, "seat": 0}, {"place": 1, "seat": 1}]
    assert (fields["round"], fields["table"], fields["attempt"]) == (1, 1, 1)


@pytest.mark.parametrize(("places", "found"), [("1,2", "found 2"), ("1,2,3,4", "found 4")])
def test_a_table_takes_as_many_places_as_it_has_seats(places: str, found: str) -> None:
    with pytest.raises(AskingRefused, match=f"expected 3 places, - for a seat without one, {found}"):
        fields_of("result_replaced", round=1, table=1, places=places)


def test_absent_entrants_are_named_or_numbered() -> None:
    assert fields_of("no_show_told", round=1, table=1, entrants=("Cleo", "1"))["entrants"] == [1, 2]


def test_a_name_is_found_in_capitals_or_not() -> None:
    assert fields_of("entrant_removed", entrants=("cLEO",))["entrant"] == 2
    with pytest.raises(AskingRefused, match="expected one entrant called Nero, found nobody"):
        fields_of("entrant_removed", entrants=("Nero",))


# What is typed for each kind of ruling, in a tournament with one table of Ada, Bob and Cleo.
TYPED: dict[str, dict[str, Any]] = {
    "points_ruled": {"entrants": ("Ada",), "round": 1, "points": 5},
    "result_replaced": {"round": 1, "table": 1, "places": "1,2,3"},
    "game_voided": {"round": 1, "table": 1},
    "table_replayed": {"round": 1, "table": 1},
    "no_show_told": {"round": 1, "table": 1, "entrants": ("Ada",)},
    "tables_seated": {"round": 1, "seats": "1: Cleo, Bob"},
    "draw_held": {"round": 2},
    "draw_released": {"round": 2},
    "time_given": {"round": 1, "minutes": 5},
    "entrant_excused": {"entrants": ("Ada",), "round": 2, "points": 0},
    "entrant_removed": {"entrants": ("Ada",)},
    "entrant_admitted": {"entrants": ("Ada",)},
    "entrant_returned": {"entrants": ("Ada",)},
    "entry_handed": {"entrants": ("Ada",), "choice": "again", "secret": bytes(32)},
    "round_paused": {"round": 1},
    "round_resumed": {"round": 1},
    "helper_invited": {"choice": "desk", "secret": bytes(32)},
    "helper_dismissed": {"helper": 0},
    "pairing_wished": {"entrants": ("Ada", "Bob"), "choice": "apart"},
}


@pytest.mark.parametrize("form", list_ruling_forms().items, ids=lambda form: form.ruling)
def test_every_kind_of_ruling_can_be_typed(form: RulingForm) -> None:
    typed = TYPED[form.ruling]

    check_ruling(RulingAsked(ruling=form.ruling, reason="seen", **typed))
    fields = fields_of(form.ruling, **typed)

    kind = NoShowTold if form.ruling == "no_show_told" else RULING_TYPES[form.ruling]
    assert isinstance(msgspec.convert(fields, kind), kind)


def test_seats_are_typed_by_table_and_an_empty_one_has_nobody() -> None:
    assert fields_of("tables_seated", round=1, seats="1:")["tables"] == [{"table": 1, "attempt": 1, "entrants": []}]
    assert fields_of("tables_seated", round=1, seats="1: Cleo,0")["tables"] == [
        {"table": 1, "attempt": 1, "entrants": [2, 0]}
    ]
    with pytest.raises(AskingRefused, match="expected tables as 1:Ada,Bob;2:Cleo,Dan, found Ada"):
        fields_of("tables_seated", round=1, seats="Ada")


def test_a_choice_is_one_of_those_the_ruling_has() -> None:
    with pytest.raises(AskingRefused, match=r"expected one of apart, .*, found again"):
        fields_of("pairing_wished", entrants=("Ada", "Bob"), choice="again")
