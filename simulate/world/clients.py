"""Clients of a simulated installation: they send each command until it has an answer, to any node.

The answers of nodes are kept in `Answers`, for the checkers.
"""

import asyncio
from collections.abc import Awaitable, Callable
from random import Random
from typing import Any, TypeVar
from uuid import UUID

from msgspec import Struct, field

from domain.game.commands import GameCommand
from domain.game.decide import decide
from domain.ids import CommandId, StreamId, StreamVersion
from domain.log.command import Command
from domain.rejection import Rejection
from domain.tournament.commands import TournamentCommand
from domain.tournament.decide import decide as decide_tournament
from infra.event_store import READ_LINES_MAX
from infra.store_faults import StoreUnavailable
from services.commands.arena import Arena
from services.commands.tournaments import Tournaments
from services.commands.turns import TooManyWaiting
from services.commands.write_path import StreamContended, Written
from simulate.stores.event_store import MemoryEventStore
from simulate.world.database import run_at_once
from simulate.world.faults import Weather
from simulate.world.node import Node, Parts

T = TypeVar("T")
# A client waits so long for an answer, then asks another node.
ANSWER_TIMEOUT_S = 4.0
# After these the same command may be sent again.
AGAIN = (StoreUnavailable, StreamContended, TooManyWaiting)
ATTEMPTS_MAX = 200
# A connection that is cut ends so soon after the request, before or after its answer.
CUT_S_MAX = 0.5


class NoAnswer(Exception):
    """The request or its answer was lost."""


class Answers(Struct, kw_only=True):
    """The answers to commands. Of a rejected one, the lines that its stream had when the server began with it.

    An attempt before, which went unanswered, may be accepted after that: it was received earlier.
    """

    accepted: dict[tuple[StreamId, CommandId], list[Written]] = field(default_factory=dict)
    rejected: dict[tuple[StreamId, CommandId], int] = field(default_factory=dict)
    # Rejections that the stored head of then does not give.
    unjust: list[str] = field(default_factory=list)


class Judge:
    """Decides commands again, on the log itself: for one that was rejected while the log stood still."""

    def __init__(self, log: MemoryEventStore, arena: Arena, tournaments: Tournaments) -> None:
        self._log = log
        self._arena = arena
        self._tournaments = tournaments

    def count_lines(self, stream: StreamId) -> int:
        return len(run_at_once(self._log.read_stream(stream, after=StreamVersion(0), limit=READ_LINES_MAX)))

    def allows(self, command: Command) -> bool:
        try:
            match command:
                case GameCommand():
                    decide(run_at_once(self._arena.load(command.stream)), command)
                case TournamentCommand():
                    decide_tournament(run_at_once(self._tournaments.load(command.stream)), command)
                case _:
                    return False
        except Rejection:
            return False
        return True


class Clients:
    """The way of all clients to the nodes."""

    def __init__(self, nodes: list[Node], weather: Weather, numbers: Random, judge: Judge) -> None:
        self.nodes = nodes
        self.answers = Answers()
        self.numbers = numbers
        self._weather = weather
        self._judge = judge

    def new_id(self) -> str:
        return str(UUID(bytes=self.numbers.randbytes(16), version=4))

    async def read(self, work: Callable[[Parts], Awaitable[T]]) -> T:
        """Ask any nodes until one answers. Raises a Rejection."""
        for _ in range(ATTEMPTS_MAX):
            try:
                return await self.ask(self.numbers.choice(self.nodes), work)
            except (NoAnswer, *AGAIN):
                await asyncio.sleep(self.numbers.uniform(0.1, 0.6))
        raise AssertionError("no node answers")

    async def send(self, build: Callable[[int], Command], path: Callable[[Parts], Any]) -> Written | None:
        """Send a command until it is accepted, or rejected; `build` gets the time of receipt."""
        sent, before = build(0), 0
        key = (sent.stream, sent.id)

        async def handle(parts: Parts) -> Written:
            nonlocal sent, before
            sent, before = build(parts.now_ms()), self._judge.count_lines(key[0])
            written: Written = await path(parts).handle(sent)
            return written

        try:
            written = await self.read(handle)
        except Rejection as rejected:
            self.answers.rejected[key] = before
            if before == self._judge.count_lines(key[0]) and self._judge.allows(sent):
                self.answers.unjust.append(f"{sent.type} was rejected by {rejected}, and the log allows it")
            return None
        self.answers.accepted.setdefault(key, []).append(written)
        return written

    async def ask(self, node: Node, work: Callable[[Parts], Awaitable[T]]) -> T:
        """Ask one node once. Raises NoAnswer, and the exceptions of the work."""
        loop, weather = asyncio.get_running_loop(), self._weather
        await asyncio.sleep(weather.delay_s(loop.time(), node.number, "clients cut"))
        task = node.call(work)
        if task is None:
            raise NoAnswer
        if weather.is_hit(loop.time(), node.number, "clients cut") and self.numbers.choice((True, False)):
            # The request arrives twice, as where a proxy tries again.
            await self._wait(node.call(work))
        is_cut = weather.is_hit(loop.time(), node.number, "clients cut")
        result: T = await self._wait(task, for_s=self.numbers.uniform(0, CUT_S_MAX) if is_cut else ANSWER_TIMEOUT_S)
        if is_cut:
            raise NoAnswer
        await asyncio.sleep(weather.delay_s(loop.time(), node.number, "clients cut"))
        return result

    async def _wait(self, task: "asyncio.Task[Any] | None", *, for_s: float = ANSWER_TIMEOUT_S) -> Any:
        if task is None:
            raise NoAnswer
        done, _ = await asyncio.wait([task], timeout=for_s)
        if not done:
            # The node gives the request up, as a server that stops does with those under way.
            task.cancel()
        if not done or task.cancelled():
            raise NoAnswer
        return task.result()
