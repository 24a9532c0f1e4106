"""What the owner of a chariot may answer. Every field is always there; nothing unknown is accepted."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

# A collision rolls a dozen dice at most: two boars, a ram, and some to spare for other boxes.
DICE_MAX = 100


class ModifyRoll(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="modify_roll"):
    """Spend a modify: one die, by its place in the roll, shows one more or one less."""

    die: Annotated[int, Meta(ge=0, lt=DICE_MAX)]
    change: Literal[-1, 1]


class LeaveRoll(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="leave_roll"):
    """Let the roll be, unless the other side changes it."""


LuckAction = ModifyRoll | LeaveRoll
