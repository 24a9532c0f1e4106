"""The honest company beside two bots in a timed game: eight entrants who check in, and a load balancer that asks."""

import asyncio
import time
from contextlib import suppress
from pathlib import Path

import httpx2
from msgspec import Struct

from domain.rulesets.released import find_kit
from simulate.load.players import GIVEN_UP, Pace
from spina_client.client import Client, register
from spina_client.connection import Connection
from spina_client.formats import Json
from spina_client.seat_secrets import build_seat_secrets
from spina_client.seen import Account
from spina_client.tournament import TournamentAt, open_tournament

ENTRANTS = 8
PACE = Pace(ruleset="chariot-race", think_s=0.1, per_decision_ms=10_000)
CHECK_IN_MS = 10_000
TRY_EVERY_S = 1.0
HEALTH_EVERY_S, HEALTH_TIMEOUT_S = 0.5, 2.0


class Noticed(Struct, kw_only=True):
    checked_in: int = 0
    health_asked: int = 0
    health_failed: int = 0
    memory_bytes: int = 0


async def enter_cup(connection: Connection, organiser: Account) -> tuple[TournamentAt, list[TournamentAt]]:
    kit = find_kit(PACE.ruleset)
    assert kit is not None, "a released ruleset"
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
            async with httpx2.AsyncClient(timeout=HEALTH_TIMEOUT_S) as client:
                answer = await client.get(f"{url}/v1/health")
            noticed.health_failed += answer.status_code != httpx2.codes.OK
        except httpx2.TransportError:
            noticed.health_failed += 1
        noticed.memory_bytes = max(noticed.memory_bytes, read_memory(pid))
        await asyncio.sleep(HEALTH_EVERY_S)


def read_memory(pid: int) -> int:
    """Return the resident bytes of a process."""
    fields = Path(f"/proc/{pid}/status").read_text().split()
    return int(fields[fields.index("VmRSS:") + 1]) * 1024
