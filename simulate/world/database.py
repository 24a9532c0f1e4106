"""The simulated database: stores in memory behind wires that lose requests and replies, and sessions that hold locks.

A request is carried out at one instant, in no node's process: it may arrive after the node that sent it has died.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from contextvars import Context
from typing import Any

import asyncpg

from domain.accounts.notice import Notice
from domain.ids import LineHash, LogPosition, StreamVersion
from domain.log.record import GENESIS
from infra.clock_book import NotedAbsence
from infra.event_store import Append
from infra.postgres.append_call import check_form, check_limits
from infra.postgres.append_channel import AppendConnection
from infra.store_faults import AppendRefused, CommandSeen, StoreUnavailable, VersionConflict
from simulate.stores.clock_book import MemoryClockBook
from simulate.stores.event_store import MemoryEventStore
from simulate.stores.kept_proofs import MemoryKeptProofs
from simulate.stores.ledger import MemoryLedger
from simulate.stores.notices import MemoryNotices
from simulate.stores.projection_store import MemoryProjections, MemoryProjectorDesk
from simulate.world.faults import Weather

# A node waits so long for a reply; shorter than in Postgres, so that a run meets it often.
REPLY_TIMEOUT_S = 3.0
# The database misses a client that is cut off for so long, and ends its session.
KEEPALIVE_S = 2.5


class Session:
    """One connection, as the database sees it; its locks go with it."""

    def __init__(self, node: int) -> None:
        self.node = node
        self.is_open = True


class SimulatedBook(MemoryClockBook):
    """The timekeeper's book; it keeps each stored heartbeat, for the checkers."""

    def __init__(self, log: MemoryEventStore) -> None:
        super().__init__(log)
        self.beats_ms: list[int] = []

    async def beat(self, now_ms: int) -> list[NotedAbsence]:
        self.beats_ms.append(now_ms)
        return await super().beat(now_ms)


class SimulatedNotices(MemoryNotices):
    """Ways and notices; it keeps the ids of all that were ever stored, for the checkers."""

    def __init__(self, log: MemoryEventStore) -> None:
        super().__init__(log)
        self.stored: set[str] = set()

    async def follow(self, before: LogPosition, after: LogPosition, notices: Sequence[Notice], *, now_ms: int) -> None:
        await super().follow(before, after, notices, now_ms=now_ms)
        self.stored.update(notice.id for notice in notices)


class SimulatedDatabase:
    """Everything that outlives the nodes."""

    def __init__(self) -> None:
        self.log = MemoryEventStore()
        self.book = SimulatedBook(self.log)
        self.projections = MemoryProjections()
        self.ledger = MemoryLedger()
        self.kept = MemoryKeptProofs(self.log, self.ledger)
        self.notices = SimulatedNotices(self.log)
        self.sessions: list[Session] = []
        self._locks: dict[str, Session] = {}
        self._desks: dict[Session, MemoryProjectorDesk] = {}

    async def open(self, node: int) -> Session:
        session = Session(node)
        self.sessions.append(session)
        return session

    def end(self, session: Session) -> None:
        if session.is_open:
            session.is_open = False
            self.sessions.remove(session)
            self._locks = {name: owner for name, owner in self._locks.items() if owner is not session}
            if session in self._desks:
                self._desks.pop(session).close()

    async def try_lock(self, session: Session, name: str) -> bool:
        return self._locks.setdefault(name, session) is session

    def desk_of(self, session: Session) -> MemoryProjectorDesk:
        return self._desks.setdefault(session, MemoryProjectorDesk(self.projections))

    async def is_there(self) -> None:
        """Answer, as a session does whose lock is held."""

    async def append(self, batch: Sequence[Append]) -> list[dict[str, Any]]:
        """Append all that can be, as `append_batch` does, or raise and store nothing; a row for each that lost."""
        if len({append.stream for append in batch}) < len(batch):
            raise asyncpg.DataError("a stream is there twice")
        try:
            for each in batch:
                check_limits(each)
                check_form(each)
        except AppendRefused as refused:
            raise asyncpg.RaiseError(refused.reason) from refused
        rows = [await self._append_one(number, append) for number, append in enumerate(batch, start=1)]
        return [row for row in rows if row is not None]

    async def _append_one(self, number: int, append: Append) -> dict[str, Any] | None:
        try:
            await self.log.append(append)
        except (VersionConflict, CommandSeen):
            stored = await self.log.read_stream(append.stream, after=StreamVersion(0), limit=1_000_000)
            seen = append.command and await self.log.find_command(append.stream, append.command.id)
            return {
                "lost": number,
                "actual_version": len(stored),
                "actual_head": bytes.fromhex(await self._read_head(append)),
                "appended": tuple(stored[append.expected_version : append.last_version]) == append.lines,
                "seen_hash": seen and seen.body_hash,
                "seen_first": seen and seen.first_version,
                "seen_last": seen and seen.last_version,
                "seen_head": seen and bytes.fromhex(seen.head),
            }
        return None

    async def _read_head(self, append: Append) -> LineHash:
        versions = await self.log.read_versions([append.stream])
        return (await self.log.load_stream(append.stream)).head if versions else LineHash(GENESIS)


class Wire:
    """The way of one run of a node to the database. `world` is the context of no node."""

    def __init__(self, node: int, database: SimulatedDatabase, weather: Weather, world: Context) -> None:
        self.node = node
        self._database = database
        self._weather = weather
        self._world = world
        self._loop = asyncio.get_running_loop()

    async def ask(self, work: Callable[[], Coroutine[Any, Any, Any]], session: Session | None = None) -> Any:
        """Return the answer of the database. Raises ConnectionError and TimeoutError, after which it may be done."""
        loop, weather, node = self._loop, self._weather, self.node
        reply: asyncio.Future[Any] = loop.create_future()

        def arrive() -> None:
            if session is not None and not session.is_open:
                answer(None, ConnectionResetError("the database has ended the session"))
            elif not weather.is_cut(loop.time(), node, "database away"):
                try:
                    result, fault = run_at_once(work()), None
                except Exception as error:  # noqa: BLE001 - handed to the node
                    result, fault = None, error
                if not weather.is_hit(loop.time(), node, "replies lost", "cut"):
                    answer(result, fault)

        def answer(result: Any, fault: Exception | None) -> None:
            loop.call_later(
                weather.delay_s(loop.time(), node, "slow"), settle, reply, result, fault, context=self._world
            )

        if not weather.is_hit(loop.time(), node, "requests lost", "cut"):
            loop.call_later(weather.delay_s(loop.time(), node, "slow"), arrive, context=self._world)
        giving_up = loop.call_later(REPLY_TIMEOUT_S, settle, reply, None, TimeoutError("no reply"), context=self._world)
        try:
            return await reply
        finally:
            giving_up.cancel()

    @asynccontextmanager
    async def session(self) -> AsyncIterator[Session]:
        with_faults = telling_unavailable(self.ask)
        session = await with_faults(lambda: self._database.open(self.node))
        try:
            yield session
        finally:
            is_heard = not self._weather.is_hit(self._loop.time(), self.node, "requests lost", "cut")
            self._loop.call_later(0.001 if is_heard else KEEPALIVE_S, self._database.end, session, context=self._world)


class Remote:
    """A store of the database over a wire, within a session where one is given: every method may fail in both ways."""

    def __init__(self, wire: Wire, store: Any, session: Session | None = None) -> None:
        self._wire = wire
        self._store = store
        self._session = session
        self._ask = telling_unavailable(wire.ask)

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._store, name)

        async def ask(*args: Any, **named: Any) -> Any:
            return await self._ask(lambda: method(*args, **named), self._session)

        return ask


class SimulatedAppends:
    """See `AppendConnection`."""

    def __init__(self, wire: Wire, database: SimulatedDatabase) -> None:
        self._wire = wire
        self._database = database

    async def send(self, batch: Sequence[Append], *, timeout_s: float) -> list[dict[str, Any]]:
        async with asyncio.timeout(timeout_s):
            rows: list[dict[str, Any]] = await self._wire.ask(lambda: self._database.append(batch))
            return rows

    async def close(self, *, timeout: float) -> None:  # noqa: ASYNC109  as the contract names it
        """Nothing stays open."""

    def terminate(self) -> None:
        """Nothing stays open."""


def connect_to(
    wire: Wire, database: SimulatedDatabase
) -> Callable[[str, float], Coroutine[Any, Any, AppendConnection]]:
    async def connect(_url: str, timeout_s: float) -> AppendConnection:
        async with asyncio.timeout(timeout_s):
            await wire.ask(database.is_there)
        return SimulatedAppends(wire, database)

    return connect


def telling_unavailable(ask: Callable[..., Coroutine[Any, Any, Any]]) -> Callable[..., Coroutine[Any, Any, Any]]:
    async def ask_telling(*args: Any) -> Any:
        try:
            return await ask(*args)
        except OSError as error:
            raise StoreUnavailable(str(error)) from error

    return ask_telling


def settle(reply: asyncio.Future[Any], result: Any, fault: Exception | None) -> None:
    if reply.done():
        return
    if fault is None:
        reply.set_result(result)
    else:
        reply.set_exception(fault)


def run_at_once(work: Coroutine[Any, Any, Any]) -> Any:
    """Run a coroutine that waits for nothing."""
    try:
        work.send(None)
    except StopIteration as ended:
        return ended.value
    raise AssertionError("a store in memory waits for nothing")
