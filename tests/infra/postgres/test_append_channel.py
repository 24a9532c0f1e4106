"""The appender's connection after its patience has ended: a call may be under way on it, so it is not used again."""

import asyncpg
import pytest

from infra.postgres.appender import Appender
from infra.store_faults import StoreUnavailable
from tests.appends import new_game, opening
from tests.database import Database

# The key the append functions lock; a transaction that holds it keeps every append waiting.
HOLD_APPENDS = "select pg_advisory_xact_lock(5785247042114)"
APPENDERS = "select pid from pg_stat_activity where usename = 'spina_app' and datname = current_database()"
PATIENCE_S = 0.3


async def test_a_connection_on_which_patience_ended_is_dropped(database: Database) -> None:
    owner = await asyncpg.connect(database.owner_url)
    async with Appender(database.app_url, patience_s=PATIENCE_S) as appender:
        await appender.append(opening(new_game()))
        before = await owner.fetch(APPENDERS)
        async with owner.transaction():
            await owner.execute(HOLD_APPENDS)
            with pytest.raises(StoreUnavailable):
                await appender.append(opening(new_game()))

        await appender.append(opening(new_game()))
        # The session that was left ends by itself; ours is the one that is not the first.
        after = await owner.fetch(APPENDERS)
    await owner.close()

    assert len(before) == 1
    assert {row["pid"] for row in after} - {row["pid"] for row in before}
