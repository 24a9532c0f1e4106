"""A reader of the ledger: a monitor, to which no ledger may go back, fork, or show other lines than its own."""

import asyncio
import time
from pathlib import Path

import httpx

from domain.ledger.policy_file import parse_policy
from services.ledger.monitoring import UNREACHABLE, Monitor, build_monitor
from services.ledger.watching import RemoteLog
from spina_client.connection import Connection, Request

LOOK_EVERY_S = 1.0
# A process that was killed reads the newest checkpoint within seconds of its start.
CATCH_UP_S = 30.0


class LedgerReader:
    """Follows a ledger; `checkpoints` counts those that extended the last one."""

    def __init__(self, monitor: Monitor, log: RemoteLog) -> None:
        self._monitor = monitor
        self._log = log
        self._tree_size = 0
        self.checkpoints = 0
        self.faults: list[str] = []

    async def follow(self) -> None:
        while True:
            await self.look()
            await asyncio.sleep(LOOK_EVERY_S)

    async def look(self) -> None:
        found = await self._monitor.look()
        self.faults += [f"ledger: {each}" for each in found.contradictions]
        if found.tree_size > self._tree_size:
            self._tree_size = found.tree_size
            self.checkpoints += 1

    async def expect_newest(self, patience_s: float = CATCH_UP_S) -> None:
        """Ask until the ledger shows a checkpoint that is no older than the newest one; note a fault if it does not."""
        newest, until_s = self._tree_size, time.monotonic() + patience_s
        while (shown := await self._find_size()) is None or shown < newest:
            if time.monotonic() > until_s:
                self.faults.append(f"ledger: expected at least the {newest} entries that were shown, found {shown}")
                return
            await asyncio.sleep(LOOK_EVERY_S)

    async def _find_size(self) -> int | None:
        try:
            signed = await self._log.fetch_checkpoint()
        except UNREACHABLE:
            return None
        return signed.checkpoint.tree_size


async def read_ledger(connection: Connection, http: httpx.AsyncClient, folder: Path) -> LedgerReader:
    """Build the reader of a server's ledger, by the key that the server names at the beginning."""
    policy = parse_policy(await connection.send(Request(method="GET", path="/v1/ledger/policy", token=None)))
    monitor = build_monitor(http, connection.url, policy, folder / "ledger", lambda _: None)
    return LedgerReader(monitor, RemoteLog(http, f"{connection.url}/v1/ledger"))
