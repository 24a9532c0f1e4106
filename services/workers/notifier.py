"""The notifier: reads the log for notices, and delivers those that wait, each way's deadlines first.

A notice is stored with the bookmark of its line and deleted once delivered: any stop repeats it under its id, and loses
none. A way that fails rests longer each time, and ends after days; it holds up no other.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from functools import partial
from typing import Literal

import structlog
from msgspec import Struct

from domain.accounts.notice import DEADLINES, Notice
from domain.ids import LogPosition
from infra.event_store import READ_LINES_MAX, EventStore
from infra.postgres.notice_ways import NoticeWays
from infra.postgres.notices import NoticeBook, Outbox
from infra.store_faults import StoreUnavailable
from services.notices.composing import Composer
from services.notices.finding import NoticeFinder, cut_whole, passing_over
from services.notices.pushes import PushSender
from services.notices.quiet_hours import find_quiet_end_ms
from services.notices.senders import SenderTerms, opened_senders
from services.notices.sending import Composed, Delivered, Gone, Later, Outcome, Sender
from services.notices.ways import Address, Browser, Way
from services.notices.webhooks import WebhookSender
from services.workers.kinds import NOTIFIER
from services.workers.standby import Step, Worker

log = structlog.get_logger()

# Read and stored together: some tenth of a second where each is of another game.
EVENTS_MAX = 100
# Ways that took their last notice, and those that are new or failing.
Lane = Literal["proven", "doubtful"]
# Ways served at once, each attempt of which ends within seconds: any number of silent addresses holds up no proven one.
WAYS_AT_ONCE_MAX: Mapping[Lane, int] = {"proven": 48, "doubtful": 8}
# Delivered to one way before others have their turn.
NOTICES_AT_ONCE_MAX = 20
# A way that failed for so long, without a success, ends.
FAILING_MAX_MS = 5 * 24 * 3_600_000


class NotifierSources(Struct, frozen=True, kw_only=True):
    log: EventStore
    # Another one for each session: it remembers players by the lines that it read.
    build_finder: Callable[[], NoticeFinder]
    composer: Composer
    outbox: Outbox
    ways: NoticeWays
    senders: SenderTerms
    now_ms: Callable[[], int]
    open_senders: Callable[[SenderTerms], AbstractAsyncContextManager[Mapping[type[Address], Sender]]] = opened_senders


# Opens a session with the notifier's bookmark, or yields None while another session has it.
OpenBook = Callable[[], AbstractAsyncContextManager[NoticeBook | None]]


def build_notifier(sources: NotifierSources, open_book: OpenBook) -> Worker:
    return Worker(name=NOTIFIER.name, open=lambda: _open_session(sources, open_book))


@asynccontextmanager
async def _open_session(sources: NotifierSources, open_book: OpenBook) -> AsyncIterator[Step | None]:
    async with open_book() as book:
        if book is None:
            yield None
            return
        async with sources.open_senders(sources.senders) as senders:
            notifier = Notifier(sources, book, senders)
            try:
                # A step begins on the connection of the lock, and so only while it is held.
                yield notifier.step
            finally:
                await notifier.leave()


class Notifier:
    """One session. After any exception it is over, and another one begins from the store."""

    def __init__(self, sources: NotifierSources, book: NoticeBook, senders: Mapping[type[Address], Sender]) -> None:
        self._sources = sources
        self._book = book
        self._finder = sources.build_finder()
        self._senders = senders
        self._tasks: dict[str, tuple[Lane, asyncio.Task[None]]] = {}

    async def step(self) -> int:
        """Read on in the log, and set to work the ways whose notices are due. Raises StoreUnavailable, BookMoved."""
        followed = await self._follow(await self._book.read_position())
        return followed + sum([await self._set_to_work(lane, limit) for lane, limit in WAYS_AT_ONCE_MAX.items()])

    async def _set_to_work(self, lane: Lane, limit: int) -> int:
        """Serve ways of a lane that are due, and state how many."""
        free = limit - sum(each == lane for each, _ in self._tasks.values())
        if not free:
            return 0
        due = await self._sources.outbox.list_due(
            self._sources.now_ms(), is_proven=lane == "proven", without=self._tasks.keys(), limit=free
        )
        for way in due:
            task = asyncio.create_task(self._serve(way), name=f"notices by way {way}")
            self._tasks[way] = lane, task
            task.add_done_callback(partial(self._forget, way))
        return len(due)

    def _forget(self, way: str, _: object) -> None:
        self._tasks.pop(way, None)

    async def leave(self) -> None:
        """Let every delivery stop where it is."""
        tasks = [task for _, task in self._tasks.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _follow(self, position: LogPosition) -> int:
        lines = await self._sources.log.read_log(after=position, limit=EVENTS_MAX)
        events = cut_whole(lines, limit=EVENTS_MAX)
        if lines and not events:
            # One command has more lines than are read otherwise.
            lines = await self._sources.log.read_log(after=position, limit=READ_LINES_MAX)
            events = cut_whole(lines, limit=READ_LINES_MAX)
        if events:
            notices = await self._finder.find(events, self._book.find_reached)
            await self._book.follow(position, events[-1].position, notices, now_ms=self._sources.now_ms())
        return len(events)

    async def _serve(self, id_: str) -> None:
        """Deliver the first notices of a way, in their order, until one fails."""
        try:
            row = await self._sources.ways.find(id_)
            if row is None:
                await self._end(id_, "the account is closed")
                return
            way = self._sources.senders.vault.open(row)
            if (
                isinstance(way.address, Browser)
                and row.added_by is not None
                and not await self._sources.ways.is_open(row.added_by)
            ):
                await self._end(id_, "the browser was signed out")
                return
            if not row.is_proven and not await self._prove(way):
                return
            quiet_ms = find_quiet_end_ms(row.quiet, self._sources.now_ms())
            if quiet_ms is not None:
                await self._sources.outbox.put_off(id_, quiet_ms)
                return
            size = self._senders[type(way.address)].at_once_max
            waiting = await self._sources.outbox.read_waiting(id_, limit=NOTICES_AT_ONCE_MAX)
            if not waiting:
                await self._sources.outbox.settle(id_, now_ms=self._sources.now_ms())
            for first in range(0, len(waiting), size):
                if not await self._deliver(way, waiting[first : first + size]):
                    return
        except StoreUnavailable:
            # The step meets it as well, and ends the session.
            return
        except Exception:
            # A bug that shows in one way must not stop the others.
            log.exception("notice_failed", way=id_)
            with suppress(StoreUnavailable):
                await self._rest(id_, Later(reason="the server failed"))

    async def _prove(self, way: Way) -> bool:
        """Send the challenge of a way, and state whether it was answered at once. Its notices wait meanwhile."""
        sender = self._senders[type(way.address)]
        assert isinstance(sender, WebhookSender | PushSender), f"way {way.row.id} has no challenge"
        outcome = await sender.prove(way)
        match outcome:
            case Delivered():
                await self._sources.outbox.prove(way.row.id, now_ms=self._sources.now_ms())
                return True
            case Gone(reason=reason):
                await self._end(way.row.id, reason)
            case Later():
                await self._rest(way.row.id, outcome, is_challenge=True)
        return False

    async def _deliver(self, way: Way, notices: Sequence[Notice]) -> bool:
        """Send notices in one attempt, but those that hold no more, and state whether the next may follow."""
        composed: list[Composed] = []
        for notice in notices:
            with passing_over(notice.stream):
                content = await self._sources.composer.compose(notice)
                composed += [] if content is None else [Composed(notice=notice, content=content)]
        outcome: Outcome = Delivered()
        if composed:
            outcome = await self._senders[type(way.address)].send(way, composed)
            if isinstance(outcome, Delivered) and not (way.row.has_worked and way.row.failures == 0):
                await self._sources.outbox.recover(way.row.id)
        match outcome:
            case Delivered(rest_s=rest_s):
                now_ms = self._sources.now_ms()
                await self._sources.outbox.settle(way.row.id, *(notice.id for notice in notices), now_ms=now_ms)
                if rest_s:
                    is_light = all(each.notice.kind not in DEADLINES for each in composed)
                    until_ms = now_ms + int(rest_s * 1_000)
                    await self._sources.outbox.put_off(way.row.id, until_ms, is_light=is_light)
                return not rest_s
            case Gone(reason=reason):
                await self._end(way.row.id, reason)
            case Later():
                await self._rest(way.row.id, outcome)
        return False

    async def _end(self, way: str, reason: str) -> None:
        log.info("notice_way_ended", way=way, reason=reason)
        await self._sources.outbox.end(way, reason)

    async def _rest(self, way: str, later: Later, *, is_challenge: bool = False) -> None:
        """Let a way that failed rest, or end it after days of that."""
        log.info("notice_not_delivered", way=way, reason=later.reason)
        now_ms, rest_ms = self._sources.now_ms(), int(later.after_s * 1_000)
        failing_ms = await self._sources.outbox.fail(
            way, later.reason, now_ms=now_ms, rest_ms=rest_ms, is_challenge=is_challenge
        )
        if failing_ms >= FAILING_MAX_MS:
            await self._end(way, f"{later.reason}, for days")
