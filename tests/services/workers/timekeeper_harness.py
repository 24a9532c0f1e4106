"""Many games with clocks, and their timekeepers, for tests: time passes when the test states so."""

from typing import Any
from uuid import uuid4

from msgspec.structs import replace

from domain.canonical import encode
from domain.game.commands import GameCommand
from domain.game.custody import seal_opening
from domain.game.events import ClockTerms, ConsentGiven, InputEvent, SeatReadied, SeatTaken
from domain.game.state import Game, Opening
from domain.ids import CommandId, GameId, Seat, StreamId, StreamVersion
from domain.log.actors import ByPlayer
from domain.log.record import Line, parse_line
from infra.clock_book import ClockBook
from infra.event_store import EventStore
from services.workers.timekeeper import Timekeeper
from simulate.stores.clock_book import MemoryClockBook
from simulate.stores.event_store import MemoryEventStore
from tests.domain.game.game_harness import NOON, PLAYERS, SALT, opening, with_clock
from tests.services.commands.test_arena import arena_on

SECOND = 1_000
# A beat a second, as in a server that works.
STRIDE_MS = 500
LINES_MAX = 5_000


class Hall:
    """`book` and `store` outlive every session and every process; `restart` begins new ones."""

    def __init__(self, store: EventStore, book: ClockBook) -> None:
        self.now_ms = NOON
        self.store = store
        self.book = book
        self.arena = arena_on(store)
        self.timekeeper: Timekeeper | None = None
        self._games = 0

    async def open(self, *, clock: ClockTerms | None = None, seats: int = 2) -> GameId:
        """Open a game and start it: a minute for each decision and a bank of two, unless set otherwise."""
        game = await self.seat(clock=clock, seats=seats)
        for seat in range(seats):
            await self.arena.handle(self.readiness(game, seat))
        return game

    async def seat(self, *, clock: ClockTerms | None = None, seats: int = 2) -> GameId:
        """Open a game and take its seats, none of which is ready."""
        self._games += 1
        game = GameId(StreamId(f"0199c0de-0000-7000-8000-{self._games:012d}"))
        terms = {"clock": clock or with_clock(), "seats": seats, "at_ms": self.now_ms}
        await self.arena.handle(opening(id=CommandId(game), stream=game, **terms))
        for seat in range(seats):
            taken = SeatTaken(seat=Seat(seat), player=PLAYERS[seat], anchor=None, links=0, key=None)
            await self.arena.handle(self._command(game, seat, taken))
        return game

    def readiness(self, game: GameId, seat: int) -> GameCommand:
        return self._command(game, seat, SeatReadied(seat=Seat(seat), nonce=None))

    async def entrust(self, game: GameId, seat: int) -> None:
        """Give a seat's default action."""
        await self.arena.handle(await self.choice(game, seat))

    async def seal(self, game: GameId, seat: int) -> None:
        """Choose the same in the seat's own custody."""
        await self.arena.handle(replace(await self.choice(game, seat), entrusted=None))

    async def choice(self, game: GameId, seat: int) -> GameCommand:
        found = await self.arena.read_newest(game)
        owed = next(owed.decision for owed in found.owed if owed.decision.seat == seat)
        action = encode(found.ruleset.default_action(found.board, owed))
        opening = Opening(seat=Seat(seat), action=action, salt=SALT, link=None)
        return replace(self._command(game, seat, seal_opening(game, owed.id, opening)), entrusted=opening)

    async def pause(self, game: GameId, seats: int = 2) -> None:
        """Stop the clocks by consent of all."""
        for seat in range(seats):
            await self.arena.handle(self._command(game, seat, ConsentGiven(seat=Seat(seat), to="pause")))

    def _command(self, game: GameId, seat: int, event: InputEvent) -> GameCommand:
        return GameCommand(
            id=CommandId(str(uuid4())),
            stream=game,
            at_ms=self.now_ms,
            actor=ByPlayer(player=PLAYERS[seat]),
            event=event,
        )

    async def work(self, seconds: float = 0) -> None:
        """Keep the clocks for so long, as one process does that is always there."""
        end_ms = self.now_ms + round(seconds * SECOND)
        while True:
            await self.step()
            if self.now_ms >= end_ms:
                return
            self.now_ms = min(end_ms, self.now_ms + STRIDE_MS)

    async def step(self) -> None:
        if self.timekeeper is None:
            mark = await self.book.read_mark()
            self.timekeeper = Timekeeper(self.book, self.arena, mark, now_ms=lambda: self.now_ms)
        await self.timekeeper.step()

    def wait(self, seconds: float) -> None:
        """Let time pass without a timekeeper."""
        self.now_ms += round(seconds * SECOND)

    def restart(self) -> None:
        """Begin anew from the store, as after a crash."""
        self.arena = arena_on(self.store)
        self.timekeeper = None

    async def read(self, game: GameId) -> Game:
        return await self.arena.load(game)

    async def raws(self, game: GameId) -> list[bytes]:
        return await self.store.read_stream(game, after=StreamVersion(0), limit=LINES_MAX)

    async def lines(self, game: GameId, *types: str) -> list[Line]:
        """Read the lines of these types."""
        found = [parse_line(raw) for raw in await self.raws(game)]
        return [line for line in found if line.type in types]

    async def expiries(self, game: GameId) -> list[tuple[Any, Any]]:
        """Describe which seats ran out of time, and how many seconds after noon."""
        return [(line.data["seat"], line.at[14:19]) for line in await self.lines(game, "clock_expired")]


def no_bank(seconds: int = 60) -> ClockTerms:
    return replace(with_clock(seconds), bank_ms=0)


def new_hall(store: MemoryEventStore | None = None) -> Hall:
    store = store or MemoryEventStore()
    return Hall(store, MemoryClockBook(store))
