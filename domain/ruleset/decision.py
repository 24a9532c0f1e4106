"""Decisions that seats owe, and the ranking of seats: the two values that rules and game exchange."""

from typing import Literal

from msgspec import Struct

from domain.ids import DecisionIdField, SeatField


class Decision(Struct, frozen=True, kw_only=True):
    """Something a seat owes the game now.

    *plain*: answered in the open. *sealed*: chosen in secret while others choose; its action is committed to, not yet
    shown.
    *opening*: an action sealed earlier under the same id must now be shown.
    """

    id: DecisionIdField
    seat: SeatField
    kind: Literal["plain", "sealed", "opening"]


class Placing(Struct, frozen=True, kw_only=True):
    """One seat's place in a ranking. Places may be shared; a race without a winner leaves the first place empty."""

    place: int
    seat: SeatField
