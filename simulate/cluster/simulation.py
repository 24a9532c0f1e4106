"""The whole simulation: nodes, servers and load started, primaries broken, and all that was acknowledged checked."""

import asyncio
import os
import sys
import time
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from statistics import median

import httpx
from msgspec import Struct

from infra.embedded.account import Account
from infra.embedded.binaries import find_binaries
from infra.embedded.credentials import HOST, choose_port
from infra.embedded.folder import hold
from infra.embedded.programs import valkey_program
from infra.embedded.supervisor import supervised
from infra.keys import create_key_file
from infra.postgres.hosts import connect
from simulate.cluster.checking import Checked, check, read_stored
from simulate.cluster.faults import Fault, Journal, NotHealed, break_primary
from simulate.cluster.load import TABLES
from simulate.cluster.running import Cluster, ClusterNotWhole, running_cluster
from simulate.tournament.own_server import own_server

SERVERS = 3
# Postgres killed, the whole node killed or frozen, Patroni killed and Postgres left: as often as their times allow.
KINDS = ("postgres", "node", "postgres", "frozen", "patroni")
# Games are under way by then, and after each fault.
SETTLE_S = 3.0
VALKEY_PASSWORD = "cluster"  # noqa: S105  on the loopback, for hints alone


class Outcome(Struct, frozen=True, kw_only=True):
    """All faults, the checks after them, and the exit code of `spina audit --all`.

    `stopped` is the reason why the run ended early: it did not heal.
    """

    faults: list[Fault]
    checked: Checked
    audit: int
    stopped: str | None = None

    @property
    def is_held(self) -> bool:
        # 3: a game that is over waits for its proof.
        is_whole = self.stopped is None and not any(each.monitor for each in self.faults)
        return self.checked.is_held and is_whole and self.audit in (0, 3)


@asynccontextmanager
async def loaded(urls: Sequence[str], folder: Path) -> AsyncIterator[Journal]:
    """Play at each server from a process of its own; the journal is whole after the block."""
    journal, processes = Journal(), list[Process]()
    # A journal that cannot be read ends the simulation.
    async with asyncio.TaskGroup() as reading:
        try:
            for place in range(len(urls)):
                with (folder / f"load-{place}.log").open("wb") as told:
                    process = await asyncio.create_subprocess_exec(
                        *(sys.executable, "-m", "simulate.cluster.load", str(place * TABLES), *urls),
                        stdout=asyncio.subprocess.PIPE,
                        stderr=told,
                    )
                processes.append(process)
                reading.create_task(journal.read(process))
            yield journal
        finally:
            for process in processes:
                process.kill()


async def simulate_cluster(
    folder: Path, account: Account, *, kills: int, until_s: float, on_fault: Callable[[Fault], None]
) -> Outcome:
    """Break the primary so often, or until the monotonic time, then check all that was acknowledged and shown."""
    async with AsyncExitStack() as stack:
        cluster = await stack.enter_async_context(running_cluster(folder, account))
        await cluster.make_database()
        given = await given_settings(folder, account, cluster, stack)
        urls = [(await stack.enter_async_context(own_server(own, **given))).url for own in make_server_folders(folder)]
        spina = partial(run_command, {**os.environ, **{f"SPINA_{name}": text for name, text in given.items()}})
        looking = ("--policy", str(await fetch_policy(urls[0], folder)), "--mirror", str(folder / "mirror"), "--once")
        monitor = partial(spina, folder / "monitor.log", "monitor", urls[0], *looking)
        faults, stopped = list[Fault](), None
        async with loaded(urls, folder) as journal:
            try:
                await journal.wait_for_command(time.time() + SETTLE_S)
                for kind in islice(cycle(KINDS), kills):
                    if time.monotonic() > until_s:
                        break
                    faults.append(await break_primary(cluster, kind, journal, monitor))
                    on_fault(faults[-1])
                    await asyncio.sleep(SETTLE_S)
            except (NotHealed, ClusterNotWhole) as violation:
                stopped = str(violation)
        connection = await connect(cluster.owner_url)
        checked = check(await read_stored(connection), journal.entries)
        await connection.close()
        audit = await spina(folder / "audit.log", "audit", "--all", "--processes", "1")
        return Outcome(faults=faults, checked=checked, audit=audit, stopped=stopped)


def make_server_folders(folder: Path) -> list[Path]:
    folders = [folder / f"server-{number}" for number in range(SERVERS)]
    for each in folders:
        each.mkdir()
    return folders


async def given_settings(folder: Path, account: Account, cluster: Cluster, stack: AsyncExitStack) -> dict[str, str]:
    """Start Valkey, make the master key, and return the settings that all servers share."""
    held = stack.enter_context(hold(folder / "hints"))
    held.valkey.mkdir(mode=0o777)
    port = choose_port(())
    valkey = valkey_program(held, find_binaries(), port=port, password=VALKEY_PASSWORD)
    await stack.enter_async_context(supervised(valkey, account))
    key = folder / "master.key"
    create_key_file(key)
    return {
        "DATABASE_URL": cluster.database_url,
        "OWNER_DATABASE_URL": cluster.owner_url,
        "REPLICA_URLS": cluster.node_urls,
        "REDIS_URL": f"redis://:{VALKEY_PASSWORD}@{HOST}:{port}/0",
        "MASTER_KEY_FILE": str(key),
        "ORIGIN": "cluster.example/log",
    }


async def fetch_policy(url: str, folder: Path) -> Path:
    """Write the ledger's policy to a file, as its first reader does."""
    async with httpx.AsyncClient() as http:
        answer = await http.get(f"{url}/v1/ledger/policy")
    path = folder / "policy"
    path.write_bytes(answer.content)
    return path


async def run_command(environment: dict[str, str], log: Path, *arguments: str) -> int:
    """Run `spina` to its end and return its exit code."""
    with log.open("ab") as told:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "services.cli", *arguments), env=environment, stdout=told, stderr=told
        )
    return await process.wait()


def tell(outcome: Outcome) -> list[str]:
    """Return the table of the outcome, a line each."""
    rows = []
    for kind in dict.fromkeys(KINDS):
        found = [each for each in outcome.faults if each.kind == kind]
        if found:
            pauses = [each.without_writes_s for each in found]
            whole = median(each.whole_s for each in found)
            rows.append(
                f"{kind:9} {len(found):4}  without writes: median {median(pauses):5.1f} s, worst {max(pauses):5.1f} s;"
                f" whole again: median {whole:5.1f} s"
            )
    return rows
