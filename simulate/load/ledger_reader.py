"""A reader of the ledger: a monitor, to which no ledger may go back, fork, or show other lines than its own."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2

from domain.ledger.policy_file import parse_policy
from services.ledger.monitoring import UNREACHABLE, Monitor, build_monitor
from services.ledger.watching import RemoteLog
from spina_client.connection import ANSWER_TIMEOUT_S, Connection, Request

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
        self.faults += found.contradictions
        if found.tree_size > self._tree_size:
            self._tree_size = found.tree_size
            self.checkpoints += 1

    async def expect_newest(self, patience_s: float = CATCH_UP_S) -> None:
        """Ask until the ledger shows a checkpoint that is no older than the newest one; note a fault if it does not."""
        newest, until_s = self._tree_size, time.monotonic() + patience_s
        while (shown := await self._find_size()) is None or shown < newest:
            if time.monotonic() > until_s:
                self.faults.append(f"expected at least the {newest} entries that were shown, found {shown}")
                return
            await asyncio.sleep(LOOK_EVERY_S)

    async def _find_size(self) -> int | None:
        try:
            signed = await self._log.fetch_checkpoint()
        except UNREACHABLE:
            return None
        return signed.checkpoint.tree_size


@asynccontextmanager
async def read_ledger(url: str, transport: httpx2.AsyncBaseTransport, folder: Path) -> AsyncIterator[LedgerReader]:
    """Build the reader of a server's ledger, by the key that the server names at the beginning."""
    async with httpx2.AsyncClient(base_url=url, transport=transport, timeout=ANSWER_TIMEOUT_S) as http:
        request = Request(method="GET", path="/v1/ledger/policy", token=None)
        policy = parse_policy(await Connection(http).send(request))
        monitor = build_monitor(http, url, policy, folder / "ledger", lambda _: None)
        yield LedgerReader(monitor, RemoteLog(http, f"{url}/v1/ledger"))
