"""One call of an append function: the rows that it stores, its answers, and its refusals to every sender."""

import asyncio
from collections.abc import AsyncIterator, Callable

import asyncpg
import pytest
from msgspec.structs import replace

from domain.ids import LogPosition
from infra.postgres.append_call import APPEND_BATCH, APPEND_ONE, LONE_LINES_MAX, columns, find_fault, is_lone, values
from infra.postgres.connection import open_app_connection, open_append_connection
from infra.postgres.event_store import PostgresEventStore, open_event_store
from infra.store_faults import CommandSeen, VersionConflict
from tests.appends import following, held_opening, new_command, new_game, opening
from tests.database import Database
from tests.malformed_appends import MALFORMED, with_signature

# How much of the table of games was read from one end to the other, as far as the session has reported.
SCANNED = "select seq_tup_read from pg_stat_user_tables where relname = 'stream'"
ADD_STREAMS = """
insert into spina.stream (id, version, head)
select gen_random_uuid(), 1, sha256('') from generate_series(1, 10000)
"""
# The driver never sends these, or no server is asked: they are refused before a call.
UNENCODABLE = ("no lines", "more lines", "a line too long", "a type too few", "a hash that is not hex")


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


@pytest.mark.parametrize(("call", "arguments"), [(APPEND_BATCH, [[]] * 14), (APPEND_ONE, [None] * 5 + [[]] * 3)])
async def test_the_append_functions_refuse_another_isolation(
    database: Database, call: str, arguments: list[object]
) -> None:
    connection = await open_app_connection(database.app_url)

    with pytest.raises(asyncpg.RaiseError, match="read committed"):
        async with connection.transaction(isolation="repeatable_read"):
            await connection.fetch(call, *arguments)
    await connection.close()


async def test_a_stream_twice_in_one_call_raises(database: Database) -> None:
    connection = await open_app_connection(database.app_url)
    game = new_game()
    twice = [opening(game, said="one"), opening(game, said="other")]

    with pytest.raises(asyncpg.DataError, match="twice"):
        await connection.fetch(APPEND_BATCH, *columns(twice))
    await connection.close()


@pytest.mark.parametrize("lines", [1, 20])
@pytest.mark.parametrize("flaw", [flaw for flaw in MALFORMED if not flaw.startswith(UNENCODABLE)])
async def test_a_malformed_append_among_good_ones_raises(database: Database, flaw: str, lines: int) -> None:
    connection = await open_app_connection(database.app_url)
    first = opening(new_game())
    await connection.fetch(APPEND_BATCH, *columns([first]))
    malformed = MALFORMED[flaw](following(first, 2))
    good = opening(new_game(), lines)

    with pytest.raises(asyncpg.PostgresError):
        await connection.fetch(APPEND_BATCH, *columns([good, malformed]))
    with pytest.raises(asyncpg.PostgresError):
        await connection.fetch(APPEND_BATCH, *columns([malformed, good]))
    await connection.close()


@pytest.mark.parametrize(
    "flaw",
    [flaw for flaw in MALFORMED if not flaw.startswith((*UNENCODABLE, "a secret", "a held opening"))],
)
async def test_a_malformed_append_alone_raises(database: Database, store: PostgresEventStore, flaw: str) -> None:
    connection = await open_app_connection(database.app_url)
    first = opening(new_game())
    await store.append(first)

    with pytest.raises(asyncpg.PostgresError):
        await connection.fetchval(APPEND_ONE, *values(MALFORMED[flaw](following(first, 2))))
    await connection.close()

    assert await count_lines(store) == 1


@pytest.mark.parametrize("place", range(8))
async def test_an_argument_of_a_lone_append_that_is_missing_raises(
    database: Database, store: PostgresEventStore, place: int
) -> None:
    connection = await open_app_connection(database.app_url)
    first = opening(new_game())
    await store.append(first)
    arguments = list(values(following(first, 2, command=new_command())))
    argument = arguments[place]
    arguments[place] = [argument[0], None] if isinstance(argument, list | tuple) else None

    with pytest.raises(asyncpg.PostgresError):
        await connection.fetchval(APPEND_ONE, *arguments)
    await connection.close()

    assert await count_lines(store) == 1


async def test_a_lone_append_is_written_whole_or_not_at_all(database: Database, store: PostgresEventStore) -> None:
    connection = await open_app_connection(database.app_url)
    first, command = opening(new_game()), new_command()
    await store.append(first)
    winner = with_signature(following(first, LONE_LINES_MAX, command=command), "ab" * 64)
    losers = [following(first), following(winner, command=command), following(opening(new_game()))]

    won = await connection.fetchval(APPEND_ONE, *values(winner))
    lost = [await connection.fetchval(APPEND_ONE, *values(loser)) for loser in losers]
    await connection.close()

    assert (won, lost) == (True, [False, False, False])
    assert (await store.load_stream(first.stream)).lines == first.lines + winner.lines
    assert await count_lines(store) == 1 + LONE_LINES_MAX


async def test_what_needs_a_batch_is_not_sent_alone() -> None:
    first = opening(new_game())
    lone = following(first, LONE_LINES_MAX)

    assert is_lone([lone])
    assert not is_lone([first])
    assert not is_lone([lone, following(first)])
    assert not is_lone([following(first, LONE_LINES_MAX + 1)])
    assert not is_lone([replace(lone, secret_box=b"secret")])
    assert not is_lone([replace(lone, held=(held_opening(2),))])


async def test_an_append_reads_no_more_when_there_are_more_games(database: Database, owner: asyncpg.Connection) -> None:
    connection = await open_append_connection(database.app_url)
    first = [opening(new_game()) for _ in range(100)]
    await connection.fetch(APPEND_BATCH, *columns(first))
    await owner.execute(ADD_STREAMS)
    await owner.execute("analyze spina.stream")
    before = await owner.fetchval(SCANNED)

    await connection.fetch(APPEND_BATCH, *columns([following(append) for append in first]))
    await connection.fetchval(APPEND_ONE, *values(following(following(first[0]))))
    await connection.execute("select pg_stat_force_next_flush()")
    await connection.close()

    assert await owner.fetchval(SCANNED) == before


async def test_a_call_tells_winners_from_all_who_lose(database: Database, store: PostgresEventStore) -> None:
    command = new_command()
    seen, stale, diverged = opening(new_game(), command=command), opening(new_game()), opening(new_game())
    await asyncio.gather(*(store.append(append) for append in (seen, stale, diverged, following(stale))))
    batch = [
        with_signature(opening(new_game(), 9), "ab" * 64),
        following(seen, command=command),
        following(stale, said="too late"),
        following(opening(diverged.stream, said="another opening")),
        replace(opening(new_game(), command=new_command()), secret_box=b"secret", held=(held_opening(1),)),
    ]
    connection = await open_app_connection(database.app_url)

    rows = await connection.fetch(APPEND_BATCH, *columns(batch))
    await connection.close()

    told = [find_fault(batch[row["lost"] - 1], row, was_resent=False) for row in rows]
    assert [row["lost"] for row in rows] == [2, 3, 4]
    assert [type(fault) for fault in told] == [CommandSeen, VersionConflict, VersionConflict]
    assert await count_lines(store) == 4 + 9 + 1


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("a count too small", lambda arguments: arguments[3].__setitem__(0, 1)),
        ("a count too large", lambda arguments: arguments[3].__setitem__(0, 3)),
        ("no count", lambda arguments: arguments[3].__setitem__(0, None)),
        ("a line of no command", lambda arguments: arguments[7].__setitem__(1, 9)),
        ("a line of the other command", lambda arguments: arguments[7].__setitem__(1, 2)),
        ("a line too many", lambda arguments: arguments[10].append(b"line")),
        ("a hash too few", lambda arguments: arguments[9].pop()),
        ("no hash", lambda arguments: arguments[9].__setitem__(0, None)),
        ("no head", lambda arguments: arguments[2].__setitem__(0, None)),
        ("no version", lambda arguments: arguments[1].__setitem__(0, None)),
        ("no stream", lambda arguments: arguments[0].__setitem__(0, None)),
        ("nothing at all", lambda arguments: [argument.clear() for argument in arguments]),
    ],
)
async def test_arguments_that_do_not_fit_each_other_raise(
    database: Database, store: PostgresEventStore, name: str, change: Callable[[tuple[list[object], ...]], object]
) -> None:
    connection = await open_app_connection(database.app_url)
    arguments = columns([opening(new_game(), 2), opening(new_game(), 2)])
    change(arguments)

    with pytest.raises(asyncpg.PostgresError):
        await connection.fetch(APPEND_BATCH, *arguments)
    await connection.close()

    assert await count_lines(store) == 0, name


@pytest.mark.parametrize("lasts", [[2, 4, 4], [2, 3, 4], [4, 4, 4], [2, 4, 5]])
async def test_a_command_without_lines_of_its_own_raises(
    database: Database, store: PostgresEventStore, lasts: list[int]
) -> None:
    connection = await open_app_connection(database.app_url)
    arguments = columns([opening(new_game(), 2), opening(new_game(), 2), opening(new_game())])
    for column in arguments[7:11]:
        column.pop()
    arguments[3][:] = lasts

    with pytest.raises(asyncpg.PostgresError):
        await connection.fetch(APPEND_BATCH, *arguments)
    await connection.close()

    assert await count_lines(store) == 0
