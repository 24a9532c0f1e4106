"""The honest company: two bots in a timed game, eight entrants who check in for a round, and a load balancer that asks.

What they noticed is all that counts.
"""

import asyncio
import time
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import httpx
from msgspec import Struct, field

from clients.bots.player import Bot, play_seat, read_bot
from domain.ruleset.kit import Kit
from spina_client.client import Client, ClockTerms, Terms, register
from spina_client.connection import Connection, Request
from spina_client.formats import Json
from spina_client.ids import GameId, Seat
from spina_client.problems import AnswerUnreadable, Refused, ServerUnreachable
from spina_client.seat import SeatAt
from spina_client.seat_secrets import build_seat_secrets
from spina_client.seen import Accepted, Account
from spina_client.tournament import TournamentAt, open_tournament

ENTRANTS = 8
PER_DECISION_MS, CHECK_IN_MS = 10_000, 10_000
THINK_S = 0.1
TRY_EVERY_S = 1.0
HEALTH_EVERY_S, HEALTH_TIMEOUT_S = 0.5, 2.0
GIVEN_UP = (Refused, ServerUnreachable, AnswerUnreadable)


class Noticed(Struct, kw_only=True):
    """Latencies are of commands until they were accepted, with all the client's repetitions."""

    latencies_s: list[float] = field(default_factory=list)
    games: list[GameId] = field(default_factory=list)
    gave_up: int = 0
    checked_in: int = 0
    expired: int = 0
    health_asked: int = 0
    health_failed: int = 0
    memory_bytes: int = 0

    @property
    def p99_ms(self) -> float:
        ordered = sorted(self.latencies_s)
        return ordered[int(len(ordered) * 0.99)] * 1000 if ordered else float("inf")


class TimedSeat(SeatAt):
    """A seat whose commands are timed."""

    def __init__(self, noticed: Noticed, *given: Any) -> None:
        super().__init__(*given)
        self._noticed = noticed

    async def _command(self, *given: Any) -> Accepted:
        begun_s = time.monotonic()
        try:
            return await super()._command(*given)
        finally:
            self._noticed.latencies_s.append(time.monotonic() - begun_s)


async def register_two(connection: Connection) -> list[Client]:
    return [Client(connection, await register(connection, f"Player {place}")) for place in range(2)]


async def seat_two(clients: list[Client], kit: Kit, noticed: Noticed) -> list[SeatAt]:
    """Open a timed game and sit two players down, who are ready."""
    clock = ClockTerms(per_decision_ms=PER_DECISION_MS, bank_ms=0)
    opened = await clients[0].open_game(Terms(ruleset=kit.reference, seats=2, options=dict(kit.short), clock=clock))
    noticed.games.append(opened.game)
    seats = [
        TimedSeat(noticed, client, opened.game, Seat(place), build_seat_secrets())
        for place, client in enumerate(clients)
    ]
    for at in seats:
        await at.take()
    for at in seats:
        await at.ready()
    return list(seats)


async def play(seats: list[SeatAt], kit: Kit, noticed: Noticed, *, think_s: float = THINK_S) -> None:
    """Play one game after the other."""

    async def think() -> None:
        await asyncio.sleep(think_s)

    async def play_one(at: SeatAt) -> None:
        whims = Random(int(at.seat))  # noqa: S311  bots have whims, chance comes from the server
        bot = Bot(choose=read_bot(kit, kit.favourites[0]), numbers=whims, think=think)
        try:
            await play_seat(at, bot)
        except GIVEN_UP:
            noticed.gave_up += 1

    while True:
        await asyncio.gather(*map(play_one, seats))
        seats = await seat_two([each.client for each in seats], kit, noticed)


async def enter_cup(connection: Connection, organiser: Account, kit: Kit) -> tuple[TournamentAt, list[TournamentAt]]:
    terms: dict[str, Json] = {
        "name": "Under attack",
        "ruleset": kit.reference,
        "format": {"kind": "score", "rounds": 1},
        "tables": {"min": 2, "max": 2, "preferred": 2},
        "check_in_ms": CHECK_IN_MS,
    }
    cup = await open_tournament(Client(connection, organiser), terms, build_seat_secrets())
    entrants = []
    for number in range(ENTRANTS):
        account = await register(connection, f"Entrant {number}")
        entrants.append(TournamentAt(Client(connection, account), cup.tournament, build_seat_secrets()))
        await entrants[-1].enter()
    return cup, entrants


async def check_in(cup: TournamentAt, entrants: list[TournamentAt], noticed: Noticed) -> None:
    """Call the round; each entrant tries once a second while there is time."""
    called_s = time.monotonic()

    async def try_once(at: TournamentAt) -> bool:
        try:
            seen = await at.read_next()
            if seen is not None and seen.what == "check_in":
                await at.check_in(seen)
                return True
        except GIVEN_UP:
            pass
        return False

    async def try_on(at: TournamentAt) -> None:
        while time.monotonic() - called_s < CHECK_IN_MS / 1000:
            if await try_once(at):
                noticed.checked_in += 1
                return
            await asyncio.sleep(TRY_EVERY_S)

    with suppress(*GIVEN_UP):
        await cup.call_round(1)
    await asyncio.gather(*map(try_on, entrants))


async def watch(url: str, pid: int, noticed: Noticed) -> None:
    """Ask for health as a load balancer does, each time anew, and weigh the server."""
    while True:
        noticed.health_asked += 1
        try:
            async with httpx.AsyncClient(timeout=HEALTH_TIMEOUT_S) as client:
                answer = await client.get(f"{url}/v1/health")
            noticed.health_failed += answer.status_code != httpx.codes.OK
        except httpx.TransportError:
            noticed.health_failed += 1
        noticed.memory_bytes = max(noticed.memory_bytes, read_memory(pid))
        await asyncio.sleep(HEALTH_EVERY_S)


def read_memory(pid: int) -> int:
    """Return the resident bytes of a process."""
    fields = Path(f"/proc/{pid}/status").read_text().split()
    return int(fields[fields.index("VmRSS:") + 1]) * 1024


async def count_expired(connection: Connection, games: list[GameId]) -> int:
    """Count the clocks that ran out, in the logs."""
    expired = 0
    for game in games:
        after, more = 0, True
        while more:
            asked = Request(method="GET", path=f"/v1/games/{game}/events", token=None, params={"after": after})
            page = await connection.send(asked)
            expired += page.count(b'"type":"clock_expired"')
            after += page.count(b'"version":')
            more = b'"next":null' not in page[-20:]
    return expired
