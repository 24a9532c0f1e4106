"""The exhibition over a real server: finished games from a cold start, played on after an end, its faults its own."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import accumulate, islice, takewhile

import pytest
from msgspec.structs import replace

from domain.ruleset.kit import Kit
from domain.rulesets.chariot_race.kit import kit as chariot_race
from domain.rulesets.charioteer.kit import kit as charioteer
from domain.rulesets.released import KITS
from infra.house_keys import HouseKeys
from infra.ruleset_files import read_words
from spina_client.client import Client, register
from spina_client.connection import Connection, connected
from spina_client.ids import GameId, PlayerId
from spina_client.seen import Account, Status
from spina_players.exhibition.exhibition import SEATS, Exhibition, Venue, list_rests, open_game
from tests.database import Database
from tests.infra.embedded.conditions import eventually
from tests.services.api.server import KEY
from tests.services.listening import listening

# So slow that nothing but the first moves can happen in a test.
SLOW = replace(charioteer.KIT, think_ms=3_600_000, short={"laps": 1})
RACE = replace(chariot_race.KIT, think_ms=3_600_000, short={"rounds_max": 2})
MADE = HouseKeys(KEY).accounts[0]
OPENER = Account(id=PlayerId(MADE.id), name=MADE.name, token=MADE.token)


@asynccontextmanager
async def slow_server(database: Database) -> AsyncIterator[Connection]:
    async with listening(database, kits=(SLOW, RACE)) as url, connected(url) as connection:
        yield connection


@asynccontextmanager
async def exhibiting(server: Connection, *kits: Kit) -> AsyncIterator[None]:
    """Exhibit games of these kits, or those of every exhibition."""
    venue = Venue(url=server.url, opener=OPENER)
    if kits:
        venue = replace(venue, kits=kits)
    exhibition = Exhibition(lambda: venue)
    exhibition.begin()
    try:
        yield
    finally:
        await exhibition.end()


async def test_the_first_game_of_each_is_played_fast_and_the_next_is_under_way(database: Database) -> None:
    async with slow_server(database) as server:
        reader = Client(server, await register(server, "Reader"))

        async with exhibiting(server, SLOW, RACE):
            for status in ("finished", "running"):
                for kit in (SLOW, RACE):
                    await eventually(lambda status=status, kit=kit: _has_shown(reader, kit, status))

            listed = [game async for game in reader.list_games(pages_max=1)]

    assert len(listed) == 4


async def test_the_presets_of_a_ruleset_are_shown_in_turn(database: Database) -> None:
    async with slow_server(database) as server:
        reader = Client(server, await register(server, "Reader"))

        async with exhibiting(server, RACE):
            await eventually(lambda: _has_shown(reader, RACE, "finished"))
            await eventually(lambda: _has_shown(reader, RACE, "running"))

        shown = {game.status: await reader.read_game(game.id) async for game in reader.list_games(pages_max=1)}
    options = {status: game.terms.options for status, game in shown.items()}
    first, second = (preset.options for preset in read_words(RACE).presets[:2])
    assert options["finished"] == {**options["finished"], **RACE.short, **first}
    assert options["running"] == {**options["running"], **RACE.short, **second}


async def _has_shown(reader: Client, kit: Kit, status: Status | None = None) -> bool:
    return [game async for game in reader.list_games(ruleset=kit.reference, status=status, pages_max=1)] != []


async def test_a_game_of_an_earlier_start_is_awaited_before_the_next_is_opened(server: Connection) -> None:
    opener = Client(server, OPENER)
    game = await open_game(opener, RACE, read_words(RACE).presets[0])
    await eventually(lambda: _is_over(opener, game))

    async with exhibiting(server, RACE):
        await eventually(lambda: _count_games(opener, 2))

    assert (await opener.read_game(game)).status == "finished"
    assert [seat.house for seat in (await opener.read_game(game)).seats] == ["careful", "fast"] * (SEATS // 2)


async def _is_over(opener: Client, game: GameId) -> bool:
    return (await opener.read_game(game)).is_over


async def _count_games(opener: Client, count: int) -> bool:
    # One game follows the other, so there may be more by now.
    return len([game async for game in opener.list_games(pages_max=1)]) >= count


async def test_the_end_waits_for_no_thoughts(database: Database) -> None:
    async with slow_server(database) as server:
        opener = Client(server, OPENER)
        loop = asyncio.get_running_loop()

        async with exhibiting(server, RACE):
            await eventually(lambda: _count_games(opener, 2))
            began_s = loop.time()

        assert loop.time() - began_s < 2
    assert not [task.get_name() for task in asyncio.all_tasks() if "exhibition" in task.get_name()]


async def test_every_ruleset_with_bots_is_shown(server: Connection) -> None:
    reader = Client(server, await register(server, "Reader"))

    async with exhibiting(server):
        for kit in KITS:
            if kit.bots:
                await eventually(lambda kit=kit: _has_shown(reader, kit))


@pytest.mark.parametrize("kit", KITS, ids=lambda kit: str(kit.name))
def test_a_ruleset_is_exhibited_by_bots_that_it_has(kit: Kit) -> None:
    assert set(kit.favourites) <= set(kit.bots)


def test_rests_grow_until_a_year_of_games_fits_on_any_disk() -> None:
    rests = list(islice(list_rests(), 365 * 24))

    year = list(takewhile(lambda elapsed_s: elapsed_s < 365 * 86_400, accumulate(rests)))

    assert rests[:3] == [30.0, 60.0, 120.0]
    assert len(year) < 2_300
