"""What the seats may agree on before a game: where the rulebooks leave a choice, and how long a race is."""

from typing import Annotated, Literal, get_args

from msgspec import Meta, Struct

# Bounds the public rolls of a game (one die a turn and a few at the start) far below one chain of 1,024 links.
TURNS_LIMIT = 1_000
# A race in which everybody stands still on purpose ends after this many turns; the slowest honest ones take about 280.
TURNS_DEFAULT = 400

# How many cubes a disrupt gives to 2, 3 and 4 seats: the printed table is lost, and two readings fit what is left.
DisruptReading = Literal["2-1-1", "3-2-1"]
DISRUPT_READINGS: tuple[DisruptReading, ...] = get_args(DisruptReading)


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`several_whips`: each whip gives its steps (one rulebook says so, two are silent), or all as one.

    `laps` is three in the rulebooks; fewer make a short race.
    """

    several_whips: Literal["each", "once"] = "each"
    disrupt: DisruptReading = "2-1-1"
    laps: Annotated[int, Meta(ge=1, le=3)] = 3
    turns_max: Annotated[int, Meta(ge=1, le=TURNS_LIMIT)] = TURNS_DEFAULT
