"""A small real tournament on a real server, for browsers that look at it: played over the API, by resigning."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

import asyncpg
import httpx2

from domain.accounts.account import Account as StoredAccount
from domain.ids import OrganiserId
from infra.postgres.accounts import create_account
from spina_client.client import Client, register
from spina_client.connection import Connection, connected
from spina_client.formats import Json
from spina_client.ids import PlayerId, Seat
from spina_client.problems import Refused
from spina_client.seat import SeatAt
from spina_client.seat_secrets import SeatSecrets
from spina_client.seen import Account
from spina_client.tournament import TournamentAt, open_tournament
from spina_client.tournament_seen import TableSeen
from tests.database import Database
from tests.services.listening import listening

ORGA = OrganiserId("0199c0de-0000-7000-8000-0000000000f0")
# Markup, letters that run the other way, the longest name there may be, and pictures.
LONGEST = "W" * 80
HOSTILE = ("<script>alert(1)</script>", "אבג (ludus)", LONGEST, "🐎🏆 Zoë")
NAMES = (*HOSTILE, "Ada", "Bob", "Cem")
ADA, BOB, CEM = (NAMES.index(name) for name in ("Ada", "Bob", "Cem"))
CUP_NAME = "Consualia <b>& Sons</b>, the cup of the towns on the river 🏆"
PATIENCE_S = 20.0
# A viewer of a running tournament sees each change by then.
LOOK_MS_MAX = 10_000
PAUSE_S = 0.05


class CupStage:
    """The tournament goes on when a test states so. Entrants are `NAMES`, by number."""

    def __init__(self, url: str, token: str, cup: TournamentAt, players: Sequence[TournamentAt]) -> None:
        self.url = url
        self.token = token
        self.cup = cup
        self.players = tuple(players)
        self.page = f"{url}/tournaments/{cup.tournament}"

    async def open_another(self, *names: str, **terms: Json) -> "CupStage":
        """Open another tournament beside it, entered by other players."""
        return await _open(self.cup.client.connection, self.token, names, terms)

    async def read(self, path: str = "") -> Any:
        """Read the API's answer about the tournament, as it stands."""
        return await self.ask(f"{self.cup.path}{path}")

    async def ask(self, path: str) -> Any:
        async with httpx2.AsyncClient(timeout=PATIENCE_S) as client:
            return (await client.get(self.url + path)).json()

    async def enter(self, name: str) -> int:
        """Enter another player, and return the number."""
        client = Client(self.cup.client.connection, await register(self.cup.client.connection, name))
        await TournamentAt(client, self.cup.tournament).enter()
        return (await self.cup.read()).entries - 1

    async def draw(self, *, without: Sequence[int] = ()) -> None:
        """Call the next round; all check in but these, who withdraw."""
        await self.cup.call_round((await self.cup.read()).round + 1)
        await self.check_in(without=without)

    async def check_in(self, *, without: Sequence[int] = ()) -> None:
        for number, player in enumerate(self.players):
            seen = await player.read_next()
            assert seen is not None, "a server that answers knows what is next"
            if number in without:
                await player.withdraw(seen)
            elif seen.what == "check_in":
                await player.check_in(seen)

    async def rule(self, ruling: str, **fields: Json) -> int:
        """Rule as the organiser, and return where the ruling stands."""
        return (await self.cup.rule(ruling, fields)).first_version

    async def tables(self) -> tuple[TableSeen, ...]:
        return (await self.cup.read_pairings()).items[-1].tables

    async def finish(self, number: int) -> None:
        """Play a table to its end: all but its first seat give up, the last seat first."""
        table = (await self.tables())[number - 1]
        seats = [await self.sit(table, place) for place in range(len(table.seats))]
        for seat in seats:
            await seat.ready()
        for seat in reversed(seats[1:]):
            await seat.resign()
        seen = await self.cup.read()
        while (await self.tables())[number - 1].status == "awaited":
            seen = await self.cup.wait_on(seen.version)

    async def sit(self, table: TableSeen, place: int) -> SeatAt:
        """Sit down as soon as the steward has opened the game."""
        account = table.seats[place].player
        client = next(player.client for player in self.players if player.client.account.id == account)
        seat = SeatAt(client, table.game, Seat(place), SeatSecrets())
        while True:
            try:
                await seat.take()
            except Refused as refused:
                if refused.problem.code != "no-such-game":
                    raise
                await asyncio.sleep(PAUSE_S)
            else:
                return seat


@asynccontextmanager
async def staged_cup(database: Database, **terms: Json) -> AsyncIterator[CupStage]:
    """Serve, with a tournament that all players have entered."""
    async with listening(database) as url, connected(url) as connection:
        token = await build_organiser(database)
        yield await _open(connection, token, NAMES, terms)


@asynccontextmanager
async def staged_round(database: Database) -> AsyncIterator[CupStage]:
    """Serve, in round 1: one table has been played, at the other one sits the first; Cem has withdrawn."""
    async with staged_cup(database) as cup:
        await cup.draw(without=[CEM])
        await cup.finish(1)
        await cup.sit((await cup.tables())[1], 0)
        await cup.rule("points_ruled", entrant=ADA, round=1, points=-10, reason="Came late <b>twice</b>.")
        yield cup


TERMS: dict[str, Json] = {
    "name": CUP_NAME,
    "ruleset": "charioteer@1",
    "format": {"kind": "score", "rounds": 2},
    "tables": {"min": 2, "max": 3, "preferred": 3},
    "demands": [],
    # An absent entrant is not told so while the tests run.
    "sit_down_ms": 3_600_000,
}


async def _open(connection: Connection, token: str, names: Sequence[str], terms: Mapping[str, Json]) -> CupStage:
    organiser = Client(connection, Account(id=PlayerId(ORGA), name="Orga", token=token))
    cup = await open_tournament(organiser, {**TERMS, **terms})
    accounts = [await register(connection, name) for name in names]
    # A name that another test of the same server has taken would be another one, in some orders of the tests.
    assert [account.name for account in accounts] == [*names]
    players = [TournamentAt(Client(connection, account), cup.tournament) for account in accounts]
    for player in players:
        await player.enter()
    return CupStage(connection.url, token, cup, players)


async def build_organiser(database: Database) -> str:
    owner = await asyncpg.connect(database.owner_url)
    try:
        return await create_account(owner, StoredAccount(id=ORGA, name="Orga", role="organiser"))
    finally:
        await owner.close()
