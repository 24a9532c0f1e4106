"""Append-only is the database's rule: for the app, for the owner, through each leaf, and in replica mode."""

from collections.abc import AsyncIterator
from secrets import token_hex
from uuid import UUID, uuid5

import asyncpg
import pytest
from msgspec.structs import replace

from domain.ids import StreamId, StreamVersion
from infra.event_store import HeldOpening
from infra.postgres.append_call import columns
from infra.postgres.connection import open_app_connection
from infra.postgres.event_store import open_event_store
from infra.store_faults import AppendRefused, VersionConflict
from tests.appends import new_command, new_game, opening
from tests.database import Database

# Enough games, always the same, to have rows in every leaf.
GAMES = tuple(StreamId(str(uuid5(UUID(int=0), f"game {number}"))) for number in range(200))

# The tables that are never rewritten, and every leaf of theirs, from the catalogue itself.
LOG_TABLES = """
select oid::regclass::text as name from pg_class
where relnamespace = 'spina'::regnamespace
  and relname in ('event', 'stream', 'secret', 'held_opening', 'command', 'components', 'master_key_check',
                  'ledger_entry', 'ledger_tile', 'ledger_head', 'ledger_stream', 'ledger_checkpoint',
                  'ledger_cosignature', 'kept_proof', 'kept_proof_progress')
union all
select inhrelid::regclass::text from pg_inherits where inhparent = 'spina.event'::regclass
order by name
"""
LOG_TABLE_COUNT = 15 + 16
# Roles belong to the whole server, which other tests use at the same time.
PASSER_BY = f"spina_passer_by_{token_hex(8)}"
WRITES = ("insert", "update", "delete", "truncate", "references", "trigger", "maintain")
# As the notary and the archivist would, without their checks.
FILL_LEDGER = """
set session_replication_role = replica;
insert into spina.ledger_entry values (0, 1, gen_random_uuid(), 1, sha256('leaf'));
insert into spina.ledger_tile values (0, 0, decode(repeat('00', 8192), 'hex'));
insert into spina.ledger_stream values (gen_random_uuid(), 1, 'head', 'key');
insert into spina.ledger_checkpoint values ('log', 1, 'root', 'note');
insert into spina.ledger_cosignature values ('log', 1, 'witness', 'line');
insert into spina.kept_proof values (gen_random_uuid(), 1, 'proof', null, 'policy')
"""
CHANGES = {
    "update": "update {table} set {column} = {column}",
    "delete": "delete from {table}",
    "truncate": "truncate {table}",
}
FIRST_COLUMN = """
select attname from pg_attribute where attrelid = $1::text::regclass and attnum = 1
"""


@pytest.fixture
async def filled(database: Database) -> Database:
    async with open_event_store(database.app_url) as store:
        for game in GAMES:
            held = HeldOpening(version=StreamVersion(1), sealed_box=b"opening")
            append = replace(opening(game, command=new_command()), secret_box=b"secret", held=(held,))
            await store.append(append)
        await store.save_components(
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", ruleset="none", version=1, body=b""
        )
    owner = await asyncpg.connect(database.owner_url)
    await owner.execute("insert into spina.master_key_check (sealed_box) values ('box')")
    await owner.execute(FILL_LEDGER)
    await owner.close()
    return database


@pytest.fixture
async def owner(filled: Database) -> AsyncIterator[asyncpg.Connection]:
    connection = await asyncpg.connect(filled.owner_url)
    yield connection
    await connection.close()


@pytest.fixture
async def app(filled: Database) -> AsyncIterator[asyncpg.Connection]:
    connection = await open_app_connection(filled.app_url)
    yield connection
    await connection.close()


async def read_log_tables(owner: asyncpg.Connection) -> list[str]:
    tables = [row["name"] for row in await owner.fetch(LOG_TABLES)]
    assert len(tables) == LOG_TABLE_COUNT
    for table in tables:
        has_rows = await owner.fetchval(f"select exists (select from {table})")  # noqa: S608 - a name from the catalogue
        assert has_rows, f"{table} holds no row to defend"
    return tables


async def find_changeable(connection: asyncpg.Connection, tables: list[str], change: str) -> list[str]:
    """The tables that let it happen."""
    changeable = []
    for table in tables:
        column = await connection.fetchval(FIRST_COLUMN, table)
        try:
            await connection.execute(CHANGES[change].format(table=table, column=column))
        except (asyncpg.InsufficientPrivilegeError, asyncpg.RestrictViolationError):
            continue
        changeable.append(table)
    return changeable


@pytest.mark.parametrize("change", CHANGES)
async def test_the_app_can_change_nothing(app: asyncpg.Connection, owner: asyncpg.Connection, change: str) -> None:
    tables = await read_log_tables(owner)

    assert await find_changeable(app, tables, change) == []


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("mode", ["origin", "replica"])
async def test_the_owner_can_change_nothing(owner: asyncpg.Connection, change: str, mode: str) -> None:
    tables = await read_log_tables(owner)
    await owner.execute(f"set session_replication_role = {mode}")

    # An append updates the stream's row, so the owner can; the consequences are the subject of a test below. Where the
    # archivist is, moved back, has it do the same again.
    moving = ["spina.kept_proof_progress", "spina.ledger_stream", "spina.stream"]
    expected = moving if change == "update" else []
    assert await find_changeable(owner, tables, change) == expected


async def test_the_app_may_only_read_and_call(owner: asyncpg.Connection) -> None:
    found = await owner.fetch(
        "select relation, write from unnest($1::text[]) relation, unnest($2::text[]) write "
        "where has_table_privilege('spina_app', relation, write)",
        await read_log_tables(owner),
        list(WRITES),
    )
    sequence = await owner.fetchval(
        "select has_sequence_privilege('spina_app', 'spina.event_position', 'usage, select, update')"
    )

    assert found == []
    assert not sequence


async def test_whoever_logs_in_works_as_the_app(filled: Database) -> None:
    first = opening(GAMES[0], said="of somebody who logs in as the owner")
    connection = await open_app_connection(filled.owner_url)

    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await connection.execute("update stream set version = 0")
    await connection.close()
    async with open_event_store(filled.owner_url) as store:
        with pytest.raises(VersionConflict):
            await store.append(first)


async def test_nobody_else_may_read_or_append(owner: asyncpg.Connection) -> None:
    await owner.execute(f"create role {PASSER_BY} nologin")
    try:
        usage = await owner.fetchval("select has_schema_privilege($1, 'spina', 'usage')", PASSER_BY)
        execute = await owner.fetchval(
            "select bool_or(has_function_privilege($1, oid, 'execute')) from pg_proc "
            "where pronamespace = 'spina'::regnamespace",
            PASSER_BY,
        )
    finally:
        await owner.execute(f"drop role {PASSER_BY}")

    assert not usage
    assert not execute


async def test_a_stream_that_the_owner_moves_back_takes_no_second_line_in_an_old_place(
    filled: Database, owner: asyncpg.Connection
) -> None:
    first = opening(GAMES[0], command=new_command())
    async with open_event_store(filled.app_url) as store:
        await owner.execute("update spina.stream set version = 0, head = decode(repeat('00', 32), 'hex')")

        with pytest.raises(AppendRefused, match="event"):
            await store.append(first)


async def test_a_name_planted_before_ours_is_not_called(app: asyncpg.Connection, owner: asyncpg.Connection) -> None:
    await owner.execute(
        "create schema planted; create function planted.sha256(bytea) returns bytea language sql "
        "as 'select null::bytea'; grant usage on schema planted to spina_app"
    )
    await app.execute("set search_path = planted, pg_catalog, spina")

    await app.fetch(
        "select * from append_batch($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14)", *columns([opening(new_game())])
    )


async def test_people_with_sql_see_the_lines_as_json(app: asyncpg.Connection) -> None:
    found = await app.fetchrow("select version, type, line->>'by' as by from event_json where stream = $1", GAMES[0])

    assert found is not None
    assert dict(found) == {"version": 1, "type": "seat_readied", "by": "seat:0"}
