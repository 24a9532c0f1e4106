"""The examination, of the machine and of the servers: given ones at their address, embedded ones after a start."""

import shutil
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

import asyncpg
from redis.exceptions import RedisError

from infra.checkpoint_file import CheckpointFile, CheckpointFileDamaged
from infra.embedded.binaries import BinaryMissing
from infra.embedded.credentials import NoFreePort
from infra.embedded.folder import FolderInUse, ServersLeftRunning
from infra.embedded.program import ServerFailed
from infra.embedded.servers import ServerUrls, embedded_servers, find_server_urls
from infra.ends_file import EndsFile, EndsFileDamaged
from infra.keys import BoxDamaged, KeyRefused, WrongMasterKey, read_given_key
from infra.ledger_keys import derive_log_signer
from infra.postgres.connection import CONNECTION_LOST, POSTGRES_MIN, build_app_pool
from infra.postgres.ends import list_undone
from infra.postgres.hosts import list_hosts
from infra.postgres.ledger_store import LIST_ORIGINS, PostgresLedger
from infra.postgres.master_key_check import find_expected_key_id, open_root_key
from infra.postgres.migrations import MigrationChanged, find_pending
from infra.postgres.queries import Queries, replicated_queries
from infra.postgres.replica import Replica
from infra.redis.client import build_redis
from infra.settings import Settings, SettingsRefused, read_settings
from services.doctor.machine import Finding, examine_machine
from services.ledger.proofs import LedgerProofs
from services.ledger.signed_memory import OlderLedger, SignedMemory
from services.node.addresses import Places, given_places
from services.node.databases import DatabaseRefused, check_log, database_at

# `at` orders nothing but is shown to people and decides deadlines: a player would notice a second.
CLOCK_DIFFERENCE_S_MAX = 1.0
HAS_LEDGER = "select to_regclass('spina.ledger_checkpoint') is not null"
HAS_ENDS = "select to_regclass('spina.ended') is not null"
HAS_KEY_CHECK = "select to_regclass('spina.root_key') is not null"


async def examine(environment: Mapping[str, str]) -> list[Finding]:
    """Examine everything, in the order in which a start would need it."""
    try:
        settings = read_settings(environment)
    except SettingsRefused as refusal:
        return [Finding(what="settings", is_ok=False, found=one, advice="correct it") for one in refusal.complaints]
    return [*examine_machine(settings), *await examine_servers(settings)]


async def examine_servers(settings: Settings) -> list[Finding]:
    """Reach the servers and examine their content."""
    try:
        async with places(settings) as found:
            return [
                *await examine_postgres(settings, found),
                *await examine_listed_replicas(settings, found.database_url),
                await examine_redis(found.redis_url),
            ]
    except (BinaryMissing, NoFreePort, ServersLeftRunning, ServerFailed, OSError) as error:
        advice = "see the log it names, or give SPINA_DATABASE_URL"
        return [Finding(what="embedded servers", is_ok=False, found=str(error), advice=advice)]


@asynccontextmanager
async def places(settings: Settings) -> AsyncIterator[Places]:
    """Find the servers that run; else start them, in a folder that goes away when the data folder is not there yet."""
    if settings.database_url is not None:
        yield given_places(settings, database_url=settings.database_url)
        return
    temporary = None if settings.data.exists() else Path(tempfile.mkdtemp(prefix="spina-doctor-"))
    try:
        async with embedded_servers(temporary or settings.data) as urls:
            yield _places(urls)
    except FolderInUse:
        urls_in_use = find_server_urls(settings.data)
        if urls_in_use is None:
            raise
        yield _places(urls_in_use)
    finally:
        if temporary is not None:
            shutil.rmtree(temporary, ignore_errors=True)


def _places(urls: ServerUrls) -> Places:
    return Places(database_url=urls.database_url, owner_url=urls.owner_url, redis_url=urls.redis_url)


async def examine_postgres(settings: Settings, found: Places) -> list[Finding]:
    try:
        async with database_at(found.database_url, variable="SPINA_DATABASE_URL") as connection:
            version = await connection.fetchval("show server_version")
            tables = [*await examine_log(connection), await examine_migrations(found.database_url)]
            findings = [
                Finding(what="postgres", is_ok=True, found=f"PostgreSQL {version}"),
                *await examine_replicas(connection, found.database_url),
                await examine_clock(connection),
                *tables,
            ]
            if not all(table.is_ok for table in tables):
                # The rest would be read from tables of another build.
                return findings
            return [
                *findings,
                await examine_key(settings, connection),
                await examine_origin(settings, connection),
                await examine_checkpoint(settings, connection, found.database_url),
                await examine_ends(settings, connection),
            ]
    except DatabaseRefused as refusal:
        advice = (
            f"start that server (PostgreSQL {POSTGRES_MIN} or later), or correct the URL, its password or its database"
        )
        return [Finding(what="postgres", is_ok=False, found=str(refusal), advice=advice)]


async def examine_log(connection: asyncpg.Connection) -> list[Finding]:
    """Look whether this release reads the stored lines, as a start does."""
    try:
        await check_log(connection, variable="SPINA_DATABASE_URL")
    except DatabaseRefused as refusal:
        advice = "run the release that made this database, or begin a new one: see Upgrade in docs/operating.md"
        return [Finding(what="log", is_ok=False, found=str(refusal), advice=advice)]
    return []


async def examine_replicas(connection: asyncpg.Connection, database_url: str) -> list[Finding]:
    """Where several nodes are named, look whether a commit waits for one of the others."""
    nodes = len(list_hosts(database_url))
    if nodes == 1:
        return []
    confirming = await connection.fetchval("show synchronous_standby_names")
    if confirming:
        return [Finding(what="replicas", is_ok=True, found=f"{nodes} nodes; a commit waits for {confirming}")]
    advice = "let commits wait for a replica (synchronous_standby_names): else the next primary lacks the last ones"
    return [Finding(what="replicas", is_ok=True, found=f"{nodes} nodes; a commit waits for none", advice=advice)]


async def examine_clock(connection: asyncpg.Connection) -> Finding:
    before = datetime.now(UTC)
    there = await connection.fetchval("select clock_timestamp()")
    here = before + (datetime.now(UTC) - before) / 2
    difference_s = abs((there - here).total_seconds())
    found = f"{difference_s:.3f} s from Postgres's"
    if difference_s <= CLOCK_DIFFERENCE_S_MAX:
        return Finding(what="clock", is_ok=True, found=found)
    return Finding(what="clock", is_ok=False, found=found, advice="let a time service set both machines' clocks")


async def examine_migrations(database_url: str) -> Finding:
    try:
        pending = await find_pending(database_url)
    except MigrationChanged as refusal:
        advice = "run the release that made this database, or restore its migration files"
        return Finding(what="migrations", is_ok=False, found=str(refusal), advice=advice)
    except (*CONNECTION_LOST, asyncpg.PostgresError) as error:
        advice = "let the app's role read spina.migration"
        return Finding(what="migrations", is_ok=False, found=str(error), advice=advice)
    found = f"{len(pending)} to apply; the next start does it" if pending else "all applied"
    return Finding(what="migrations", is_ok=True, found=found)


async def examine_key(settings: Settings, connection: asyncpg.Connection) -> Finding:
    """Compare the database's master key with the given one, where there are both."""
    expected = None
    if await connection.fetchval(HAS_KEY_CHECK):
        expected = await find_expected_key_id(connection)
    if expected is None:
        return Finding(what="key of the database", is_ok=True, found="none yet; the first start binds it")
    try:
        given = read_given_key(settings).key_id
    except KeyRefused:
        given = "none"
    if given == expected:
        return Finding(what="key of the database", is_ok=True, found=expected)
    advice = f"bring back the key {expected}: nothing else opens this database's secrets"
    return Finding(what="key of the database", is_ok=False, found=f"{expected}, given is {given}", advice=advice)


async def examine_origin(settings: Settings, connection: asyncpg.Connection) -> Finding:
    """Compare the ledger's name with those under which this database was published."""
    known: list[str] = []
    if await connection.fetchval(HAS_LEDGER):
        await connection.execute("set search_path = spina, pg_temp")
        known = [row["origin"] for row in await connection.fetch(LIST_ORIGINS)]
    if not known or settings.origin in known:
        return Finding(what="ledger", is_ok=True, found=f"its name is {settings.origin}")
    found = f"published as {', '.join(known)}, given is {settings.origin}"
    advice = f"set SPINA_ORIGIN={known[-1]}; after a restore with lost events see docs/operating.md"
    return Finding(what="ledger", is_ok=False, found=found, advice=advice)


async def examine_checkpoint(settings: Settings, connection: asyncpg.Connection, database_url: str) -> Finding:
    """Compare the stored ledger with the last signed checkpoint beside the key, as a start does."""
    what = "last checkpoint"
    if not await connection.fetchval(HAS_LEDGER):
        return Finding(what=what, is_ok=True, found="no ledger to compare yet")
    try:
        root = await open_root_key(connection, read_given_key(settings))
        async with await build_app_pool(database_url) as pool:
            ledger = PostgresLedger(Queries(pool))
            file = CheckpointFile(settings.ledger_folder, derive_log_signer(root, settings.origin).key)
            await SignedMemory(ledger, LedgerProofs(ledger), file).check_file()
    except (KeyRefused, WrongMasterKey, BoxDamaged):
        return Finding(what=what, is_ok=True, found="not compared without the key of the database")
    except (OlderLedger, CheckpointFileDamaged) as refusal:
        return Finding(what=what, is_ok=False, found=str(refusal), advice="see Restore in docs/operating.md")
    return Finding(what=what, is_ok=True, found="the stored ledger has it")


async def examine_ends(settings: Settings, connection: asyncpg.Connection) -> Finding:
    """Compare the database with this machine's record of ends, as a start does."""
    what = "ends"
    if not await connection.fetchval(HAS_ENDS):
        return Finding(what=what, is_ok=True, found="none to compare yet")
    try:
        undone = await list_undone(connection, EndsFile(settings.ledger_folder).read())
    except EndsFileDamaged as refusal:
        advice = "bring the file back from another machine: see Restore in docs/operating.md"
        return Finding(what=what, is_ok=False, found=str(refusal), advice=advice)
    if not undone:
        return Finding(what=what, is_ok=True, found="the database has all that this machine knows")
    found = f"{len(undone)} tokens, accounts, names or ways are back that had ended: the database is an older one"
    return Finding(what=what, is_ok=False, found=found, advice="start a server: it ends them again before it answers")


async def examine_listed_replicas(settings: Settings, database_url: str) -> list[Finding]:
    """Look at each replica as readers do: whether it follows the primary, and how far."""
    if not settings.replica_urls:
        return []
    try:
        pool = await build_app_pool(database_url)
    except (*CONNECTION_LOST, asyncpg.PostgresError):
        return []  # reported above
    async with pool, replicated_queries(pool, settings.replica_urls) as queries:
        return [judge_replica(replica) for replica in queries.replicas]


def judge_replica(replica: Replica) -> Finding:
    what = f"replica {replica.name}"
    if replica.is_primary:
        return Finding(what=what, is_ok=True, found="is the primary at present, and is read as that")
    if replica.fault is not None:
        advice = "correct SPINA_REPLICA_URLS or that server; readers are served by the primary"
        return Finding(what=what, is_ok=False, found=replica.fault, advice=advice)
    return Finding(what=what, is_ok=True, found=f"follows the primary, {replica.lag_bytes or 0} bytes behind")


async def examine_redis(url: str | None) -> Finding:
    if url is None:
        return Finding(what="redis", is_ok=True, found="none given; live readers hear of moves later")
    try:
        async with build_redis(url) as redis:
            about = await redis.info("server")
    except (RedisError, OSError) as error:
        advice = "start that server, or correct SPINA_REDIS_URL; games go on without it"
        return Finding(what="redis", is_ok=False, found=str(error), advice=advice)
    version = about.get("valkey_version") or about.get("redis_version")
    return Finding(what="redis", is_ok=True, found=f"{about.get('server_name', 'redis')} {version}")
