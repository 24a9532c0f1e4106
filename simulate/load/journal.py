"""The journal of a load: every acknowledged command, every line that a reader was shown, every player who gave up."""

import asyncio
import time
from asyncio.subprocess import Process
from itertools import pairwise
from pathlib import Path
from signal import SIGKILL

import msgspec
from msgspec import Struct

from infra.embedded.logs import tail
from spina_client.connection import Request
from spina_client.ids import CommandId, GameId
from spina_client.seen import Accepted

HEALED_WITHIN_S = 180.0
LOOK_EVERY_S = 0.1


class Acked(Struct, frozen=True, kw_only=True, tag="acked"):
    """An acknowledged command: the request, and the answer on which its player relies. No seat opens a game."""

    request: Request
    command: CommandId
    seat: int | None
    answer: Accepted
    at_s: float
    # With all the client's repetitions.
    took_s: float


class Shown(Struct, frozen=True, kw_only=True, tag="shown"):
    """A line that a reader was shown; `stream` counts those that it had opened for the game before."""

    game: GameId
    reader: int
    stream: int
    version: int
    hash: str


class GaveUp(Struct, frozen=True, kw_only=True, tag="gave_up"):
    """A player whom the server refused, or whom it did not answer in time; game and seat are null before a game."""

    game: GameId | None = None
    seat: int | None = None
    reason: str


Entry = Acked | Shown | GaveUp


class LoadEnded(Exception):
    """A process of players and readers ended by itself."""

    def __init__(self, log: Path) -> None:
        super().__init__(
            f"expected players who play on, found the end of their process; the end of its log:\n{tail(log)}"
        )


class NotHealed(Exception):
    """The servers, or the play at them, do not go on in time."""

    def __init__(self, expected: str, within_s: float) -> None:
        super().__init__(f"expected {expected} within {within_s:g} s, found none")


class Journal:
    def __init__(self) -> None:
        self.acked: list[Acked] = []
        self.shown: list[Shown] = []
        self.gave_up: list[GaveUp] = []

    @property
    def games(self) -> tuple[GameId, ...]:
        """The games in the order of their opening."""
        return tuple(dict.fromkeys(command.answer.game for command in self.acked))

    def note(self, entry: Entry) -> None:
        match entry:
            case Acked():
                self.acked.append(entry)
            case Shown():
                self.shown.append(entry)
            case GaveUp():
                self.gave_up.append(entry)

    async def read(self, process: Process, log: Path) -> None:
        """Read the journal of a process until it is killed. Raises LoadEnded."""
        assert process.stdout is not None, "asked for at its start"
        async for line in process.stdout:
            self.note(msgspec.json.decode(line, type=Entry))
        if await process.wait() != -SIGKILL:
            raise LoadEnded(log)

    async def wait_for_command(self, after_s: float, *, within_s: float = HEALED_WITHIN_S) -> None:
        """Wait until a command was acknowledged after this moment. Raises NotHealed."""
        until_s = time.monotonic() + within_s
        while not any(acked.at_s > after_s for acked in self.acked[-100:]):
            if time.monotonic() > until_s:
                raise NotHealed("an acknowledged command", within_s)
            await asyncio.sleep(LOOK_EVERY_S)

    def longest_pause_s(self, from_s: float) -> float:
        """Return the longest time without an acknowledged command since just before a moment."""
        times = sorted(command.at_s for command in self.acked)
        recent = [max((at for at in times if at <= from_s), default=from_s), *(at for at in times if at > from_s)]
        return max((after - before for before, after in pairwise(recent)), default=0.0)
