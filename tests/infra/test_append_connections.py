"""The contract of the appender's connection, on Postgres and on the simulated database."""

from collections.abc import AsyncIterator
from contextvars import copy_context
from random import Random

import asyncpg
import pytest
from msgspec.structs import replace

from domain.ids import LogPosition
from infra.event_store import EventStore
from infra.postgres.append_call import find_fault
from infra.postgres.append_channel import AppendConnection, connect_postgres
from infra.postgres.event_store import open_event_store
from infra.store_faults import CommandSeen, VersionConflict
from simulate.world.database import SimulatedDatabase, Wire, connect_to
from simulate.world.faults import Weather
from tests.appends import following, new_command, new_game, opening
from tests.database import NewDatabase
from tests.malformed_appends import MALFORMED

SOON_S = 5.0


@pytest.fixture(params=["simulated", "postgres"])
async def way(
    request: pytest.FixtureRequest, new_database: NewDatabase
) -> AsyncIterator[tuple[AppendConnection, EventStore]]:
    if request.param == "simulated":
        simulated = SimulatedDatabase()
        wire = Wire(0, simulated, Weather((), Random(1)), copy_context())  # noqa: S311  a run of no faults
        yield await connect_to(wire, simulated)("", SOON_S), simulated.log
        return
    async with new_database() as database, open_event_store(database.app_url) as store:
        connection = await connect_postgres(database.app_url, SOON_S)
        yield connection, store
        await connection.close(timeout=SOON_S)


async def count_lines(store: EventStore) -> int:
    return len(await store.read_log(after=LogPosition(0), limit=100))


async def test_all_appends_of_a_batch_that_can_be_are_stored(way: tuple[AppendConnection, EventStore]) -> None:
    connection, store = way
    first, late = opening(new_game()), following(opening(new_game()), 1)

    rows = await connection.send([late, first], timeout_s=SOON_S)

    assert [(row["lost"], row["actual_version"], row["appended"]) for row in rows] == [(1, 0, False)]
    assert await count_lines(store) == 1


async def test_an_append_that_lost_is_told_its_own_lines_from_those_of_others(
    way: tuple[AppendConnection, EventStore],
) -> None:
    connection, _ = way
    first = opening(new_game())
    second, other = following(first, 1), following(first, 2)
    for append in (first, second):
        assert not await connection.send([append], timeout_s=SOON_S)

    (own,) = await connection.send([second], timeout_s=SOON_S)
    (lost,) = await connection.send([other], timeout_s=SOON_S)

    assert find_fault(second, own, was_resent=True) is None
    fault = find_fault(other, lost, was_resent=True)
    assert isinstance(fault, VersionConflict)
    assert (fault.actual_version, fault.actual_head) == (2, second.hashes[-1])


async def test_a_command_that_was_stored_is_told_with_its_answer(way: tuple[AppendConnection, EventStore]) -> None:
    connection, _ = way
    first, command = opening(new_game()), new_command()
    done = following(first, 2, command=command)
    for append in (first, done):
        assert not await connection.send([append], timeout_s=SOON_S)

    again = following(done, 1, command=command)
    (row,) = await connection.send([again], timeout_s=SOON_S)

    seen = find_fault(again, row, was_resent=False)
    assert isinstance(seen, CommandSeen)
    assert (seen.answer.first_version, seen.answer.last_version) == (2, 3)
    assert (seen.answer.head, seen.answer.body_hash) == (done.hashes[-1], command.body_hash)


@pytest.mark.parametrize("flaw", ["another hash", "another type", "another version"])
async def test_a_batch_with_a_malformed_append_stores_nothing(
    way: tuple[AppendConnection, EventStore], flaw: str
) -> None:
    connection, store = way
    first = opening(new_game())
    await connection.send([first], timeout_s=SOON_S)

    with pytest.raises(asyncpg.PostgresError):
        await connection.send([opening(new_game()), MALFORMED[flaw](following(first, 2))], timeout_s=SOON_S)

    assert await count_lines(store) == 1


async def test_a_batch_with_a_stream_twice_stores_nothing(way: tuple[AppendConnection, EventStore]) -> None:
    connection, store = way
    first = opening(new_game())

    with pytest.raises(asyncpg.DataError):
        await connection.send([first, replace(first, command=None)], timeout_s=SOON_S)

    assert await count_lines(store) == 0
