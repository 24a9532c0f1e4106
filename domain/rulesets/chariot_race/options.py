"""How a game is played: the variants everybody agreed on before it began."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

# 60 rounds of six chariots are what the chains of links suffice for; a race usually takes about eleven.
ROUNDS_MAX = 60

Side = Literal["A", "B"]


class RaceOptions(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Without a word from anyone it is the basic game on side A.

    `first_half` holds the first corner after the line; halves of both sides mix freely. Alternate chariots bring the
    draft and the choice of the grid with them.
    """

    chariots: Literal["basic", "alternate"] = "basic"
    first_half: Side = "A"
    second_half: Side = "A"
    no_damage_after_line: bool = False
    rounds_max: Annotated[int, Meta(ge=1, le=ROUNDS_MAX)] = ROUNDS_MAX
