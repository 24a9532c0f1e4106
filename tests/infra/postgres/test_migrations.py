"""Bringing a database up to date: by many at once, from any state, with nothing changed behind our back."""

import asyncio
from collections.abc import AsyncIterator
from secrets import token_hex
from urllib.parse import urlsplit

import asyncpg
import pytest
from msgspec.structs import replace

from infra.embedded.servers import ServerUrls
from infra.postgres.migrations import Migration, MigrationChanged, find_pending, migrate, read_migrations
from tests.database import with_database, with_login

HISTORY = "select count(*) as files, count(distinct number) as numbers from spina.migration"
NEXT = Migration(number=len(read_migrations()) + 1, name="next", sql="create table added (id int)")


@pytest.fixture
async def empty_url(server_urls: ServerUrls) -> AsyncIterator[str]:
    """An empty database, as its owner."""
    name = f"spina_empty_{token_hex(8)}"
    connection = await asyncpg.connect(server_urls.owner_url)
    await connection.execute(f"create database {name}")
    yield with_database(server_urls.owner_url, name)
    await connection.execute(f"drop database {name} with (force)")
    await connection.close()


@pytest.fixture
async def plain_owner_url(empty_url: str) -> AsyncIterator[str]:
    """The same, as an owner that is no superuser but may make roles."""
    name = urlsplit(empty_url).path.removeprefix("/")
    role = f"spina_owner_{token_hex(8)}"
    admin = await asyncpg.connect(empty_url)
    await admin.execute(f"create role {role} login createrole password 'made-up'")
    await admin.execute(f"alter database {name} owner to {role}")
    await admin.execute(f"grant spina_app to {role} with admin option")
    yield with_login(empty_url, user=role, password="made-up")
    await admin.execute(f"alter database {name} owner to current_user")
    await admin.execute(f"drop owned by {role} cascade")
    await admin.execute(f"drop role {role}")
    await admin.close()


async def count_history(url: str) -> tuple[int, int]:
    connection = await asyncpg.connect(url)
    try:
        row = await connection.fetchrow(HISTORY)
    finally:
        await connection.close()
    assert row is not None
    return row["files"], row["numbers"]


async def test_four_runners_at_once_apply_each_file_once(empty_url: str) -> None:
    await asyncio.gather(*(migrate(empty_url) for _ in range(4)))

    assert await count_history(empty_url) == (NEXT.number - 1, NEXT.number - 1)
    assert await find_pending(empty_url) == ()


async def test_what_is_pending_is_listed(empty_url: str) -> None:
    everything = await find_pending(empty_url)
    await migrate(empty_url)
    added = await find_pending(empty_url, (*read_migrations(), NEXT))

    assert everything == tuple(migration.name for migration in read_migrations())
    assert added == ("next",)


async def test_a_changed_file_is_refused_by_everyone(empty_url: str) -> None:
    await migrate(empty_url)
    first, *others = read_migrations()
    changed = (replace(first, sql=first.sql + " "), *others)

    with pytest.raises(MigrationChanged, match="0001_log"):
        await migrate(empty_url, changed)
    with pytest.raises(MigrationChanged):
        await find_pending(empty_url, changed)


async def test_a_migration_that_fails_leaves_nothing_of_itself(empty_url: str) -> None:
    broken = replace(NEXT, sql="create table added (id int); select 1 / 0")

    with pytest.raises(asyncpg.DivisionByZeroError):
        await migrate(empty_url, (*read_migrations(), broken))

    assert await find_pending(empty_url, (*read_migrations(), NEXT)) == ("next",)
    await migrate(empty_url, (*read_migrations(), NEXT))


async def test_what_a_newer_release_applied_is_left_alone(empty_url: str) -> None:
    await migrate(empty_url, (*read_migrations(), NEXT))

    await migrate(empty_url)

    assert await find_pending(empty_url) == ()


async def test_a_migration_does_not_wait_long_for_a_table_in_use(empty_url: str) -> None:
    await migrate(empty_url)
    impatient = replace(NEXT, sql="set local lock_timeout = '10ms'; alter table stream add column added int")
    holder = await asyncpg.connect(empty_url)

    async with holder.transaction():
        await holder.execute("lock table spina.stream in access share mode")
        with pytest.raises(asyncpg.LockNotAvailableError):
            await migrate(empty_url, (*read_migrations(), impatient))
    await holder.close()


async def test_the_app_may_ask_what_is_pending(server_urls: ServerUrls, empty_url: str) -> None:
    await migrate(empty_url)
    name = urlsplit(empty_url).path.removeprefix("/")

    assert await find_pending(with_database(server_urls.database_url, name)) == ()


async def test_an_owner_that_is_no_superuser_can_migrate(plain_owner_url: str) -> None:
    await migrate(plain_owner_url)

    assert await find_pending(plain_owner_url) == ()
