"""The session's servers, as tests get them."""

import asyncpg
from redis.asyncio import Redis

from tests.database import Database


async def test_a_database_of_its_own_has_the_migrations_applied(database: Database) -> None:
    owner = await asyncpg.connect(database.owner_url)

    applied = await owner.fetchval("SELECT count(*) FROM spina.migration")

    await owner.close()
    assert applied > 0


async def test_two_roles_reach_the_database_and_only_one_owns_it(database: Database) -> None:
    app = await asyncpg.connect(database.app_url)

    is_member = await app.fetchval("SELECT pg_has_role(current_user, 'spina_app', 'usage')")
    is_superuser = await app.fetchval("SELECT rolsuper FROM pg_roles WHERE rolname = current_user")

    await app.close()
    assert is_member
    assert not is_superuser


async def test_valkey_answers_with_the_given_url(redis_url: str, redis_prefix: str) -> None:
    async with Redis.from_url(redis_url, decode_responses=True) as client:
        await client.set(f"{redis_prefix}lap", "7")

        assert await client.get(f"{redis_prefix}lap") == "7"
