"""The timekeeper: sends a game the end of its clocks, and gives back the time that a game lost to absences.

It decides nothing: a deadline follows from the log, and an expiry that is not due is refused like any other command. No
expiry carries a time without a stored heartbeat.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import structlog

from domain.derived_ids import derive_command
from domain.game.absence import Absence, count_lost_ms, list_playing
from domain.game.clock import RunningClock, list_running
from domain.game.commands import GameCommand
from domain.game.consent import find_pause_end_ms
from domain.game.events import ClockExpired, ClockExtended, PauseEnded
from domain.game.state import Game
from domain.ids import GameId, LogPosition
from domain.log.actors import ByClock
from domain.log.record import format_at
from domain.rejection import Rejection
from infra.clock_book import ABSENCE_MIN_MS, LATEST_ABSENCES, MOVES_MAX, BookMark, ClockBook, NotedAbsence
from infra.store_faults import StoreUnavailable
from services.commands.arena import Arena
from services.commands.turns import TooManyWaiting
from services.commands.write_path import StreamContended
from services.workers.clock_watch import ClockWatch
from services.workers.kinds import TIMEKEEPER
from services.workers.standby import Step, Worker

log = structlog.get_logger()

# A heartbeat is stored this often.
BEAT_EVERY_MS = 1_000
# An answer that came in time may still be on its way into the log, from a machine whose clock is behind: it goes first.
LATE_MS = 250
# A line is stored no longer than this after the receipt of its command.
HELD_UP_MS = 60_000
# Games looked at together: enough to fill an append, few enough that the next beat is not late.
TOGETHER_MAX = 64
# A seat owes a handful of decisions at most; each expiry may create others, whose time has not come.
EXPIRIES_MAX = 64
# Another process moves the game just now, or its log is full: soon enough, and no load where it stays so.
AGAIN_MS = 1_000
# A game that cannot be folded is a bug of ours; it is asked again in case it was mended meanwhile.
BROKEN_AGAIN_MS = 60_000
# Each time, another command moved the game between the reading and the giving back.
ATTEMPTS_MAX = 5

PASSING = (StreamContended, TooManyWaiting)

# Opens a session with the book, or yields None while another session keeps the clocks.
OpenBook = Callable[[], AbstractAsyncContextManager[ClockBook | None]]


class Timekeeper:
    """One session with the book. After any exception it is over, and another one begins from the store."""

    def __init__(self, book: ClockBook, arena: Arena, mark: BookMark, *, now_ms: Callable[[], int]) -> None:
        self._book = book
        self._arena = arena
        self._now_ms = now_ms
        self._position = mark.position
        self._watch = ClockWatch(mark.per_decision_ms, now_ms=now_ms())
        self._owed: list[NotedAbsence] = []
        self._latest = mark.absences
        self._beat_ms: int | None = None

    @property
    def watched_count(self) -> int:
        return len(self._watch)

    @property
    def position(self) -> LogPosition:
        return self._position

    async def step(self) -> None:
        """Do the due work. Raises StoreUnavailable, BookMoved."""
        if self._arena.has_failed_within(ABSENCE_MIN_MS / 1_000):
            # No answer can be stored, so clocks are not kept. The gap becomes an absence, and giving it back shows
            # whether the store takes commands again.
            return
        now_ms = self._now_ms()
        await self._beat(now_ms)
        await self._follow(now_ms)
        await self._give_back(now_ms)
        if self._owed:
            # One that ends later than this step began, or than a clock that was moved back: no clock expires before it.
            return
        for games in _batches(self._watch.take_due(now_ms)):
            await self._beat_meanwhile()
            await _together(self._look(game, now_ms) for game in games)

    async def _beat(self, now_ms: int) -> None:
        if self._beat_ms is None or not 0 <= now_ms - self._beat_ms < BEAT_EVERY_MS:
            self._owed = await self._book.beat(now_ms)
            self._beat_ms = now_ms

    async def _beat_meanwhile(self) -> None:
        # Long work is no absence. An absence in the middle of it is given back with the next step.
        await self._beat(self._now_ms())

    async def _follow(self, now_ms: int) -> None:
        """Read the log to its end, and keep which games are to be watched."""
        while moves := await self._book.read_moves(after=self._position, limit=MOVES_MAX):
            await self._book.follow(self._position, moves[-1].position)
            self._watch.follow(moves)
            end_ms = max((absence.to_ms for absence in self._list_latest(now_ms)), default=0)
            for move in moves:
                if move.at_ms < end_ms:
                    self._watch.plan(move.game, now_ms)
            self._position = moves[-1].position
            if len(moves) < MOVES_MAX:
                return
            await self._beat_meanwhile()

    async def _give_back(self, now_ms: int) -> None:
        """Give every game the time that it lost to absences, before any clock of it can expire."""
        owed = [absence for absence in self._owed if absence.absence.to_ms <= now_ms]
        if not owed:
            return
        absences = [absence.absence for absence in owed]
        log.warning("clocks_were_not_kept", absences=[format_at(absence.from_ms) for absence in absences])
        for games in _batches(self._watch.list_games()):
            await _together(self._give_back_to(game, absences, now_ms) for game in games)
            await self._beat_meanwhile()
        await self._book.note_given_back(through=owed[-1].number)
        self._owed = [absence for absence in self._owed if absence.number > owed[-1].number]
        self._latest = (*self._latest, *absences)[-LATEST_ABSENCES:]

    def _list_latest(self, now_ms: int) -> Sequence[Absence]:
        """List the absences given back that a line may still have waited through."""
        return [absence for absence in self._latest if now_ms - HELD_UP_MS < absence.to_ms <= now_ms]

    async def _give_back_to(self, game: GameId, absences: Sequence[Absence], now_ms: int) -> None:
        for _ in range(ATTEMPTS_MAX):
            try:
                found = await self._arena.read_newest(game)
                command = _giving_back(found, absences, now_ms)
                if command is None:
                    return
                await self._arena.handle(command)
            except (Rejection, *PASSING) as refused:
                log.info("giving_back_refused", game=game, reason=str(refused))
            except StoreUnavailable:
                raise
            except Exception:
                # As in `_look`.
                log.exception("giving_back_failed", game=game)
                return
        log.error("giving_back_abandoned", game=game)

    async def _look(self, game: GameId, now_ms: int) -> None:
        """Expire the clocks of a game that have run out, and plan when to look again."""
        try:
            again_ms = await self._expire(game, now_ms)
        except (Rejection, *PASSING) as refused:
            log.info("expiry_refused", game=game, reason=str(refused))
            again_ms = now_ms + AGAIN_MS
        except StoreUnavailable:
            raise
        except Exception:
            # A bug that shows in one game must not stop the clocks of all the others.
            log.exception("timekeeping_failed", game=game)
            again_ms = now_ms + BROKEN_AGAIN_MS
        if again_ms is not None:
            self._watch.plan(game, again_ms)

    async def _expire(self, game: GameId, now_ms: int) -> int | None:
        """Return when the next clock or a pause runs out; None where none runs, until the game moves."""
        for _ in range(EXPIRIES_MAX):
            found = await self._arena.read_newest(game)
            # A line stored after an absence was given back may state that the game waited through it.
            giving_back = _giving_back(found, self._list_latest(now_ms), now_ms)
            if giving_back is not None:
                await self._arena.handle(giving_back)
                continue
            pause_end_ms = find_pause_end_ms(found)
            if pause_end_ms is not None:
                if now_ms <= pause_end_ms + LATE_MS:
                    return pause_end_ms + LATE_MS + 1
                await self._arena.handle(_pause_ending(found, now_ms))
                continue
            running = list_running(found)
            if not running:
                return None
            first = running[0]
            if now_ms <= first.deadline_ms + LATE_MS:
                return first.deadline_ms + LATE_MS + 1
            await self._arena.handle(_expiry(found, first, now_ms))
            log.info("clock_expired", game=game, seat=first.seat, decision=first.decision)
        return now_ms + AGAIN_MS


def build_timekeeper(arena: Arena, open_book: OpenBook, now_ms: Callable[[], int]) -> Worker:
    @asynccontextmanager
    async def open_session() -> AsyncIterator[Step | None]:
        async with open_book() as book:
            yield None if book is None else Timekeeper(book, arena, await book.read_mark(), now_ms=now_ms).step

    return Worker(name=TIMEKEEPER.name, open=open_session)


def _expiry(game: Game, clock: RunningClock, now_ms: int) -> GameCommand:
    """Build the command; its id follows from the decision, so that it is not doubled when it is sent again."""
    subject = f"expiry of {clock.decision} of seat {clock.seat} since {clock.since_ms}"
    return GameCommand(
        id=derive_command(game.id, subject, secret=game.chance.secret),
        stream=game.id,
        at_ms=now_ms,
        actor=ByClock(),
        event=ClockExpired(seat=clock.seat, decision=clock.decision),
    )


def _pause_ending(game: Game, now_ms: int) -> GameCommand:
    return GameCommand(
        id=derive_command(game.id, f"end of the pause since {game.paused_ms}", secret=game.chance.secret),
        stream=game.id,
        at_ms=now_ms,
        actor=ByClock(),
        event=PauseEnded(seat=None),
    )


def _giving_back(game: Game, absences: Sequence[Absence], now_ms: int) -> GameCommand | None:
    """Build the command, or return None where the game has lost nothing that it did not get back."""
    lost_ms = count_lost_ms(game, absences, now_ms)
    if lost_ms == 0:
        return None
    reason = f"the server was away for {round(lost_ms / 1_000)} s"
    return GameCommand(
        # At a version of a game time is given back once.
        id=derive_command(game.id, f"giving back at {game.version}", secret=game.chance.secret),
        stream=game.id,
        at_ms=now_ms,
        actor=ByClock(),
        event=ClockExtended(seats=list_playing(game), ms=lost_ms, reason=reason),
    )


def _batches(games: Sequence[GameId]) -> Iterator[Sequence[GameId]]:
    for first in range(0, len(games), TOGETHER_MAX):
        yield games[first : first + TOGETHER_MAX]


async def _together(looks: Iterable[Coroutine[None, None, None]]) -> None:
    """Await all of them, and raise the exception of the first to fail."""
    for result in await asyncio.gather(*looks, return_exceptions=True):
        if isinstance(result, BaseException):
            raise result
