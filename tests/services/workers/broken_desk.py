"""A notary's desk that breaks: every write can be lost before it is done, or be done with its reply lost."""

from enum import Enum

from infra.ledger_store import Growth, NotaryDesk, StoredCheckpoint
from infra.store_faults import StoreUnavailable


class Way(Enum):
    NOT_DONE = "not done"
    REPLY_LOST = "done, and the reply lost"


class BrokenDesk:
    """The real desk, until the write of that number; counts from 0."""

    def __init__(self, desk: NotaryDesk, *, breaks_at: int, way: Way) -> None:
        self._desk = desk
        self._breaks_at = breaks_at
        self._way = way
        self._count = 0
        # Everything that was signed and handed in, published or not.
        self.shown: list[bytes] = []

    @property
    def has_broken(self) -> bool:
        return self._count > self._breaks_at

    async def grow(self, growth: Growth) -> None:
        is_last = self._enter()
        await self._desk.grow(growth)
        self._leave(is_last=is_last)

    async def publish(self, origin: str, checkpoint: StoredCheckpoint) -> None:
        self.shown.append(checkpoint.note)
        is_last = self._enter()
        await self._desk.publish(origin, checkpoint)
        self._leave(is_last=is_last)

    def _enter(self) -> bool:
        is_last = self._count == self._breaks_at
        self._count += 1
        if is_last and self._way is Way.NOT_DONE:
            raise StoreUnavailable("cut by the test")
        return is_last

    def _leave(self, *, is_last: bool) -> None:
        if is_last:
            raise StoreUnavailable("cut by the test")
