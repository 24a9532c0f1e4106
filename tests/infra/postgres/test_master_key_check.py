"""A database belongs to the master key it was first served with."""

import asyncio
from collections.abc import AsyncIterator

import asyncpg
import pytest

from infra.keys import MasterKey, WrongMasterKey
from infra.postgres.connection import open_app_connection
from infra.postgres.master_key_check import check_master_key, find_expected_key_id, turn_master_key
from tests.database import Database

KEY = MasterKey(bytes(range(32)))
OTHER_KEY = MasterKey(bytes(range(1, 33)))
THIRD_KEY = MasterKey(bytes(range(2, 34)))


@pytest.fixture
async def owner(database: Database) -> AsyncIterator[asyncpg.Connection]:
    connection = await asyncpg.connect(database.owner_url)
    yield connection
    await connection.close()


async def test_a_new_database_expects_no_key_yet(owner: asyncpg.Connection) -> None:
    expected = await find_expected_key_id(owner)

    assert expected is None


async def test_the_first_key_stays_the_one(owner: asyncpg.Connection) -> None:
    await check_master_key(owner, KEY)
    await check_master_key(owner, KEY)

    assert await find_expected_key_id(owner) == KEY.key_id


async def test_another_key_is_refused_with_both_ids(owner: asyncpg.Connection) -> None:
    await check_master_key(owner, KEY)

    with pytest.raises(WrongMasterKey) as refused:
        await check_master_key(owner, OTHER_KEY)

    assert (refused.value.expected_key_id, refused.value.found_key_id) == (KEY.key_id, OTHER_KEY.key_id)


async def test_a_turned_key_opens_the_same_and_the_former_one_nothing_more(owner: asyncpg.Connection) -> None:
    await check_master_key(owner, KEY)

    await turn_master_key(owner, former=KEY, new=OTHER_KEY)

    assert await find_expected_key_id(owner) == OTHER_KEY.key_id
    assert await check_master_key(owner, OTHER_KEY) == KEY
    with pytest.raises(WrongMasterKey):
        await check_master_key(owner, KEY)
    with pytest.raises(WrongMasterKey):
        await turn_master_key(owner, former=KEY, new=THIRD_KEY)


async def test_a_key_is_turned_again(owner: asyncpg.Connection) -> None:
    await check_master_key(owner, KEY)
    await turn_master_key(owner, former=KEY, new=OTHER_KEY)

    await turn_master_key(owner, former=OTHER_KEY, new=THIRD_KEY)

    assert await check_master_key(owner, THIRD_KEY) == KEY


async def test_of_two_turns_at_once_one_is_refused_and_no_key_is_lost(database: Database) -> None:
    async def turn(new: MasterKey) -> MasterKey | None:
        connection = await asyncpg.connect(database.owner_url)
        try:
            await turn_master_key(connection, former=KEY, new=new)
        except WrongMasterKey:
            return None
        finally:
            await connection.close()
        return new

    turned = await asyncio.gather(turn(OTHER_KEY), turn(THIRD_KEY))

    (new,) = [key for key in turned if key is not None]
    owner = await asyncpg.connect(database.owner_url)
    assert await check_master_key(owner, new) == KEY
    await owner.close()


async def test_of_two_keys_at_once_one_is_refused(database: Database) -> None:
    async def serve_with(key: MasterKey) -> str:
        connection = await asyncpg.connect(database.owner_url)
        try:
            await check_master_key(connection, key)
        except WrongMasterKey:
            return "refused"
        finally:
            await connection.close()
        return "served"

    outcomes = await asyncio.gather(serve_with(KEY), serve_with(OTHER_KEY))

    assert sorted(outcomes) == ["refused", "served"]


async def test_the_app_may_read_the_check_and_not_write_it(database: Database, owner: asyncpg.Connection) -> None:
    await check_master_key(owner, KEY)
    app = await open_app_connection(database.app_url)

    assert await find_expected_key_id(app) == KEY.key_id
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await app.execute("insert into master_key_check (sealed_box) values ('\\x00')")
    await app.close()


@pytest.mark.parametrize(
    "change", ["delete from spina.master_key_check", "update spina.master_key_check set sealed_box = ''"]
)
async def test_not_even_the_owner_changes_the_check(owner: asyncpg.Connection, change: str) -> None:
    await check_master_key(owner, KEY)

    with pytest.raises(asyncpg.RestrictViolationError):
        await owner.execute(change)
