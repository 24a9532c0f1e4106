"""The baseline of the appender: one row a transaction into a plain table, by asyncpg and by pgbench.

The table has the event table's columns and both its keys, without partitions, chain, versions or triggers.
"""

import asyncio
import os
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from urllib.parse import unquote, urlsplit
from uuid import uuid4

import asyncpg

from bench.figures import Row, build_rate

BODY_SIZE = 400
CREATE_PLAIN = """
create schema bench;
create table bench.plain (
    position bigserial primary key,
    stream uuid not null,
    version integer not null,
    type text not null,
    hash bytea not null,
    body bytea not null,
    unique (stream, version)
)
"""
DROP_PLAIN = "drop schema if exists bench cascade"
INSERT_PLAIN = "insert into bench.plain (stream, version, type, hash, body) values ($1, $2, $3, $4, $5)"
# `:body_size` is pgbench's own variable.
PGBENCH_SCRIPT = """
insert into bench.plain (stream, version, type, hash, body)
values (gen_random_uuid(), 1, 'chariot_moved', decode(repeat('ab', 32), 'hex'),
        decode(repeat('78', :body_size::int), 'hex'));
"""
# The place of a transaction's microseconds in a line of pgbench's log: client, number, time, script, second, …
LATENCY_COLUMN = 2


async def create_plain_table(owner_url: str) -> None:
    async with asyncpg.create_pool(owner_url, min_size=1, max_size=1) as owner:
        await owner.execute(f"{DROP_PLAIN}; {CREATE_PLAIN}")


async def drop_plain_table(owner_url: str) -> None:
    async with asyncpg.create_pool(owner_url, min_size=1, max_size=1) as owner:
        await owner.execute(DROP_PLAIN)


async def measure_asyncpg_inserts(owner_url: str, *, inserts: int) -> Row:
    """One connection, one prepared statement, one insert after the other."""
    stream, hash_, body, latencies = str(uuid4()), bytes(32), bytes(BODY_SIZE), []
    async with asyncpg.create_pool(owner_url, min_size=1, max_size=1) as pool, pool.acquire() as owner:
        insert = await owner.prepare(INSERT_PLAIN)
        before = perf_counter()
        for version in range(1, inserts + 1):
            await insert.fetch(stream, version, "chariot_moved", hash_, body)
            now = perf_counter()
            latencies.append(now - before)
            before = now
    return build_rate(latencies)


async def measure_pgbench(owner_url: str, pgbench: Path, *, clients: int, seconds: int) -> Row:
    """Postgres's own load generator: prepared statements, no Python anywhere. Raises RuntimeError if it fails."""
    with TemporaryDirectory() as folder:
        script = _write_script(folder)
        process = await asyncio.create_subprocess_exec(
            str(pgbench),
            *("--no-vacuum", "--protocol=prepared", f"--client={clients}", f"--jobs={min(clients, 2)}"),
            *(f"--time={seconds}", f"--define=body_size={BODY_SIZE}", f"--file={script}"),
            *("--log", f"--log-prefix={folder}/log"),
            env={**os.environ, **_environment(owner_url)},
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        output, _ = await process.communicate()
        if process.returncode != 0:
            raise RuntimeError(f"pgbench ended with {process.returncode}: {output.decode()[-500:]}")
        return build_rate(_read_latencies(folder), elapsed_s=float(seconds))


def _write_script(folder: str) -> Path:
    script = Path(folder, "insert.sql")
    script.write_text(PGBENCH_SCRIPT)
    return script


def _read_latencies(folder: str) -> list[float]:
    logs = [path.read_text() for path in Path(folder).glob("log*")]
    return [int(line.split()[LATENCY_COLUMN]) / 1_000_000 for log in logs for line in log.splitlines()]


def _environment(url: str) -> dict[str, str]:
    """Name the connection by libpq's variables: other users of the machine could read arguments."""
    parts = urlsplit(url)
    return {
        "PGHOST": parts.hostname or "",
        "PGPORT": str(parts.port or 5432),
        "PGUSER": unquote(parts.username or ""),
        "PGPASSWORD": unquote(parts.password or ""),
        "PGDATABASE": parts.path.removeprefix("/"),
    }
