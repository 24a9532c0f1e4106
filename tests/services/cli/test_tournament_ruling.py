"""The options of a ruling at the terminal become the fields of its event, or are refused in a sentence."""

from typing import Any

import msgspec
import pytest

from services.cli.tournament_ruling import AskingRefused, RulingAsked, build_fields
from services.reading.tournaments.shown import show_entrants, show_pairings
from spina_client.formats import Json
from spina_client.tournament_seen import Entrants, Pairings
from tests.domain.tournament.tournament_harness import THREES, Club, player

NAMES = {player(0): "Ada", player(1): "Bob", player(2): "Cleo"}


def fields_of(ruling: str, **options: Any) -> dict[str, Json]:
    """Read the options of a ruling on a table of three."""
    club = Club(tables=THREES)
    club.enter(3)
    club.draw()
    absent: dict[str, Any] = {"entrants": (), "round": None, "table": None, "points": None, "places": None}
    asked = RulingAsked(ruling=ruling, reason="seen", **(absent | options))
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
