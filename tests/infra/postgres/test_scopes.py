"""Scopes of a role: the database gives an account's first token those of the domain."""

import asyncpg

from domain.accounts.account import SCOPES
from tests.database import Database


async def test_the_database_and_the_domain_give_a_role_the_same_scopes(database: Database) -> None:
    owner = await asyncpg.connect(database.owner_url)

    scopes = {role: set(await owner.fetchval("select spina.list_scopes($1)", role)) for role in SCOPES}

    await owner.close()
    assert scopes == SCOPES
