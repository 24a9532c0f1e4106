"""The appender's answer to each caller, alone, in a batch, and in a race."""

import asyncio
from collections.abc import AsyncIterator
from types import SimpleNamespace

import asyncpg
import pytest
from msgspec.structs import replace

from domain.ids import LineHash, LogPosition, StreamVersion
from infra.event_store import Append
from infra.postgres.appender import QUEUE_APPENDS_MAX, Appender
from infra.postgres.connection import open_app_connection
from infra.postgres.event_store import PostgresEventStore, open_event_store
from infra.store_faults import AppendRefused, CommandSeen, StoreBusy, StoreUnavailable, VersionConflict
from tests.appends import following, new_command, new_game, opening
from tests.database import Database, until_a_session_waits

# The key the append function locks; a transaction that holds it keeps every append waiting.
HOLD_APPENDS = "select pg_advisory_xact_lock(5785247042114)"


@pytest.fixture
async def store(database: Database) -> AsyncIterator[PostgresEventStore]:
    async with open_event_store(database.app_url) as opened:
        yield opened


@pytest.fixture
async def owner(database: Database) -> AsyncIterator[asyncpg.Connection]:
    connection = await asyncpg.connect(database.owner_url)
    yield connection
    await connection.close()


async def count_lines(store: PostgresEventStore) -> int:
    return len(await store.read_log(after=LogPosition(0), limit=10_000))


async def test_appends_of_many_games_are_all_stored(store: PostgresEventStore) -> None:
    appends = [opening(new_game(), 2) for _ in range(1000)]

    await asyncio.gather(*(store.append(append) for append in appends))

    assert await count_lines(store) == 2000


async def test_appends_of_one_stream_that_are_queued_at_once_follow_each_other(store: PostgresEventStore) -> None:
    appends = [opening(new_game())]
    for _ in range(20):
        appends.append(following(appends[-1], 2))

    await asyncio.gather(*(store.append(append) for append in appends))

    stored = await store.load_stream(appends[0].stream)
    assert stored.lines == tuple(line for append in appends for line in append.lines)


async def test_one_malformed_append_of_a_batch_fails_alone(store: PostgresEventStore) -> None:
    appends: list[Append] = [opening(new_game(), 2) for _ in range(50)]
    appends[20] = replace(appends[20], hashes=(appends[20].hashes[0], LineHash("ab" * 32)))

    outcomes = await asyncio.gather(*(store.append(append) for append in appends), return_exceptions=True)

    assert [number for number, outcome in enumerate(outcomes) if outcome is not None] == [20]
    assert isinstance(outcomes[20], AppendRefused)
    assert await count_lines(store) == 98


async def test_one_append_that_cannot_be_encoded_fails_alone(store: PostgresEventStore) -> None:
    appends = [opening(new_game()) for _ in range(5)]
    appends[3] = replace(appends[3], expected_version=StreamVersion(2**31))

    outcomes = await asyncio.gather(*(store.append(append) for append in appends), return_exceptions=True)

    assert [isinstance(outcome, AppendRefused) for outcome in outcomes] == [False, False, False, True, False]


async def test_a_lost_race_hits_only_its_own_append(store: PostgresEventStore) -> None:
    first = opening(new_game())
    await store.append(first)
    winner = following(first, said="winner")
    await store.append(winner)
    appends = [opening(new_game()), following(first, said="loser"), opening(new_game())]

    outcomes = await asyncio.gather(*(store.append(append) for append in appends), return_exceptions=True)

    assert [outcome is None for outcome in outcomes] == [True, False, True]
    assert isinstance(outcomes[1], VersionConflict)


async def test_of_eight_nodes_racing_one_wins(database: Database, store: PostgresEventStore) -> None:
    first = opening(new_game())
    await store.append(first)
    racers = [following(first, 3, said=f"racer {number}") for number in range(40)]

    async def race(some: list[Append]) -> list[BaseException | None]:
        async with Appender(database.app_url) as appender:
            return await asyncio.gather(*(appender.append(racer) for racer in some), return_exceptions=True)

    outcomes = await asyncio.gather(*(race(racers[start::8]) for start in range(8)))

    told = [outcome for some in outcomes for outcome in some]
    assert told.count(None) == 1
    assert sum(isinstance(outcome, VersionConflict) for outcome in told) == 39
    assert await count_lines(store) == 4


async def test_a_command_sent_to_two_nodes_at_once_is_stored_once(
    database: Database, store: PostgresEventStore
) -> None:
    first = opening(new_game())
    await store.append(first)
    command = new_command()
    here = following(first, 2, said="decided here", command=command)
    there = following(first, 3, said="decided there", command=command)

    async with Appender(database.app_url) as other:
        outcomes = await asyncio.gather(store.append(here), other.append(there), return_exceptions=True)

    told = [outcome for outcome in outcomes if outcome is not None]
    assert len(told) == 1
    assert isinstance(told[0], CommandSeen)
    winner = here if outcomes[0] is None else there
    assert (told[0].answer.last_version, told[0].answer.head) == (winner.last_version, winner.hashes[-1])
    assert (await store.load_stream(first.stream)).lines == first.lines + winner.lines


@pytest.mark.parametrize("isolation", ["repeatable read", "serializable"])
async def test_the_servers_own_defaults_do_not_matter(
    database: Database, owner: asyncpg.Connection, isolation: str
) -> None:
    name = await owner.fetchval("select quote_ident(current_database())")
    await owner.execute(f"alter database {name} set default_transaction_isolation = '{isolation}'")
    await owner.execute(f"alter database {name} set synchronous_commit = off")
    first = opening(new_game())

    async with open_event_store(database.app_url) as store:
        await store.append(first)
        racers = [following(first, said=f"racer {number}") for number in range(20)]
        outcomes = await asyncio.gather(*(store.append(racer) for racer in racers), return_exceptions=True)
    connection = await open_app_connection(database.app_url)
    found = await connection.fetchval("select current_setting('synchronous_commit')")
    await connection.close()

    assert sum(isinstance(outcome, VersionConflict) for outcome in outcomes) == 19
    assert found == "on"


async def test_whoever_is_cancelled_holds_nobody_up(store: PostgresEventStore, owner: asyncpg.Connection) -> None:
    async with asyncio.TaskGroup() as tasks:
        async with owner.transaction():
            await owner.execute(HOLD_APPENDS)
            in_flight = tasks.create_task(store.append(opening(new_game())))
            await until_a_session_waits(owner)
            queued = tasks.create_task(store.append(opening(new_game())))
            staying = tasks.create_task(store.append(opening(new_game())))
            in_flight.cancel()
            queued.cancel()
        await staying

    # The one in flight was stored, though no caller was left.
    assert await count_lines(store) == 2


async def test_more_appends_than_may_wait_are_refused_at_once(
    store: PostgresEventStore, owner: asyncpg.Connection
) -> None:
    append = opening(new_game())
    async with owner.transaction():
        await owner.execute(HOLD_APPENDS)
        tasks = [asyncio.ensure_future(store.append(append)) for _ in range(QUEUE_APPENDS_MAX + 1000)]
        done, waiting = await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
        for task in waiting:
            task.cancel()

    assert {type(task.exception()) for task in done} == {StoreBusy}


async def test_a_lock_that_is_never_released_is_told_to_all_at_once(
    store: PostgresEventStore, owner: asyncpg.Connection
) -> None:
    await owner.execute("alter function spina.append_batch set lock_timeout = '10ms'")
    async with owner.transaction():
        await owner.execute(HOLD_APPENDS)
        tasks = [asyncio.ensure_future(store.append(opening(new_game()))) for _ in range(QUEUE_APPENDS_MAX)]
        await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
    await asyncio.wait(tasks)

    # Sent one by one, those after the first would have found the lock free again.
    told = {(type(task.exception()), getattr(task.exception(), "may_have_committed", None)) for task in tasks}
    assert told == {(StoreUnavailable, False)}
    assert await count_lines(store) == 0


async def test_closing_settles_what_waits_and_takes_no_more(database: Database, store: PostgresEventStore) -> None:
    appends = [opening(new_game()) for _ in range(300)]
    async with Appender(database.app_url) as appender:
        tasks = [asyncio.ensure_future(appender.append(append)) for append in appends]
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)

    assert [task.exception() for task in tasks] == [None] * 300
    with pytest.raises(StoreUnavailable):
        await appender.append(opening(new_game()))
    assert await count_lines(store) == 300


async def test_a_bug_in_the_appender_ends_it_and_leaves_nobody_waiting(database: Database) -> None:
    no_command = replace(opening(new_game()), command=SimpleNamespace(id=new_game()))
    tasks: list[asyncio.Future[None]] = []

    async def append_both() -> None:
        async with Appender(database.app_url) as appender:
            tasks.extend(asyncio.ensure_future(appender.append(one)) for one in (no_command, following(no_command)))
            await asyncio.wait(tasks)

    with pytest.raises(ExceptionGroup) as caught:
        await append_both()
    await asyncio.wait(tasks)

    assert caught.group_contains(AttributeError)
    assert {type(task.exception()) for task in tasks} == {StoreUnavailable}


async def test_an_error_in_the_body_passes_unchanged(database: Database) -> None:
    with pytest.raises(ZeroDivisionError):
        async with Appender(database.app_url):
            raise ZeroDivisionError
