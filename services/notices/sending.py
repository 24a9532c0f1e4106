"""The contract of a sender, and the outcomes of one attempt to deliver a notice."""

from typing import Protocol

from msgspec import Struct

from infra.postgres.notices import Notice
from services.notices.telling import Told
from services.notices.ways import Way


class Delivered(Struct, frozen=True):
    pass


class Later(Struct, frozen=True, kw_only=True):
    """To be tried again: after so many seconds, and not before the back-off says."""

    reason: str
    after_s: float = 0.0


class Gone(Struct, frozen=True, kw_only=True):
    """The address is no more: the way ends at once."""

    reason: str


Outcome = Delivered | Later | Gone


class Sender(Protocol):
    async def send(self, way: Way, notice: Notice, told: Told, /) -> Outcome:
        """Try once, within seconds. A fault of the other side is an outcome; its reason names no address."""
