"""Options of a race: the variants that all agreed on before it began."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from domain.ruleset.teams import Teams

# The chains of links suffice for 60 rounds of six chariots; a race usually takes about eleven.
ROUNDS_MAX = 60

Side = Literal["A", "B"]


class RaceOptions(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The basic game on side A, unless the seats agree otherwise.

    `chariots`: equal ones, with colours given by seat (*basic*) or chosen in turn (*own_colours*), or *alternate* ones,
    which bring their draft and the choice of the grid with them. `first_half` holds the first corner after the line;
    halves of both sides mix freely.
    """

    chariots: Literal["basic", "own_colours", "alternate"] = "basic"
    first_half: Side = "A"
    second_half: Side = "A"
    no_damage_after_line: bool = False
    # Absent where each seat races for itself.
    teams: Teams | UnsetType = UNSET
    rounds_max: Annotated[int, Meta(ge=1, le=ROUNDS_MAX)] = ROUNDS_MAX
