"""Tells the readers of one process what happens in their games: what `room.react` decides, this carries out.

Subscribe, then read, then pass on. A hint only says when to read; what is shown comes from the log alone.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Never, assert_never

import structlog
from msgspec import Struct

from domain.ids import GameId, StreamId, StreamVersion
from domain.log.entry import Entry
from infra.hint_source import HintSource
from infra.store_faults import StoreUnavailable
from services.commands.arena import NoSuchGame
from services.live.frame_buffer import STEPS_MAX, Audience, Film
from services.live.messages import End
from services.live.reader import Reader
from services.live.room import (
    Close,
    Done,
    Failed,
    Joined,
    Left,
    Open,
    Read,
    ReadLater,
    Retried,
    Room,
    RoomIn,
    RoomOut,
    Take,
    Told,
    Written,
    react,
)
from services.live.steps import Shelf
from services.reading.access import Caller, find_seat, find_visible_version

log = structlog.get_logger()


class Limits(Struct, frozen=True, kw_only=True):
    # Below the connections of a process, so that commands find room beside them.
    readers_max: int = 7_500
    # Half of them: one famous game leaves room for others.
    readers_per_game_max: int = 4_000
    steps_max: int = STEPS_MAX
    # How often the heads of all games with readers are looked up: what a lost last hint costs at worst.
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


class Hall:
    """A room's readers and film. `room` is replaced by `Hub._happen` alone."""

    def __init__(self, film: Film) -> None:
        self.room = Room()
        self.film = film
        self.readers: set[Reader] = set()
        self.timer: asyncio.TimerHandle | None = None


Place = tuple[StreamId, Audience]
# Work beside a hub that ends with it.
Company = Callable[["Hub"], Coroutine[None, None, Never]]
AUDIENCES: tuple[Audience, ...] = ("prompt", "delayed")


class Hub:
    """Made by `running_hub`, which owns its tasks."""

    def __init__(
        self,
        shelf: Shelf,
        hints: HintSource,
        tasks: asyncio.TaskGroup,
        *,
        now_ms: Callable[[], int],
        limits: Limits,
    ) -> None:
        self._shelf = shelf
        self._hints = hints
        self._tasks = tasks
        self._now_ms = now_ms
        self._limits = limits
        self._halls: dict[Place, Hall] = {}
        self._readers_count = 0
        self._is_stopping = False
        # Readers that have left one place and not come to another yet.
        self._returning_count = 0
        self._has_left = asyncio.Event()
        # How long after its receipt the line read last was there for readers who wait for nothing.
        self.lag_s = 0.0

    @property
    def films_count(self) -> int:
        return len(self._halls)

    @property
    def readers_count(self) -> int:
        return self._readers_count

    def count_readers(self) -> dict[StreamId, int]:
        """Count the readers of each game that has any."""
        counts: dict[StreamId, int] = {}
        for (game, _), hall in self._halls.items():
            counts[game] = counts.get(game, 0) + len(hall.readers)
        return counts

    def list_readers(self, game: StreamId) -> list[Reader]:
        return [reader for hall in self._find_halls(game) for reader in hall.readers]

    async def join(self, game: GameId, caller: Caller, *, after: StreamVersion | None = None) -> Reader:
        """Return a reader that begins after a version, or with the present; it has to leave in the end.

        Raises `NoSuchGame`, `TooManyReaders`, `Stopping` and `StoreUnavailable`.
        """
        reader = Reader(self._shelf, caller, after=after)
        await self._enter(reader, game)
        return reader

    def leave(self, reader: Reader) -> None:
        """Let a reader go, also one that is gone already."""
        assert reader.film is not None
        place = (reader.film.game, reader.film.audience)
        hall = self._halls.get(place)
        if hall is not None and reader in hall.readers:
            hall.readers.remove(reader)
            self._readers_count -= 1
            self._has_left.set()
            self._happen(place, Left())

    async def return_to_seat(self, reader: Reader) -> None:
        """Ask again what a reader may see whose seat is another one now; it goes on where it was, or ends."""
        assert reader.film is not None
        game = reader.film.game
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
        for hall in self._halls.values():
            for reader in hall.readers:
                reader.stop(End(reason="restarting"))

    async def wait_until_left(self, *, timeout_s: float) -> None:
        """Return when everybody was told of the end and is gone, or has had the time."""
        with suppress(TimeoutError):
            async with asyncio.timeout(timeout_s):
                while self._readers_count or self._returning_count:
                    self._has_left.clear()
                    await self._has_left.wait()

    def close(self) -> None:
        """Let every room go, so that nothing more is read."""
        for hall in self._halls.values():
            if hall.timer is not None:
                hall.timer.cancel()
        self._halls.clear()

    def hear(self, game: StreamId, version: StreamVersion | None) -> None:
        """Take a hint in, from wherever."""
        for audience in AUDIENCES:
            if (game, audience) in self._halls:
                self._happen((game, audience), Told(version))

    def note_written(self, game: StreamId, entries: Sequence[Entry]) -> None:
        """Take in what this process has just committed: readers who wait for nothing need no read of it."""
        for audience in AUDIENCES:
            hall = self._halls.get((game, audience))
            if hall is None:
                continue
            can_take = audience == "prompt" and hall.film.can_take(entries)
            self._happen((game, audience), Written(tuple(entries)) if can_take else Told(entries[-1].line.version))

    async def look_for_ever(self) -> None:
        """Look up the heads of all games that have readers, now and then: the last hint of a game may be lost."""
        while True:
            await asyncio.sleep(self._limits.look_s)
            try:
                versions = await self._shelf.store.read_versions(sorted({game for game, _ in self._halls}))
            except StoreUnavailable as fault:
                log.info("heads_not_read", reason=fault.reason)
                continue
            for game, version in versions.items():
                self.hear(game, version)

    async def _enter(self, reader: Reader, game: GameId) -> None:
        newest, _ = await find_visible_version(self._shelf.histories, game, reader.caller, now_ms=self._now_ms())
        self._check_limits(game)
        seat = find_seat(newest, reader.caller)
        place: Place = (game, "delayed" if newest.opened.delay_s and seat is None else "prompt")
        hall = self._halls.get(place)
        if hall is None:
            film = Film(self._shelf, game, place[1], steps_max=self._limits.steps_max)
            hall = self._halls[place] = Hall(film)
        reader.enter(hall.film, newest)
        reader.has_all = newest.is_disclosed and reader.cursor is not None and reader.cursor >= newest.version
        hall.readers.add(reader)
        self._readers_count += 1
        must_read = hall.film.want(reader.knowing)
        self._happen(place, Joined())
        # The first one has it read by coming.
        if must_read and len(hall.readers) > 1:
            self._happen(place, Told())

    def _check_limits(self, game: GameId) -> None:
        if self._is_stopping:
            raise Stopping
        if self._readers_count >= self._limits.readers_max:
            raise TooManyReaders(self._limits.readers_max)
        if sum(len(hall.readers) for hall in self._find_halls(game)) >= self._limits.readers_per_game_max:
            raise TooManyReaders(self._limits.readers_per_game_max)

    def _find_halls(self, game: StreamId) -> list[Hall]:
        return [self._halls[game, each] for each in AUDIENCES if (game, each) in self._halls]

    def _happen(self, place: Place, happened: RoomIn) -> None:
        hall = self._halls[place]
        hall.room, effects = react(hall.room, happened)
        for effect in effects:
            self._carry_out(place, hall, effect)

    def _carry_out(self, place: Place, hall: Hall, effect: RoomOut) -> None:
        match effect:
            case Open():
                self._hints.subscribe(place[0])
            case Read():
                self._tasks.create_task(self._read(place, hall))
            case Take(entries=entries):
                self._take(place, hall, entries)
            case ReadLater():
                asyncio.get_running_loop().call_later(self._limits.retry_s, self._after, place, hall, Retried())
            case Close():
                if hall.timer is not None:
                    hall.timer.cancel()
                del self._halls[place]
                if not self._find_halls(place[0]):
                    self._hints.unsubscribe(place[0])
            case _:
                assert_never(effect)

    def _after(self, place: Place, hall: Hall, happened: RoomIn) -> None:
        """Let something happen in a hall, unless that one is gone by now."""
        if self._halls.get(place) is hall:
            self._happen(place, happened)

    async def _read(self, place: Place, hall: Hall) -> None:
        before = hall.film.version
        try:
            progress = await hall.film.advance(now_ms=self._now_ms())
        except StoreUnavailable as fault:
            log.info("game_not_read", game=place[0], reason=fault.reason)
            self._after(place, hall, Failed())
            return
        except Exception:
            log.exception("game_failed", game=place[0], version=hall.film.version)
            self._fail(hall)
            return
        if self._halls.get(place) is not hall:
            return
        if progress.due_ms is not None:
            self._wake_at(place, hall, progress.due_ms)
        self._wake(place, hall, before)
        self._happen(place, Done(progress.version))

    def _take(self, place: Place, hall: Hall, entries: Sequence[Entry]) -> None:
        before = hall.film.version
        try:
            hall.film.take(entries)
        except Exception:
            # Whoever wrote the lines has nothing to do with it.
            log.exception("game_failed", game=place[0], version=hall.film.version)
            self._fail(hall)
            return
        self._wake(place, hall, before)

    def _wake(self, place: Place, hall: Hall, before: StreamVersion) -> None:
        for reader in hall.readers:
            reader.wake()
        if place[1] == "prompt" and 0 < before < hall.film.version and hall.film.newest is not None:
            self.lag_s = max(0, self._now_ms() - hall.film.newest.at_ms) / 1000

    def _fail(self, hall: Hall) -> None:
        """Have the readers of a game that met a bug come again and begin anew, while all others go on."""
        for reader in list(hall.readers):
            reader.stop(End(reason="failed"))
            self.leave(reader)

    def _wake_at(self, place: Place, hall: Hall, due_ms: int) -> None:
        if hall.timer is not None:
            hall.timer.cancel()
        delay_s = max(0, due_ms - self._now_ms()) / 1000
        hall.timer = asyncio.get_running_loop().call_later(delay_s, self._after, place, hall, Told())


@asynccontextmanager
async def running_hub(
    shelf: Shelf,
    hints: HintSource,
    *,
    now_ms: Callable[[], int],
    limits: Limits | None = None,
    company: Sequence[Company] = (),
) -> AsyncIterator[Hub]:
    """Run a hub, the source of its hints and its company; all end with the block, as does every stream."""
    failure: Exception | None = None
    async with asyncio.TaskGroup() as tasks:
        hub = Hub(shelf, hints, tasks, now_ms=now_ms, limits=limits or Limits())
        works = [hints.run(hub.hear), hub.look_for_ever(), *(each(hub) for each in company)]
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
