"""Arrays of a session's statements: known without a question, as a server would describe them."""

import re
from pathlib import Path

import pytest

from infra.postgres.array_types import ARRAYS
from infra.postgres.hosts import Session, connect
from tests.database import Database

ROOT = Path(__file__).parents[3]
PATIENCE_S = 10.0
# The driver knows these by itself.
KNOWN_TO_DRIVER = {"_text", "_oid"}
OF_CATALOGUE = "select oid::int, typname::text, typelem::int from pg_type where oid = any ($1::oid[]) order by oid"
OF_SCHEMA = """
select distinct type.typname::text from pg_type as type
  left join pg_proc as function on type.oid = any (function.proargtypes::oid[] || function.prorettype)
  left join pg_attribute as field on field.atttypid = type.oid
  left join pg_class as relation on relation.oid = field.attrelid
 where type.typcategory = 'A'
   and 'spina'::regnamespace in (function.pronamespace, relation.relnamespace)
"""
ECHO = (
    "select $1::uuid[] as a, $2::bytea[] as b, $3::bigint[] as c, $4::int[] as d, $5::smallint[] as e, $6::bool[] as f"
)
VALUES: tuple[list[object], ...] = ([], [b"x", None], [1, 2**40], [-3], [4], [True])


async def statements_of(session: Session, query: str, *values: object) -> tuple[list[str], list[object]]:
    statements = list[str]()
    with session.query_logger(lambda logged: statements.append(logged.query)):
        row = await session.fetchrow(query, *values)
    assert row is not None
    return statements, list(row.values())


async def test_the_table_says_what_a_server_says(database: Database) -> None:
    async with database.owned() as owner:
        rows = await owner.fetch(OF_CATALOGUE, [oid for oid, _name, _element in ARRAYS])

    assert tuple(map(tuple, rows)) == ARRAYS


async def test_arrays_of_every_kind_are_sent_and_read_without_a_question(database: Database) -> None:
    session = await connect(database.app_url, timeout=PATIENCE_S)
    statements, values = await statements_of(session, ECHO, *VALUES)
    await session.close()

    assert statements == [ECHO]
    assert values == list(VALUES)


async def test_a_type_of_a_schema_is_asked_for(database: Database) -> None:
    async with database.owned() as owner:
        await owner.execute("create type public.mood as enum ('calm')")
    session = await connect(database.owner_url, timeout=PATIENCE_S)
    statements, values = await statements_of(session, "select array['calm']::public.mood[], $1::int[]", [1])
    await session.close()

    assert len(statements) > 1
    assert values == [["calm"], [1]]


async def test_every_array_of_the_schema_is_in_the_table(database: Database) -> None:
    async with database.owned() as owner:
        rows = await owner.fetch(OF_SCHEMA)

    assert {row["typname"] for row in rows} - KNOWN_TO_DRIVER <= {name for _oid, name, _element in ARRAYS}


@pytest.mark.parametrize("folder", ["infra", "services", "projections"])
async def test_every_array_of_a_statement_is_in_the_table(folder: str, database: Database) -> None:
    casts = {cast for path in (ROOT / folder).rglob("*.py") for cast in re.findall(r"::(\w+)\[\]", path.read_text())}
    async with database.owned() as owner:
        names = {
            await owner.fetchval("select typname::text from pg_type where oid = $1::regtype", f"{cast}[]")
            for cast in casts
        }

    assert names - KNOWN_TO_DRIVER <= {name for _oid, name, _element in ARRAYS}
