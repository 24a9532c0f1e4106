"""A stolen login of the server's role: its functions change nothing that is proven, and stop no clock unseen."""

from pathlib import Path
from typing import Any

import asyncpg

from infra.postgres.connection import open_app_connection
from infra.postgres.worker_signs import NOTARY_LOCK, TIMEKEEPER_LOCK
from tests.database import Database
from tests.services.ledger.ledger_harness import open_rig

# The origin is that of the rig; 9223372036854775807 is the largest position.
LEAVES = (
    "array[position + 1000], array[gen_random_uuid()], array[1], array[sha256('leaf')]",
    # The right place under the name of another line.
    "array[position + 1], array[gen_random_uuid()], array[1], array[sha256('leaf')]",
    # The next event is left out.
    (
        "array[position + 2], array(select stream from event where position = ledger_head.position + 2), "
        "array(select version from event where position = ledger_head.position + 2), array[sha256('leaf')]"
    ),
)
GROW = """
select ledger_grow(tree_size, root, position, sha256('x'), '{}', LEAVES, '{}', '{}', '{}', '{}', '{}', '{}', '{}')
  from ledger_head
"""
BY_THE_NOTARY = (
    *(GROW.replace("LEAVES", each) for each in LEAVES),
    "select ledger_publish('ledger.test/log', tree_size, root, 'note') from ledger_head",
    "select ledger_publish('ledger.test/log', tree_size - 1, root, 'note') from ledger_head",
    """
select ledger_publish('made/up', tree_size, sha256('x'),
                      E'made/up\\n' || tree_size || E'\\n' || encode(sha256('x'), 'base64') || E'\\n\\n')
  from ledger_head
""",
)
BY_ANY_SESSION = (
    "select pass_ledger(9223372036854775807)",
    "select keep_proof(gen_random_uuid(), 1, 'proof', null, 'policy')",
    "select keep_proof(stream, version, 'proof', null, 'policy') from event limit 1",
    "select ledger_cosign('ledger.test/log', tree_size, 'club', 'rubbish') from ledger_head",
    "select timekeeper_follow(0, 9223372036854775807)",
    "select timekeeper_beat(9223372036854775807, 0)",
    "select timekeeper_gave_back(9223372036854775807)",
)
REFUSALS = (asyncpg.InsufficientPrivilegeError, asyncpg.InvalidParameterValueError, asyncpg.RestrictViolationError)
TABLES = ("ledger_entry", "ledger_head", "ledger_tile", "ledger_checkpoint", "ledger_cosignature", "kept_proof",
          "kept_proof_progress", "timekeeper", "watched_clock", "absence", "event", "stream")  # fmt: skip


async def read_all(app: asyncpg.Connection) -> dict[str, Any]:
    return {table: await app.fetch(f"select * from {table} order by 1, 2") for table in TABLES}  # noqa: S608  a constant


async def list_accepted(app: asyncpg.Connection, statements: tuple[str, ...]) -> list[str]:
    """Call each, and list those that were not refused."""
    accepted = []
    for statement in statements:
        try:
            await app.execute(statement)
        except REFUSALS:
            continue
        accepted.append(statement)
    return accepted


async def test_its_functions_refuse_arguments_that_the_tables_do_not_bear_out(
    database: Database, tmp_path: Path
) -> None:
    async with open_rig(database, tmp_path) as rig:
        await rig.play()
        await rig.notarise()
        await rig.play()
        app = await open_app_connection(database.app_url)
        before = await read_all(app)

        without_locks = await list_accepted(app, (*BY_ANY_SESSION, *BY_THE_NOTARY))
        # No worker runs: the thief takes the locks.
        await app.fetch("select pg_advisory_lock($1), pg_advisory_lock($2)", NOTARY_LOCK, TIMEKEEPER_LOCK)
        with_locks = await list_accepted(app, BY_THE_NOTARY)
        follows = await app.fetchval("select timekeeper_follow(0, 9223372036854775807)")

        assert (without_locks, with_locks, follows) == ([], [], False)
        assert await read_all(app) == before
        await app.close()
        await rig.notarise()
