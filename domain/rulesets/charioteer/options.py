"""Options of a race: the readings that the rulebooks leave open, and its length."""

from typing import Annotated, Literal, get_args

from msgspec import UNSET, Meta, Struct, UnsetType

from domain.ruleset.teams import Teams

# Bounds the public rolls of a game (one die a turn and a few at the start) far below one chain of 1,024 links.
TURNS_LIMIT = 1_000
# A race in which all stand still on purpose ends after this many turns; the slowest honest ones take about 280.
TURNS_DEFAULT = 400

# Cubes of a disrupt with 2, 3 and 4 seats (CO-7). The printed table is lost. Two of its rows survive for the three
# counts, which 2-1-1 and 2-2-1 fit; 3-2-1 needs a third row that the text has lost.
DisruptReading = Literal["2-1-1", "2-2-1", "3-2-1"]
DISRUPT_READINGS: tuple[DisruptReading, ...] = get_args(DisruptReading)


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Defaults are the settled readings.

    `several_whips`: each whip gives its steps (one rulebook states so, two are silent), or all together as one (CH-74).
    `first_turn`: a chariot whose last point of turn 1 leads into a taken space stays outside, or slips inside of all
    there, since passing is free (CH-38). `laps` is three in the rulebooks; fewer make a short race.
    """

    several_whips: Literal["each", "once"] = "each"
    first_turn: Literal["outside", "inside"] = "outside"
    disrupt: DisruptReading = "2-1-1"
    laps: Annotated[int, Meta(ge=1, le=3)] = 3
    # Absent where only the player who draws a fan token sees its face (CH-55).
    fan_tokens: Literal["open"] | UnsetType = UNSET
    # Absent where each seat races for itself.
    teams: Teams | UnsetType = UNSET
    turns_max: Annotated[int, Meta(ge=1, le=TURNS_LIMIT)] = TURNS_DEFAULT
