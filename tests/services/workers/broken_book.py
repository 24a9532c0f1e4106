"""A timekeeper's book that breaks: every write can be lost before it is done, or be done with its reply lost."""

from domain.ids import LogPosition
from infra.clock_book import BookMark, ClockBook, GameMove, NotedAbsence
from infra.store_faults import StoreUnavailable
from tests.services.workers.broken_desk import Way


class BrokenBook:
    """The real book, until the write of that number; counts from 0."""

    def __init__(self, book: ClockBook, *, breaks_at: int, way: Way) -> None:
        self._book = book
        self._breaks_at = breaks_at
        self._way = way
        self._count = 0

    async def read_mark(self) -> BookMark:
        return await self._book.read_mark()

    async def read_moves(self, *, after: LogPosition, limit: int) -> list[GameMove]:
        return await self._book.read_moves(after=after, limit=limit)

    async def follow(self, before: LogPosition, after: LogPosition) -> None:
        is_last = self._enter()
        await self._book.follow(before, after)
        self._leave(is_last=is_last)

    async def beat(self, now_ms: int) -> list[NotedAbsence]:
        is_last = self._enter()
        absences = await self._book.beat(now_ms)
        self._leave(is_last=is_last)
        return absences

    async def note_given_back(self, *, through: int) -> None:
        is_last = self._enter()
        await self._book.note_given_back(through=through)
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
