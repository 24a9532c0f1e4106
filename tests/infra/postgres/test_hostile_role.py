"""A stolen login of the server's role: its functions change nothing that is proven, and stop no clock unseen."""

import re
from pathlib import Path
from typing import Any

import asyncpg

from infra.postgres.connection import build_app_pool, open_app_connection
from infra.postgres.worker_signs import NOTARY_LOCK, TIMEKEEPER_LOCK, Signs
from services.api.http.health import READY
from services.node.probes import NOT_KEPT, workers_probe
from services.workers.kinds import TIMEKEEPER
from tests.database import Database
from tests.domain.game.game_harness import NOON
from tests.services.api.server import KEY
from tests.services.ledger.ledger_harness import ORIGIN, open_rig

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
    *(GROW.replace("LEAVES", leaf) for leaf in LEAVES),
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
    "select declare_bot(gen_random_uuid(), 'Ada', 'ada')",
    "select timekeeper_follow(0, 9223372036854775807)",
    "select timekeeper_beat(9223372036854775807, 0, 0)",
    "select timekeeper_gave_back(9223372036854775807)",
)
# The other functions of the role, with the tests of their arguments.
ELSEWHERE = {
    **dict.fromkeys(("append_batch", "append_one"), "tests/infra/postgres/test_append_call.py"),
    "save_components": "tests/services/commands/test_catalogue.py",
    "settle_notice": "tests/services/notices/test_deliveries.py",
    "worker_beat": "below: a heartbeat counts by its mark",
    # They act for the holder of a secret alone, or add what opens nothing of others.
    **dict.fromkeys(
        ("add_player", "add_token", "add_passkey", "find_login", "find_passkey", "list_tokens", "open_session",
         "open_session_by_passkey", "renew_session", "end_session", "end_tokens", "rename_player", "forget_account"),
        "tests/services/api/test_tokens.py, test_sessions.py",
    ),
}  # fmt: skip
FUNCTIONS = """
select proname from pg_proc
 where pronamespace = 'spina'::regnamespace and has_function_privilege('spina_app', oid, 'execute')
"""
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


async def test_every_function_of_the_role_is_called_with_hostile_arguments(database: Database) -> None:
    app = await open_app_connection(database.app_url)
    functions = {row["proname"] for row in await app.fetch(FUNCTIONS)}
    await app.close()

    called = {name for text in (*BY_THE_NOTARY, *BY_ANY_SESSION) for name in re.findall(r"select (\w+)\(", text)}
    assert called.isdisjoint(ELSEWHERE)
    assert functions == called | ELSEWHERE.keys()


async def test_it_cannot_act_as_a_worker_that_is_alive(database: Database) -> None:
    """Heartbeats made up, of another worker, and sent again at a later time."""
    app = await open_app_connection(database.app_url)
    async with build_app_pool(database.app_url) as pool:
        signs = Signs(pool, ORIGIN, KEY)
        for worker in ("timekeeper", "steward"):
            await signs.beat(worker, NOON)
        before = await signs.read()

        await app.execute("select worker_beat('notary', $1, mark) from worker_heartbeat where worker = 'steward'", NOON)
        await app.execute(
            "select worker_beat('steward', $1, mark) from worker_heartbeat where worker = 'steward'", NOON + 1
        )
        await app.execute("select worker_beat('timekeeper', $1, null)", NOON)
        after = await signs.read()
    await app.close()

    workers = ("timekeeper", "steward", "notary")
    assert [before[name].heartbeat_ms for name in workers if name in before] == [NOON, NOON, None]
    assert [after[name].heartbeat_ms for name in workers] == [None] * 3


async def test_health_tells_that_it_gives_the_time_of_clocks_back(database: Database) -> None:
    now_ms = NOON
    app = await open_app_connection(database.app_url)
    async with build_app_pool(database.app_url) as pool:
        signs = Signs(pool, ORIGIN, KEY)
        probe = workers_probe(signs.read, lambda: now_ms)

        async def check() -> str:
            await signs.beat("timekeeper", now_ms)
            return (await probe())["timekeeper"].found

        told = [await check()]
        await app.fetch("select pg_advisory_lock($1)", TIMEKEEPER_LOCK)
        for at_ms in (NOON - 86_400_000, NOON - 60_000):
            await app.execute("select timekeeper_beat($1, 2000, 3000)", at_ms)
        for later_s in (1, TIMEKEEPER.late_s, 1):
            now_ms += later_s * 1_000
            told.append(await check())
    await app.close()

    assert told == [READY.found, NOT_KEPT.found, READY.found, READY.found]
