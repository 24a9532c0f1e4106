"""The outcome of a load: every check of its journal, of the servers' answers and of the stored games."""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from signal import SIGINT

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from infra.embedded.logs import tail
from infra.embedded.program import stop
from services.audits.audit import HOLDS, UNCHECKED
from simulate.load.checking import check, read_stored, tell
from simulate.load.in_turn import InTurn
from simulate.load.journal import Acked
from simulate.load.run import Run
from simulate.load.running import Installation, Load, start
from spina_client.connection import Connection, connected
from spina_client.problems import AnswerUnreadable, Refused, ServerUnreachable
from spina_client.seen import Accepted

# A checkpoint comes about once a second; under load some seconds late.
PROVEN_WITHIN_S = 60.0
REPEATED_AT_ONCE = 8
# A violation a kind states it; a broken server would fill the screen.
SHOWN_MAX = 20


class Outcome(Struct, frozen=True, kw_only=True):
    """The figures of a run, the number of violations of each kind, and the first of them in sentences."""

    kills: int
    seconds: float
    is_interrupted: bool
    acknowledged: int
    lines: int
    finished: int
    extended: int
    # The reason of each.
    gave_up: tuple[str, ...]
    stayed: int
    streams: int
    checkpoints: int
    counts: dict[str, int]
    violations: tuple[str, ...]

    @property
    def told(self) -> str:
        return (
            f"{self.kills} kills in {self.seconds:.0f} s: {self.acknowledged} acknowledged commands, "
            f"{self.lines} lines, {self.finished} finished games verified, {self.counts['expired']} clocks expired, "
            f"{len(self.gave_up)} players gave up, {self.streams} streams read, "
            f"{self.checkpoints} checkpoints read, {sum(self.counts.values())} violations"
        )

    @property
    def shortfalls(self) -> tuple[str, ...]:
        """List the things of which a run saw none: that they hold was not shown."""
        counts = {
            "acknowledged command": self.acknowledged,
            "finished game": self.finished,
            "player who stayed": self.stayed,
            "stream": self.streams,
            "checkpoint": self.checkpoints,
        }
        return tuple(f"expected a {thing}, found none" for thing, count in counts.items() if not count)


async def judge(at: Installation, load: Load, run: Run) -> Outcome:
    """Check all that was acknowledged and shown against the stored log, the servers and the rules."""
    journal, ledger = load.journal, load.ledger
    stored = await read_stored(at.given["OWNER_DATABASE_URL"])
    found = {
        **check(stored, journal),
        "repeated": [answer async for answer in find_other_answers(at.urls, journal.acked)],
        "ledger": ledger.faults,
        "audit": await audit(at),
        "stopped": [] if run.stopped is None else [run.stopped],
    }
    gave_up = {(attempt.game, attempt.seat): attempt.reason for attempt in journal.gave_up}
    return Outcome(
        kills=run.kills,
        seconds=time.monotonic() - run.begun_s,
        is_interrupted=run.is_interrupted,
        acknowledged=len(journal.acked),
        lines=len(stored.lines),
        finished=stored.types["secret_disclosed"],
        extended=stored.types["clock_extended"],
        gave_up=tuple(gave_up.values()),
        stayed=len(
            {(command.answer.game, command.seat) for command in journal.acked if command.seat is not None}
            - gave_up.keys()
        ),
        streams=len({(shown.game, shown.reader, shown.stream) for shown in journal.shown}),
        checkpoints=ledger.checkpoints,
        counts={kind: len(told) for kind, told in found.items()},
        violations=tuple(f"{kind}: {name}" for kind, told in found.items() for name in told[:SHOWN_MAX]),
    )


async def find_other_answers(urls: Sequence[str], acked: Sequence[Acked]) -> AsyncIterator[str]:
    """Send every command once more; its answer must be the first one, but for the time of its receipt."""
    async with connected(urls[0], transport=InTurn(urls)) as connection:
        for place in range(0, len(acked), REPEATED_AT_ONCE):
            some = acked[place : place + REPEATED_AT_ONCE]
            for name in await asyncio.gather(*(_find_other_answer(connection, each) for each in some)):
                if name is not None:
                    yield name


async def _find_other_answer(connection: Connection, each: Acked) -> str | None:
    request, first = each.request, replace(each.answer, receipt=None)
    try:
        again = msgspec.json.decode(await connection.send(request), type=Accepted)
    except (Refused, ServerUnreachable, AnswerUnreadable) as refused:
        return f"{tell(each)}: expected the first answer again, found {refused}"
    found = replace(again, receipt=None)
    return None if found == first else f"{tell(each)}: expected {first} again, found {found}"


async def audit(at: Installation) -> list[str]:
    """Decide every stored game again with `spina audit`; it waits for the proofs of those that are over."""
    until_s, log = time.monotonic() + PROVEN_WITHIN_S, at.folder / "audit.log"
    while True:
        process = await start(("-m", "services.cli", "audit", "--all", "--processes", "1"), log, **at.given)
        try:
            told, _ = await process.communicate()
        finally:
            await stop(process, (SIGINT,))
        if process.returncode == HOLDS:
            return []
        if process.returncode != UNCHECKED or time.monotonic() > until_s:
            return [f"exit code {process.returncode}", *told.decode().splitlines(), *tail(log).splitlines()]
