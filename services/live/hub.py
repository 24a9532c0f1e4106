"""The hub: follows the games of one process's readers; `room.react` decides, the hub carries out.

Subscribe, then read, then pass on. A hint only states when to read; the shown values come from the log alone.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Never, assert_never

import structlog
from msgspec import Struct

from domain.game.state import Game
from domain.ids import GameId, StreamId, StreamVersion
from domain.log.entry import Entry
from infra.hint_source import HintSource
from infra.store_faults import StoreUnavailable
from services.commands.arena import NoSuchGame
from services.live.frame_buffer import STEPS_MAX, Audience, FrameBuffer
from services.live.messages import End
from services.live.reader import Reader
from services.live.room import (
    Close,
    Committed,
    Done,
    Failed,
    Hinted,
    Joined,
    Left,
    Open,
    Read,
    ReadLater,
    Retried,
    RoomIn,
    RoomOut,
    RoomState,
    Take,
    react,
)
from services.live.steps import StepSources
from services.reading.access import Caller, belongs_to, find_seat, find_visible_version

log = structlog.get_logger()


class Limits(Struct, frozen=True, kw_only=True):
    # Below the connections of a process, so that commands find room beside them.
    readers_max: int = 7_500
    # Half of them: one famous game leaves room for others.
    readers_per_game_max: int = 4_000
    # Of one network: a club that watches. Those who belong to the game are not counted with the others.
    readers_per_network_max: int = 500
    # Streams of one account that belongs to the games it follows: a page and a program for each of some games.
    own_readers_max: int = 50
    steps_max: int = STEPS_MAX
    # How often the heads of all games with readers are looked up: the latency of a lost last hint.
    look_s: float = 5.0
    # A store that is away is back in seconds.
    retry_s: float = 0.5


class TooManyReaders(Exception):
    """The process, or the game in it, has as many readers as it takes."""

    def __init__(self, readers_max: int) -> None:
        self.readers_max = readers_max
        super().__init__(f"expected fewer than {readers_max} readers, found as many")


class Stopping(Exception):
    """The process is about to stop and takes no more readers."""

    def __init__(self) -> None:
        super().__init__("expected a server that stays, found one that is about to stop")


class Room:
    """The readers of a game with their buffer. `state` is replaced by `Hub._happen` alone."""

    def __init__(self, buffer: FrameBuffer) -> None:
        self.state = RoomState()
        self.buffer = buffer
        self.readers: set[Reader] = set()
        self.timer: asyncio.TimerHandle | None = None


RoomKey = tuple[StreamId, Audience]
# Work beside a hub that ends with it.
Company = Callable[["Hub"], Coroutine[None, None, Never]]
AUDIENCES: tuple[Audience, ...] = ("prompt", "delayed")


class Hub:
    """Made by `running_hub`, which owns its tasks."""

    def __init__(
        self,
        sources: StepSources,
        hints: HintSource,
        tasks: asyncio.TaskGroup,
        *,
        now_ms: Callable[[], int],
        limits: Limits,
    ) -> None:
        self._sources = sources
        self._hints = hints
        self._tasks = tasks
        self._now_ms = now_ms
        self._limits = limits
        self._rooms: dict[RoomKey, Room] = {}
        self._readers_count = 0
        # By network, and by account where it belongs to the game.
        self._counts: Counter[str] = Counter()
        self._is_stopping = False
        # Readers that have left one room and not come to another yet.
        self._returning_count = 0
        self._has_left = asyncio.Event()
        # How long after its receipt the last line reached readers without a delay.
        self.lag_s = 0.0

    @property
    def buffers_count(self) -> int:
        return len(self._rooms)

    @property
    def readers_count(self) -> int:
        return self._readers_count

    def count_readers(self) -> dict[StreamId, int]:
        """Count the readers of each game that has any."""
        counts: dict[StreamId, int] = {}
        for (game, _), room in self._rooms.items():
            counts[game] = counts.get(game, 0) + len(room.readers)
        return counts

    def list_readers(self, game: StreamId) -> list[Reader]:
        return [reader for room in self._find_rooms(game) for reader in room.readers]

    async def join(self, game: GameId, caller: Caller, *, after: StreamVersion | None = None) -> Reader:
        """Return a reader that begins after a version, or with the present; it has to leave in the end.

        Raises `NoSuchGame`, `TooManyReaders`, `Stopping` and `StoreUnavailable`.
        """
        reader = Reader(self._sources, caller, after=after)
        await self._enter(reader, game)
        return reader

    def leave(self, reader: Reader) -> None:
        """Let a reader go, also one that is gone already."""
        assert reader.buffer is not None
        key = (reader.buffer.game, reader.buffer.audience)
        room = self._rooms.get(key)
        if room is not None and reader in room.readers:
            room.readers.remove(reader)
            self._readers_count -= 1
            self._counts[reader.counted_as] -= 1
            if not self._counts[reader.counted_as]:
                del self._counts[reader.counted_as]
            self._has_left.set()
            self._happen(key, Left())

    async def return_to_seat(self, reader: Reader) -> None:
        """Decide again which view a reader gets whose seat has changed; it continues where it was, or ends."""
        assert reader.buffer is not None
        game = reader.buffer.game
        self._returning_count += 1
        self.leave(reader)
        try:
            await self._enter(reader, game)
        except NoSuchGame:
            reader.stop(End(reason="not-found"))
        except (TooManyReaders, Stopping, StoreUnavailable):
            reader.stop(End(reason="restarting"))
        finally:
            self._returning_count -= 1
            self._has_left.set()

    def stop(self) -> None:
        """End all streams, and take no more."""
        self._is_stopping = True
        for room in self._rooms.values():
            for reader in room.readers:
                reader.stop(End(reason="restarting"))

    async def wait_until_left(self, *, timeout_s: float) -> None:
        """Return when every reader got the end and is gone, or the time is up."""
        with suppress(TimeoutError):
            async with asyncio.timeout(timeout_s):
                while self._readers_count or self._returning_count:
                    self._has_left.clear()
                    await self._has_left.wait()

    def end_tokens(self, tokens: Collection[str] | None) -> None:
        """End the streams of these tokens, which have ended; None has the readers of every token come again."""
        for room in self._rooms.values():
            for reader in room.readers:
                token = reader.caller.token
                if tokens is not None and token in tokens:
                    reader.stop(End(reason="revoked"))
                elif tokens is None and token is not None:
                    reader.stop(End(reason="restarting"))

    def close(self) -> None:
        """Let every room go, so that nothing more is read."""
        for room in self._rooms.values():
            if room.timer is not None:
                room.timer.cancel()
        self._rooms.clear()

    def hear(self, game: StreamId, version: StreamVersion | None) -> None:
        """Take a hint in, from wherever."""
        for audience in AUDIENCES:
            if (game, audience) in self._rooms:
                self._happen((game, audience), Hinted(version))

    def note_written(self, game: StreamId, entries: Sequence[Entry]) -> None:
        """Take in lines that this process has just committed: readers without a delay need no read of them."""
        for audience in AUDIENCES:
            room = self._rooms.get((game, audience))
            if room is None:
                continue
            can_take = audience == "prompt" and room.buffer.can_take(entries)
            self._happen((game, audience), Committed(tuple(entries)) if can_take else Hinted(entries[-1].line.version))

    async def look_for_ever(self) -> None:
        """Look up the heads of all games that have readers, now and then: the last hint of a game may be lost."""
        while True:
            await asyncio.sleep(self._limits.look_s)
            try:
                versions = await self._sources.store.read_versions(sorted({game for game, _ in self._rooms}))
                await self._end_looks()
            except StoreUnavailable as fault:
                log.info("heads_not_read", reason=fault.reason)
                continue
            for game, version in versions.items():
                self.hear(game, version)

    async def _end_looks(self) -> None:
        """Have the readers come again whose commentator was dismissed: behind the delay, as all others."""
        looking = [reader for room in self._rooms.values() for reader in room.readers if reader.has_look]
        for reader in looking:
            assert reader.buffer is not None
            assert self._sources.looks is not None
            newest = reader.buffer.newest
            if newest is not None and not await self._sources.looks(newest, reader.caller):
                reader.stop(End(reason="restarting"))

    async def _enter(self, reader: Reader, game: GameId) -> None:
        looks = self._sources.looks
        newest, _ = await find_visible_version(
            self._sources.histories, game, reader.caller, now_ms=self._now_ms(), looks=looks
        )
        reader.has_look = looks is not None and await looks(newest, reader.caller)
        self._check_limits(game, newest, reader)
        is_prompt = not newest.opened.delay_s or reader.has_look or find_seat(newest, reader.caller) is not None
        key: RoomKey = (game, "prompt" if is_prompt else "delayed")
        room = self._rooms.get(key)
        if room is None:
            buffer = FrameBuffer(self._sources, game, key[1], steps_max=self._limits.steps_max)
            room = self._rooms[key] = Room(buffer)
        reader.enter(room.buffer, newest)
        reader.has_all = newest.is_disclosed and reader.cursor is not None and reader.cursor >= newest.version
        room.readers.add(reader)
        self._readers_count += 1
        self._counts[reader.counted_as] += 1
        must_read = room.buffer.want(reader.knowledge)
        self._happen(key, Joined())
        # The first one has it read by coming.
        if must_read and len(room.readers) > 1:
            self._happen(key, Hinted())

    def _check_limits(self, game: GameId, newest: Game, reader: Reader) -> None:
        """Raise where there is no room. Those who belong to the game find some beside all spectators."""
        if self._is_stopping:
            raise Stopping
        is_own, caller = belongs_to(newest, reader.caller), reader.caller
        reader.counted_as = f"account:{caller.account}" if is_own else f"network:{caller.network}"
        counted_max = self._limits.own_readers_max if is_own else self._limits.readers_per_network_max
        if self._counts[reader.counted_as] >= counted_max:
            raise TooManyReaders(counted_max)
        if is_own:
            return
        if self._readers_count >= self._limits.readers_max:
            raise TooManyReaders(self._limits.readers_max)
        if sum(len(room.readers) for room in self._find_rooms(game)) >= self._limits.readers_per_game_max:
            raise TooManyReaders(self._limits.readers_per_game_max)

    def _find_rooms(self, game: StreamId) -> list[Room]:
        return [self._rooms[game, audience] for audience in AUDIENCES if (game, audience) in self._rooms]

    def _happen(self, key: RoomKey, happened: RoomIn) -> None:
        room = self._rooms[key]
        room.state, effects = react(room.state, happened)
        for effect in effects:
            self._carry_out(key, room, effect)

    def _carry_out(self, key: RoomKey, room: Room, effect: RoomOut) -> None:
        match effect:
            case Open():
                self._hints.subscribe(key[0])
            case Read():
                self._tasks.create_task(self._read(key, room))
            case Take(entries=entries):
                self._take(key, room, entries)
            case ReadLater():
                asyncio.get_running_loop().call_later(self._limits.retry_s, self._after, key, room, Retried())
            case Close():
                if room.timer is not None:
                    room.timer.cancel()
                del self._rooms[key]
                if not self._find_rooms(key[0]):
                    self._hints.unsubscribe(key[0])
            case _:
                assert_never(effect)

    def _after(self, key: RoomKey, room: Room, happened: RoomIn) -> None:
        """Let a message reach a room, unless that one is gone by now."""
        if self._rooms.get(key) is room:
            self._happen(key, happened)

    async def _read(self, key: RoomKey, room: Room) -> None:
        before = room.buffer.version
        try:
            progress = await room.buffer.advance(now_ms=self._now_ms())
        except StoreUnavailable as fault:
            log.info("game_not_read", game=key[0], reason=fault.reason)
            self._after(key, room, Failed())
            return
        except Exception:
            log.exception("game_failed", game=key[0], version=room.buffer.version)
            self._fail(room)
            return
        if self._rooms.get(key) is not room:
            return
        if progress.due_ms is not None:
            self._wake_at(key, room, progress.due_ms)
        self._wake(key, room, before)
        self._happen(key, Done(progress.version))

    def _take(self, key: RoomKey, room: Room, entries: Sequence[Entry]) -> None:
        before = room.buffer.version
        try:
            room.buffer.take(entries)
        except Exception:
            # The writer of the lines has no part in it.
            log.exception("game_failed", game=key[0], version=room.buffer.version)
            self._fail(room)
            return
        self._wake(key, room, before)

    def _wake(self, key: RoomKey, room: Room, before: StreamVersion) -> None:
        for reader in room.readers:
            reader.wake()
        if key[1] == "prompt" and 0 < before < room.buffer.version and room.buffer.newest is not None:
            self.lag_s = max(0, self._now_ms() - room.buffer.newest.at_ms) / 1000

    def _fail(self, room: Room) -> None:
        """Have the readers of a game that met a bug come again and begin anew, while all others go on."""
        for reader in list(room.readers):
            reader.stop(End(reason="failed"))
            self.leave(reader)

    def _wake_at(self, key: RoomKey, room: Room, due_ms: int) -> None:
        if room.timer is not None:
            room.timer.cancel()
        delay_s = max(0, due_ms - self._now_ms()) / 1000
        room.timer = asyncio.get_running_loop().call_later(delay_s, self._after, key, room, Hinted())


@asynccontextmanager
async def running_hub(
    sources: StepSources,
    hints: HintSource,
    *,
    now_ms: Callable[[], int],
    limits: Limits | None = None,
    company: Sequence[Company] = (),
) -> AsyncIterator[Hub]:
    """Run a hub, the source of its hints and its company; all end with the block, as does every stream."""
    failure: Exception | None = None
    async with asyncio.TaskGroup() as tasks:
        hub = Hub(sources, hints, tasks, now_ms=now_ms, limits=limits or Limits())
        works = [hints.run(hub.hear), hub.look_for_ever(), *(coroutine(hub) for coroutine in company)]
        own = [tasks.create_task(work) for work in works]
        try:
            yield hub
        except Exception as error:  # noqa: BLE001 - raised again below: the task group would wrap it
            failure = error
        finally:
            hub.stop()
            hub.close()
            for task in own:
                task.cancel()
    if failure is not None:
        raise failure
