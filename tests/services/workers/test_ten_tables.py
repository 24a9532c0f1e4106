"""Ten tables over a real server: filled by links and house bots, abandoned, taken back, stopped, played again.

A day and a night later no game stands in the list that can never start, or that waits for players who are gone.
"""

import asyncio
import json
import secrets
import time
from hashlib import sha256
from random import Random
from typing import Any

from msgspec.structs import replace

from domain.rulesets.chariot_race.kit import kit as chariot_race
from spina_client.bot import Bot, play_seat
from spina_client.client import Client, ClockTerms, StandIn, Terms, register
from spina_client.connection import Connection, connected
from spina_client.ids import Seat
from spina_client.seat import SeatAt
from spina_client.seat_secrets import build_seat_secrets
from spina_client.seen import GameSeen, ListedGame
from spina_players.bots.player import read_bot
from tests.database import Database
from tests.infra.embedded.conditions import eventually
from tests.services.listening import listening

# A race that nobody watches: the house needs no time of a person.
KIT = replace(chariot_race.KIT, think_ms=100)
HOUSE = {"kind": "house", "bot": "careful"}
RACE: dict[str, Any] = {"ruleset": KIT.reference, "seats": 2, "options": {"rounds_max": 2}}
# No player of these tables needs so long, also where the machine is busy; absent ones are soon found out.
BRIEF = {"clock": ClockTerms(per_decision_ms=3_000, bank_ms=0), "stand_in": StandIn(bot="careful", after=1)}
PATIENCE_S = 60.0
TWO_DAYS_MS = 2 * 24 * 3_600_000


class Clock:
    """The time of day, which a test moves on."""

    ahead_ms = 0

    def now_ms(self) -> int:
        return time.time_ns() // 1_000_000 + self.ahead_ms


class Player:
    """A player at one table."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.at: SeatAt

    async def open(self, **terms: Any) -> "Player":
        """Open a table and sit down."""
        game = (await self.client.open_game(Terms(**{**RACE, **terms}))).game
        self.at = SeatAt(self.client, game, Seat(0), build_seat_secrets())
        await self.at.take()
        return self

    async def join(self, host: "Player", *, invitation: str | None = None) -> "Player":
        self.at = SeatAt(self.client, host.at.game, Seat(1), build_seat_secrets())
        await self.at.take(invitation=invitation)
        return self

    async def offer(self, to: dict[str, str] | None) -> None:
        await self.client.post(f"/v1/games/{self.at.game}/offers", {"seat": 1, "to": to})

    async def begin(self) -> "Player":
        await eventually(lambda: self.has(lambda seen: all(seat.status == "held" for seat in seen.seats)))
        await self.at.ready()
        return self

    async def play(self) -> GameSeen:
        numbers = Random(int(self.at.seat))  # noqa: S311  the same choices in every run
        return await play_seat(self.at, Bot(choose=read_bot(KIT, "careful"), numbers=numbers))

    async def has(self, is_so: Any) -> bool:
        return bool(is_so(await self.at.read()))


class Club:
    """The players of one server."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    async def meet(self, name: str) -> Player:
        return Player(Client(self.connection, await register(self.connection, name)))

    async def beside_a_house_bot(self) -> GameSeen:
        ada = await (await self.meet("Ada")).open(offers=(None, HOUSE))
        return await (await ada.begin()).play()

    async def with_a_house_bot_that_was_sent_away(self) -> GameSeen:
        ada = await (await self.meet("Ada")).open()
        await ada.offer(HOUSE)
        await eventually(lambda: ada.has(lambda seen: seen.seats[1].status == "held"))
        await ada.offer(None)
        return await self._race(ada, await (await self.meet("Bea")).join(ada))

    async def by_a_link(self) -> GameSeen:
        secret = secrets.token_hex(32)
        link = {"kind": "link", "hash": sha256(bytes.fromhex(secret)).hexdigest()}
        ada = await (await self.meet("Ada")).open(offers=(None, link), visibility="private")
        return await self._race(ada, await (await self.meet("Bea")).join(ada, invitation=secret))

    async def played_again(self) -> GameSeen:
        ada = await (await self.meet("Ada")).open()
        bea = await (await self.meet("Bea")).join(ada)
        ended = await self._race(ada, bea)
        opened = await ada.client.post(f"/v1/games/{ended.id}/rematch", {})
        for player, seat in ((ada, 1), (bea, 0)):
            player.at = SeatAt(player.client, opened.game, Seat(seat), build_seat_secrets())
            await player.at.take()
        return await self._race(ada, bea)

    async def abandoned(self) -> GameSeen:
        ada = await (await self.meet("Ada")).open(offers=(None, HOUSE), **BRIEF)
        await ada.begin()
        await eventually(lambda: ada.has(lambda seen: seen.is_over), within_s=PATIENCE_S)
        lines = [json.loads(line) async for line in ada.client.read_events(ada.at.game)]
        # The stand-in plays at a person's pace beside house bots, not at that of a race to be watched. The house bot of
        # a busy machine may be late once too.
        expired = [line["data"]["seat"] for line in lines if line["type"] == "clock_expired"]
        assert expired.count(0) == 1
        return await ada.at.read()

    async def taken_back(self) -> GameSeen:
        ada = await (await self.meet("Ada")).open(**{**BRIEF, "options": {"rounds_max": 6}})
        bea = await (await self.meet("Bea")).join(ada)
        await asyncio.gather(ada.begin(), bea.begin())
        await eventually(
            lambda: ada.has(lambda seen: seen.seats[0].is_handed or seen.seats[1].is_handed), within_s=PATIENCE_S
        )
        ended, _ = await asyncio.gather(ada.play(), bea.play())
        return ended

    async def stopped(self) -> GameSeen:
        ada = await (await self.meet("Ada")).open()
        bea = await (await self.meet("Bea")).join(ada)
        await asyncio.gather(ada.begin(), bea.begin())
        await asyncio.gather(ada.at.consent("end"), bea.at.consent("end"))
        return await ada.at.read()

    async def never_filled(self) -> GameSeen:
        return await (await (await self.meet("Ada")).open()).at.read()

    async def never_ready(self) -> GameSeen:
        ada = await (await self.meet("Ada")).open()
        await (await self.meet("Bea")).join(ada)
        await ada.at.ready()
        return await ada.at.read()

    async def left_beside_a_house_bot(self) -> GameSeen:
        ada = await (await self.meet("Ada")).open(offers=(None, HOUSE))
        await ada.begin()
        await eventually(lambda: ada.has(lambda seen: seen.status == "running"))
        return await ada.at.read()

    async def list_unfinished(self) -> list[ListedGame]:
        client = (await self.meet("Reader")).client
        return [game async for game in client.list_games(pages_max=1) if game.status in ("open", "running")]

    async def _race(self, ada: Player, bea: Player) -> GameSeen:
        await asyncio.gather(ada.begin(), bea.begin())
        ended, _ = await asyncio.gather(ada.play(), bea.play())
        return ended


async def test_nothing_is_left_in_the_list_that_can_never_start(database: Database) -> None:
    clock = Clock()
    async with listening(database, now_ms=clock.now_ms, kits=(KIT,)) as url, connected(url) as connection:
        club = Club(connection)
        ended = await asyncio.gather(
            club.beside_a_house_bot(),
            club.with_a_house_bot_that_was_sent_away(),
            club.by_a_link(),
            club.played_again(),
            club.abandoned(),
            club.taken_back(),
            club.stopped(),
            club.never_filled(),
            club.never_ready(),
            club.left_beside_a_house_bot(),
        )
        clock.ahead_ms = TWO_DAYS_MS

        await eventually(lambda: is_empty(club))

    assert [game.status for game in ended[:7]] == ["finished"] * 6 + ["aborted"]
    assert [game.status for game in ended[7:]] == ["open", "open", "running"]


async def is_empty(club: Club) -> bool:
    return not await club.list_unfinished()
