"""Helpers of organisers: their roles, how one joins by the link that an organiser gave, and looks inside the delay."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.ids import Hex32Field, PlayerIdField
from domain.tournament.fields import AttemptField, RoundField, TableField

# More than a hall of a hundred tables has.
HELPERS_MAX = 32

# An arbiter rules, a desk seats and admits, a commentator sees games without their delay.
Role = Literal["arbiter", "desk", "commentator"]
HelperField = Annotated[int, Meta(ge=0, lt=HELPERS_MAX)]


class HelperJoined(Struct, frozen=True, kw_only=True):
    """The holder of an invitation helps from here on, by this account, and signs with this key if any."""

    helper: HelperField
    player: PlayerIdField
    key: Hex32Field | None


class TableFollowed(Struct, frozen=True, kw_only=True):
    """From here on the author sees the game of this table as it happens, as spectators see it after the delay."""

    round: RoundField
    table: TableField
    attempt: AttemptField
