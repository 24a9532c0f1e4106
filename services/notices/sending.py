"""The contract of a sender, and the outcomes of one attempt to deliver a notice."""

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from domain.accounts.notice import Notice
from services.notices.content import Content
from services.notices.ways import Way


class Composed(Struct, frozen=True, kw_only=True):
    notice: Notice
    content: Content


class Delivered(Struct, frozen=True, kw_only=True):
    """`rest_s` is how long the way gets nothing more, so that notices gather for the next attempt."""

    rest_s: float = 0.0


class Later(Struct, frozen=True, kw_only=True):
    """To be tried again: after so many seconds, and not before the back-off states."""

    reason: str
    after_s: float = 0.0


class Gone(Struct, frozen=True, kw_only=True):
    """The address is no more: the way ends at once."""

    reason: str


Outcome = Delivered | Later | Gone


class Sender(Protocol):
    """`at_once_max` is how many notices one attempt may have."""

    at_once_max: int

    async def send(self, way: Way, composed: Sequence[Composed], /) -> Outcome:
        """Try once, within seconds. A fault of the other side is an outcome; its reason names no address."""
