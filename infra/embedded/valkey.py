"""Valkey in a data folder. It carries hints only, so it writes nothing to disk and comes back empty."""

import asyncio
from contextlib import suppress
from signal import SIGTERM

from infra.embedded.binaries import Binaries
from infra.embedded.credentials import HOST
from infra.embedded.folder import DataFolder
from infra.embedded.program import Program

PING_TIMEOUT_S = 1.0
PONG = b"+OK\r\n+PONG\r\n"
# Read from standard input: in the arguments everyone on the machine could read the password.
CONFIG = """\
bind {host}
port {port}
requirepass {password}
save ""
appendonly no
# Hints, presence and rate limits are small; when something floods it, what is oldest in use goes first.
maxmemory 128mb
maxmemory-policy allkeys-lru
# Keeps the arguments as they are; a later start recognises a server left running by them.
set-proc-title no
"""


def valkey_program(folder: DataFolder, binaries: Binaries, *, port: int, password: str) -> Program:
    async def is_ready(_pid: int) -> bool:
        return await _answers(port, password)

    return Program(
        name="valkey",
        command=(str(binaries.valkey), "-", "--dir", str(folder.valkey)),
        stdin=CONFIG.format(host=HOST, port=port, password=password).encode(),
        stop_signals=(SIGTERM,),
        port=port,
        log=folder.valkey_log,
        is_ready=is_ready,
    )


async def _answers(port: int, password: str) -> bool:
    with suppress(OSError, asyncio.IncompleteReadError, TimeoutError):
        async with asyncio.timeout(PING_TIMEOUT_S):
            reader, writer = await asyncio.open_connection(HOST, port)
            try:
                writer.write(f"AUTH {password}\r\nPING\r\n".encode())
                return await reader.readexactly(len(PONG)) == PONG
            finally:
                writer.close()
                with suppress(OSError):
                    await writer.wait_closed()
    return False
