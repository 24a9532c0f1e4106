"""Options with a character for each seat, from the first again where seats are more.

A page offers a pick for each seat by the format in the schema: must agree with services/web/parts/seat_options.js.
"""

from collections.abc import Mapping, Sequence

from domain.canonical import Json
from domain.ids import Seat

# The names of such options in every ruleset: a rematch turns them with the seats.
OPTIONS = ("teams", "handicap")


def read_seat(option: str, seat: Seat) -> str:
    """Return the character of a seat."""
    return option[seat % len(option)]


def rotate(options: Mapping[str, Json], seats: Sequence[Seat]) -> dict[str, Json]:
    """Return options in which each of these seats has the character of the one after it."""
    turned = dict(options)
    for name in OPTIONS:
        option = options.get(name)
        if isinstance(option, str):
            characters = [read_seat(option, seat) for seat in seats]
            turned[name] = "".join((*characters[1:], characters[0]))
    return turned
