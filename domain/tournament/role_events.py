"""Helpers of organisers: their roles, and how one joins by the link that an organiser gave."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.ids import Hex32Field, PlayerIdField

# More than a hall of a hundred tables has.
HELPERS_MAX = 32

# An arbiter rules, a desk seats and admits.
Role = Literal["arbiter", "desk"]
HelperField = Annotated[int, Meta(ge=0, lt=HELPERS_MAX)]


class HelperJoined(Struct, frozen=True, kw_only=True):
    """The holder of an invitation helps from here on, by this account, and signs with this key if any."""

    helper: HelperField
    player: PlayerIdField
    key: Hex32Field | None
