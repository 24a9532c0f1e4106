"""Options with a character for each seat: read from the first again, and turned with the seats."""

import msgspec
import pytest

from domain.ids import Seat
from domain.ruleset.by_seat import OPTIONS, read_seat, rotate
from domain.ruleset.kit import Kit
from domain.rulesets.released import KITS

FORMATS = {"team-by-seat", "points-by-seat"}


def test_seats_beyond_the_last_character_begin_again() -> None:
    assert [read_seat("AAB", Seat(seat)) for seat in range(5)] == ["A", "A", "B", "A", "A"]


@pytest.mark.parametrize(
    ("teams", "seats", "turned"), [("AB", (0, 1), "BA"), ("AB", (0, 1, 2), "BAA"), ("AABBB", (0, 2, 3), "BBA")]
)
def test_each_seat_gets_the_character_of_the_one_after_it(teams: str, seats: tuple[int, ...], turned: str) -> None:
    options = rotate({"teams": teams, "laps": 1, "handicap": None}, [Seat(seat) for seat in seats])

    assert options == {"teams": turned, "laps": 1, "handicap": None}


@pytest.mark.parametrize("kit", KITS, ids=[kit.name for kit in KITS])
def test_every_option_of_seats_is_turned(kit: Kit) -> None:
    _, schemas = msgspec.json.schema_components([kit.ruleset.options_type])
    properties = schemas[kit.ruleset.options_type.__name__]["properties"]
    formats = {
        name: {property_.get("format"), *(each.get("format") for each in property_.get("anyOf", ()))}
        for name, property_ in properties.items()
    }

    assert {name for name, found in formats.items() if found & FORMATS} <= set(OPTIONS)
