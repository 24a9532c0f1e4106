"""Questions of tests to running servers, and the search for their processes."""

from pathlib import Path

import asyncpg
from redis.asyncio import Redis
from redis.exceptions import RedisError

from infra.embedded.folder import DataFolder, find_servers


async def execute(url: str, statement: str) -> None:
    connection = await asyncpg.connect(url)
    try:
        await connection.execute(statement)
    finally:
        await connection.close()


async def ask(url: str, question: str) -> object:
    connection = await asyncpg.connect(url)
    try:
        answer: object = await connection.fetchval(question)
        return answer
    finally:
        await connection.close()


async def answers(url: str) -> bool:
    try:
        return await ask(url, "SELECT 1") == 1
    except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
        return False


async def ping(url: str) -> bool:
    try:
        async with Redis.from_url(url) as client:
            return bool(await client.ping())
    except (OSError, RedisError):
        return False


def data_in(tmp_path: Path) -> DataFolder:
    return DataFolder(path=tmp_path / "data")


def pid_of(program: str, tmp_path: Path) -> int:
    (pid,) = (
        pid
        for pid in find_servers(data_in(tmp_path))
        if Path(f"/proc/{pid}/cmdline").read_bytes().partition(b"\0")[0].endswith(program.encode())
    )
    return pid
