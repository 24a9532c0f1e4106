"""Reads at replicas: none is older than an earlier one, by whichever process, and no fault of a replica is a fault."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import pytest

from domain.ids import StreamVersion
from infra.embedded.servers import ServerUrls
from infra.event_store import Append
from infra.postgres.appender import Appender
from infra.postgres.connection import POOL_SIZE_MAX, build_app_pool
from infra.postgres.event_store import PostgresEventStore
from infra.postgres.queries import Queries, replicated_queries
from tests.appends import following, new_game, opening
from tests.database import Database, database_of_its_own
from tests.replication import PATIENCE_S, Primary, ReplicaServer, replica_of

APPENDS = 20


@pytest.fixture
async def database(primary: Primary) -> AsyncIterator[Database]:
    async with primary.database() as own:
        yield own


@pytest.fixture
async def replica(primary: Primary, database: Database) -> AsyncIterator[ReplicaServer]:
    async with replica_of(primary, database) as found:
        yield found


@asynccontextmanager
async def process(database: Database, *replica_urls: str) -> AsyncIterator[tuple[PostgresEventStore, Queries]]:
    """The store of one process, and where it reads."""
    url = database.app_url
    async with (
        build_app_pool(url) as pool,
        Appender(url) as appender,
        replicated_queries(pool, replica_urls) as queries,
    ):
        yield PostgresEventStore(queries, appender), queries


async def append_some(store: PostgresEventStore, last: Append | None = None) -> Append:
    append = opening(new_game()) if last is None else following(last)
    await store.append(append)
    return append


async def read_version(store: PostgresEventStore, append: Append) -> StreamVersion:
    return (await store.read_versions([append.stream])).get(append.stream, StreamVersion(0))


def count_sources(queries: Queries) -> Counter[str]:
    """Count the reads from now on, by the server that answers."""
    counts = Counter[str]()
    queries.on_read = lambda source: counts.update((source,))
    return counts


async def fit(queries: Queries) -> None:
    """Wait until reads go to the replica."""
    async with asyncio.timeout(PATIENCE_S):
        while not queries.replicas[0].is_fit:
            await queries.examine_replicas()


async def left_out(queries: Queries, fault: str) -> None:
    """Wait until the replica is left out for this reason."""
    async with asyncio.timeout(PATIENCE_S):
        while queries.replicas[0].fault != fault:
            await queries.examine_replicas()


async def test_a_read_at_a_replica_has_all_that_another_process_acknowledged(
    database: Database, replica: ReplicaServer
) -> None:
    async with process(database) as (writer, _), process(database, replica.database.app_url) as (reader, queries):
        sources, behind = count_sources(queries), []
        last = await append_some(writer)
        # A busy replica is left out at any moment.
        while sources["replica"] < APPENDS:
            await fit(queries)
            last = await append_some(writer, last)
            behind.append(last.last_version - await read_version(reader, last))

        assert set(behind) == {0}


async def test_reads_that_come_together_share_the_question_to_the_primary(
    database: Database, replica: ReplicaServer
) -> None:
    async with process(database, replica.database.app_url) as (store, queries):
        last = await append_some(store)
        await fit(queries)

        versions = await asyncio.gather(*(read_version(store, last) for _ in range(100)))

        assert versions == [1] * 100
        assert queries._questions_count <= 3  # noqa: SLF001  the cost that the sharing is for


async def test_a_replica_that_is_behind_serves_no_older_version(database: Database, replica: ReplicaServer) -> None:
    async with process(database) as (writer, _), process(database, replica.database.app_url) as (reader, queries):
        last = await append_some(writer)
        await fit(queries)
        await replica.hold()
        last = await append_some(writer, last)

        while_held = await read_version(reader, last), queries.replicas[0].is_fit
        await replica.release()
        await fit(queries)

        assert while_held == (2, False)
        assert await read_version(reader, last) == 2


async def test_a_frozen_replica_is_asked_once(database: Database, replica: ReplicaServer) -> None:
    async with process(database, replica.database.app_url) as (store, queries):
        last = await append_some(store)
        await fit(queries)
        replica.freeze()

        versions, asked = [], []
        for _ in range(APPENDS):
            asked.append(queries.replicas[0].is_fit)
            versions.append(await read_version(store, last))
        replica.thaw()
        await fit(queries)

        assert versions == [1] * APPENDS
        assert asked[0]
        assert sum(asked) == 1


async def test_reads_go_on_when_a_replica_is_killed_and_return_to_it(
    database: Database, replica: ReplicaServer
) -> None:
    async with process(database, replica.database.app_url) as (store, queries):
        last = await append_some(store)
        await fit(queries)
        await replica.kill()

        versions = [await read_version(store, last) for _ in range(APPENDS)]
        await replica.start()
        await fit(queries)

        assert versions == [1] * APPENDS
        assert await read_version(store, last) == 1


async def test_a_replica_promoted_by_mistake_is_not_read(database: Database, replica: ReplicaServer) -> None:
    async with process(database, replica.database.app_url) as (store, queries):
        last = await append_some(store)
        await fit(queries)
        await replica.promote()
        async with process(replica.database) as (mistaken, _):
            await append_some(mistaken, last)

        version = await read_version(store, last)

        assert version == 1
        await left_out(queries, "expected a replica, found a server that is a primary itself")


async def test_a_standby_of_another_history_is_not_read(database: Database, replica: ReplicaServer) -> None:
    await replica.promote()
    async with process(replica.database) as (mistaken, _):
        await append_some(mistaken)
    await replica.follow_itself()

    async with process(database, replica.database.app_url) as (_, queries):
        await left_out(queries, "expected a replica of the primary, found another history")


async def test_a_server_of_another_cluster_is_not_read(database: Database, server_urls: ServerUrls) -> None:
    async with process(database, server_urls.database_url) as (store, queries):
        last = await append_some(store)

        assert await read_version(store, last) == 1
        await left_out(queries, "expected a replica of the primary, found another database")


async def test_another_database_of_the_same_cluster_is_not_read(primary: Primary, database: Database) -> None:
    async with (
        primary.database() as other,
        replica_of(primary, other) as replica,
        process(database, replica.database.app_url) as (store, queries),
    ):
        last = await append_some(store)

        assert await read_version(store, last) == 1
        await left_out(queries, "expected a replica of the primary, found another database")


async def test_a_database_without_the_schema_keeps_no_process_from_its_start(primary: Primary) -> None:
    async with (
        database_of_its_own(primary.urls, template="template1") as bare,
        build_app_pool(bare.app_url) as pool,
        replicated_queries(pool, [bare.app_url]) as queries,
    ):
        assert queries.replicas[0].fault == 'relation "event" does not exist'


async def test_a_replica_with_as_many_reads_as_it_takes_still_answers(
    database: Database, replica: ReplicaServer
) -> None:
    async with process(database, replica.database.app_url) as (_, queries), AsyncExitStack() as reads:
        await fit(queries)
        for _ in range(POOL_SIZE_MAX):
            await reads.enter_async_context(queries.replicas[0]._pool.acquire())  # noqa: SLF001  reads under way

        async with asyncio.timeout(PATIENCE_S):
            while not await queries.replicas[0].reaches(0):
                pass
