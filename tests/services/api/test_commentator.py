"""A commentator sees within the delay what all see after it, by which surfaces, and no hand: with a look on record."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from domain.accounts.account import Account
from domain.game.evolve import settle
from domain.ids import PlayerId, StreamId, StreamVersion
from domain.rulesets.released import KITS
from infra.keys import MasterKey
from services.commands.table_games import TableAt, build_opening
from services.live.messages import End, Frame
from services.live.reader import Reader
from services.node.live import built_live
from services.reading.access import Caller
from tests.database import Database
from tests.domain.rulesets.charioteer.games import random_action
from tests.domain.tournament.tournament_harness import ORGA
from tests.services.api.player import Player, expect, register
from tests.services.api.server import Api, running_api
from tests.services.api.surfaces import WRONG, Surfaces, Told, all_surfaces
from tests.services.api.test_every_surface import publish, read_legal
from tests.services.live.node import pace

CUP = "0199c0de-0000-7000-8000-00000000c0b0"
DELAY_S = 60
SECRET = "5e" * 32
TERMS: dict[str, Any] = {
    "command": CUP,
    "name": "Consualia",
    "ruleset": "charioteer@1",
    "format": {"kind": "score", "rounds": 1},
    "tables": {"min": 2, "max": 2, "preferred": 2},
    "demands": [],
    "delay_s": DELAY_S,
}
# The surfaces on which a look ends the delay; every other one is as late for a commentator as for all.
AT_ONCE = re.compile(
    r"game at \d+|proof of \d+|boards from \d+|frame \d+|/events|/chronicle|/bundle|/audit|ndjson|\?(seat|at)=\d+"
)


class Hall(Struct, frozen=True, kw_only=True):
    """A table of two whose game is played within its delay, and Eve, who comments."""

    api: Api
    surfaces: Surfaces
    organiser: Player
    ada: Player
    bob: Player
    eve: Player

    async def act(self, player: Player, do: str, **fields: Any) -> None:
        await expect(player.post(f"/tournaments/{CUP}/{do}", {"command": player.next_id(), **fields}), 200)

    async def rule(self, ruling: str, **fields: Any) -> None:
        await self.act(self.organiser, "rulings", ruling=ruling, reason="as seen by all", **fields)

    async def tell(self, player: Player) -> dict[str, Told]:
        return await self.surfaces.tell(player, others=(self.ada, self.bob))

    async def tell_all(self) -> dict[str, Told]:
        return await self.tell(Player(self.api, None, game=self.surfaces.game))

    async def look(self) -> None:
        await self.act(self.eve, "looks", round=1, table=1, attempt=1)

    async def move(self, player: Player) -> None:
        """Let a player seal a legal move, in the server's custody."""
        newest = await self.api.parts.games.histories.read_newest(self.surfaces.game, "secret")
        game = settle(newest)
        owed = next(due.decision for due in game.owed if due.decision.seat == player.seat)
        action = random_action(read_legal(game, owed), Random(67))  # noqa: S311  the same play in every run
        await expect(player.entrust(owed.id, msgspec.to_builtins(action)), 200)


@asynccontextmanager
async def hall(database: Database, folder: Path) -> AsyncIterator[Hall]:
    async with running_api(database, kits=KITS) as api:
        organiser = Player(api, await api.create_account(Account(id=ORGA, name="Orga", role="organiser")), number=9)
        ada, bob, eve = [await register(api, name, number=place) for place, name in enumerate(("Ada", "Bob", "Eve"), 1)]
        await expect(organiser.post("/tournaments", TERMS), 201)
        parts = api.parts
        async with all_surfaces(api) as surfaces:
            held = Hall(api=api, surfaces=surfaces, organiser=organiser, ada=ada, bob=bob, eve=eve)
            for entrant, player in enumerate((ada, bob)):
                await held.act(player, "entries", entrant=entrant, anchor=None, links=0)
            await held.rule("helper_invited", role="commentator", link=sha256(bytes.fromhex(SECRET)).hexdigest())
            await held.act(eve, "helpers", helper=0, key=None, invitation=SECRET)
            await held.act(organiser, "rounds", round=1)
            for entrant, player in enumerate((ada, bob)):
                await held.act(player, "check-ins", entrant=entrant, round=1, nonce=None)
            tournament = await parts.tournaments.histories.read_newest(StreamId(CUP))
            table = tournament.rounds[0].tables[0]
            at = TableAt(tournament=tournament, round=1, table=table)
            await parts.carry_out(build_opening(at, at_ms=api.clock.now_ms, random_bytes=parts.random_bytes))
            surfaces.game = table.game
            seats = [(ada, bob)[entrant] for entrant in table.entrants]
            for player in (ada, bob, eve):
                player.game = table.game
            for seat, player in enumerate(seats):
                await expect(player.take(seat), 200)
            for player in seats:
                await expect(player.ready(), 200)
            api.clock.now_ms += (DELAY_S + 1) * 1000
            await held.move(ada)
            await held.move(bob)
            await held.move(ada)
            await publish(api, database, folder)
            yield held


def contents(told: dict[str, Told], *, at_once: bool) -> dict[str, tuple[int, bytes]]:
    return {
        name: (each.status, each.content)
        for name, each in told.items()
        if (AT_ONCE.fullmatch(name) is not None) == at_once
    }


async def test_a_look_shows_by_the_reads_of_one_game_what_all_see_after_the_delay_and_by_no_other(
    database: Database, tmp_path: Path
) -> None:
    async with hall(database, tmp_path) as held:
        early = await held.tell_all()
        before = await held.tell(held.eve)
        await held.look()
        within = await held.tell(held.eve)
        still = await held.tell_all()
        held.api.clock.now_ms += (DELAY_S + 1) * 1000
        after = await held.tell_all()

    assert contents(before, at_once=True) == contents(early, at_once=True)
    assert contents(within, at_once=True) == contents(after, at_once=True)
    assert len(within) > len(before)
    assert contents(within, at_once=False) == contents(before, at_once=False)
    assert still == early


async def test_a_look_shows_no_hand_as_a_server_that_could_open_no_secret_shows_the_same(
    database: Database, tmp_path: Path
) -> None:
    async with hall(database, tmp_path) as held:
        await held.look()
        told = await held.tell(held.eve)
        now_ms, game = held.api.clock.now_ms, held.surfaces.game

    async with (
        running_api(database, kits=KITS, key=MasterKey(bytes(32))) as blind,
        all_surfaces(blind, game) as surfaces,
    ):
        blind.clock.now_ms = now_ms
        held.eve.api = blind
        same = await surfaces.tell(held.eve, others=(held.ada, held.bob), office=WRONG)

    assert contents(same, at_once=True) == contents(told, at_once=True)


async def pull_version(reader: Reader) -> StreamVersion:
    frame = (await reader.pull())[-1]
    assert isinstance(frame, Frame)
    return frame.version


async def test_the_stream_of_a_commentator_who_is_dismissed_ends_and_comes_again_behind_the_delay(
    database: Database, tmp_path: Path
) -> None:
    async with hall(database, tmp_path) as held:
        await held.look()
        eve, game = Caller(player=PlayerId(held.eve.id)), held.surfaces.game
        async with built_live(held.api.parts, None, pace(look_s=0.01)) as live:
            reader = await live.hub.join(game, eve)
            newest = await pull_version(reader)
            await held.rule("helper_dismissed", helper=0)
            ended = await reader.pull()
            live.hub.leave(reader)
            again = await live.hub.join(game, eve)
            late = await pull_version(again)
            live.hub.leave(again)

    assert ended == (End(reason="restarting"),)
    assert late < newest
