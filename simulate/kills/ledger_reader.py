"""A reader of the ledger that reads every entry, and compares each checkpoint with the last one, as a witness does."""

import asyncio
from pathlib import Path

import httpx

from domain.ledger.policy_file import parse_policy
from domain.ledger.witness import Refuse, RefusedBecause, WatchedLog
from infra.witness_files import WitnessFiles
from services.ledger.monitoring import UNREACHABLE
from services.ledger.watching import RemoteLog, look
from services.ledger.witness import Watcher
from spina_client.connection import Connection, Request

LOOK_EVERY_S = 1.0


class LedgerReader:
    """Reads every checkpoint and every entry, as a witness does; remembers in a folder."""

    def __init__(self, log: RemoteLog, watcher: Watcher) -> None:
        self._log = log
        self._watcher = watcher
        self.checkpoints = 0
        self.faults: list[str] = []

    async def follow(self) -> None:
        while True:
            try:
                answer = await look(self._watcher, self._log)
            except UNREACHABLE:
                pass
            else:
                # An older checkpoint than the last one comes from a process that has not read the newest yet.
                if isinstance(answer, Refuse) and answer.reason is not RefusedBecause.MALFORMED:
                    self.faults.append(f"ledger: {answer.body.decode().strip()}")
                self.checkpoints += 1
            await asyncio.sleep(LOOK_EVERY_S)


async def read_ledger(connection: Connection, http: httpx.AsyncClient, folder: Path) -> LedgerReader:
    """Build the reader of a server's ledger, by the key that the server names at the beginning."""
    policy = parse_policy(await connection.send(Request(method="GET", path="/v1/ledger/policy", token=None)))
    logs = [WatchedLog(origin=each.key.name, keys=(each.key,)) for each in policy.logs]
    watcher = Watcher(logs=logs, files=WitnessFiles(folder / "ledger"))
    return LedgerReader(RemoteLog(http, f"{connection.url}/v1/ledger"), watcher)
