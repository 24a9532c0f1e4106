"""The exhibition over a real server: finished games from a cold start, played on after an end, its faults its own."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import accumulate, islice, takewhile
from pathlib import Path
from random import Random
from typing import Any

import asyncpg
import msgspec
import pytest
from msgspec.structs import replace

from clients.exhibition.exhibition import Exhibition, Venue, list_rests
from clients.exhibition.house import CONTEXT, FILE_NAME, open_house
from clients.exhibition.table import Table, abandon, open_game, play_game
from domain.ruleset.kit import Kit
from domain.rulesets.chariot_race.kit import kit as chariot_race
from domain.rulesets.charioteer.kit import kit as charioteer
from domain.rulesets.released import KITS
from infra.keys import seal_box
from spina_client.client import Client, register
from spina_client.connection import Connection
from spina_client.formats import Json
from spina_client.ids import GameId
from spina_client.seen import Account, Status
from tests.database import Database
from tests.infra.embedded.conditions import eventually
from tests.services.api.server import KEY

# So slow that nothing but the first moves can happen in a test.
SLOW = replace(charioteer.KIT, think_ms=3_600_000, short={"laps": 1})
RACE = replace(chariot_race.KIT, think_ms=3_600_000, short={"rounds_max": 2})


@asynccontextmanager
async def exhibiting(server: Connection, folder: Path, *kits: Kit) -> AsyncIterator[None]:
    """Exhibit games of these kits, or those of every exhibition."""
    venue = Venue(url=server.url, house_file=folder / FILE_NAME, key=KEY)
    if kits:
        venue = replace(venue, kits=kits)
    exhibition = Exhibition(lambda: venue)
    exhibition.begin()
    try:
        yield
    finally:
        await exhibition.end()


async def build_table(server: Connection, folder: Path, kit: Kit = RACE) -> Table:
    house = await open_house(server, path=folder / FILE_NAME, key=KEY)
    return Table(connection=server, house=house, kit=kit)


async def test_the_first_game_of_each_is_played_fast_and_the_next_is_under_way(
    server: Connection, tmp_path: Path
) -> None:
    reader = Client(server, await register(server, "Reader"))

    async with exhibiting(server, tmp_path, SLOW, RACE):
        for status in ("finished", "running"):
            for kit in (SLOW, RACE):
                await eventually(lambda status=status, kit=kit: _has_shown(reader, kit, status))

        listed = [each async for each in reader.list_games(pages_max=1)]

    assert len(listed) == 4


async def test_the_variants_of_a_ruleset_are_shown_in_turn(server: Connection, tmp_path: Path) -> None:
    reader = Client(server, await register(server, "Reader"))
    kit = replace(RACE, variants=({"rounds_max": 3},))

    async with exhibiting(server, tmp_path, kit):
        await eventually(lambda: _has_shown(reader, kit, "running"))
        await eventually(lambda: _has_shown(reader, kit, "finished"))
        await eventually(lambda: _has_shown(reader, kit, "running"))

    shown = {each.status: await reader.read_game(each.id) async for each in reader.list_games(pages_max=1)}
    limits = {status: msgspec.json.decode(game.board)["rounds_max"] for status, game in shown.items()}
    assert limits == {"finished": 2, "running": 3}


async def _has_shown(reader: Client, kit: Kit, status: Status | None = None) -> bool:
    return [each async for each in reader.list_games(ruleset=kit.reference, status=status, pages_max=1)] != []


async def test_a_game_under_way_is_played_on_by_the_same_accounts_after_an_end(
    server: Connection, tmp_path: Path, database: Database
) -> None:
    table = await build_table(server, tmp_path)
    game = await open_game(table, {})
    await table.seat(game, 0).take()
    await eventually(lambda: _count_games(table, 1))
    async with exhibiting(server, tmp_path, RACE):
        await eventually(lambda: _is_over(table, game))
    accounts = await count_accounts(database)

    async with exhibiting(server, tmp_path, RACE):
        await eventually(lambda: _count_games(table, 2))

    assert await count_accounts(database) == accounts
    assert (await table.client(0).read_game(game)).status == "finished"


async def _is_over(table: Table, game: GameId) -> bool:
    return (await table.client(0).read_game(game)).is_over


async def _count_games(table: Table, count: int) -> bool:
    # One game follows the other, so there may be more by now.
    return len([each async for each in table.client(0).list_games(pages_max=1)]) >= count


async def count_accounts(database: Database) -> int:
    owner = await asyncpg.connect(database.owner_url)
    try:
        return int(await owner.fetchval("select count(*) from spina.account"))
    finally:
        await owner.close()


async def test_the_end_does_not_wait_for_anybody_s_thoughts(server: Connection, tmp_path: Path) -> None:
    table = await build_table(server, tmp_path)
    loop = asyncio.get_running_loop()

    async with exhibiting(server, tmp_path, RACE):
        await eventually(lambda: _count_games(table, 2))
        began_s = loop.time()

    assert loop.time() - began_s < 2
    assert not [task.get_name() for task in asyncio.all_tasks() if "exhibition" in task.get_name()]


async def test_a_bot_that_breaks_loses_its_game_and_nothing_else(server: Connection, tmp_path: Path) -> None:
    def break_down(_view: Any, _decision: str, _numbers: Random) -> Json:
        raise ZeroDivisionError

    broken = replace(RACE, bots={"broken": break_down}, favourites=("broken",))
    table = await build_table(server, tmp_path, broken)
    game = await open_game(table, {})

    with pytest.raises(ExceptionGroup):
        await play_game(table, game, think_s=0)
    await abandon(table, game)

    assert (await table.client(0).read_game(game)).status == "finished"


async def test_a_house_is_kept_in_a_closed_file_and_used_again(server: Connection, tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    first = await open_house(server, path=path, key=KEY)

    again = await open_house(server, path=path, key=KEY)

    assert again == first
    assert path.stat().st_mode & 0o777 == 0o600
    assert all(account.token.encode() not in path.read_bytes() for account in first.accounts)
    assert first.accounts[0].token not in repr(first)


async def test_a_house_that_cannot_be_read_is_made_anew(server: Connection, tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    first = await open_house(server, path=path, key=KEY)
    path.write_bytes(path.read_bytes()[:-1])

    fresh = await open_house(server, path=path, key=KEY)

    assert fresh.accounts[0].id != first.accounts[0].id


async def test_a_house_that_the_server_does_not_know_is_made_anew(server: Connection, tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    first = await open_house(server, path=path, key=KEY)
    unknown = msgspec.structs.replace(first, accounts=tuple(_forget(each) for each in first.accounts))
    path.write_bytes(seal_box(KEY, msgspec.json.encode(unknown), context=CONTEXT))

    fresh = await open_house(server, path=path, key=KEY)

    assert fresh.accounts != unknown.accounts
    assert await open_house(server, path=path, key=KEY) == fresh


def _forget(account: Account) -> Account:
    return msgspec.structs.replace(account, token=f"{account.token}-of-another-server")


async def test_every_ruleset_with_bots_is_shown(server: Connection, tmp_path: Path) -> None:
    reader = Client(server, await register(server, "Reader"))

    async with exhibiting(server, tmp_path):
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
