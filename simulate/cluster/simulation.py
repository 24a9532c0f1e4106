"""The whole simulation: nodes, servers and load started, primaries broken, and all that was acknowledged checked."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from itertools import cycle, takewhile
from pathlib import Path
from statistics import median

from msgspec.structs import asdict

from infra.embedded.account import Account
from infra.embedded.binaries import find_binaries
from infra.embedded.credentials import HOST, choose_port
from infra.embedded.folder import hold
from infra.embedded.programs import valkey_program
from infra.embedded.supervisor import supervised
from infra.keys import create_key_file
from simulate.cluster.faults import Fault, break_primary
from simulate.cluster.running import Cluster, ClusterNotWhole, running_cluster
from simulate.load.journal import NotHealed
from simulate.load.outcome import Outcome, judge
from simulate.load.players import Pace
from simulate.load.process import Table
from simulate.load.run import Run
from simulate.load.running import loaded, served

SERVERS, TABLES = 3, 6
PACE = Pace(ruleset="chariot-race", think_s=0.3, per_decision_ms=15_000)
# Postgres killed, the whole node killed or frozen, Patroni killed and Postgres left: as often as their times allow.
KINDS = ("postgres", "node", "postgres", "frozen", "patroni")
# Games are under way by then, and after each fault.
SETTLE_S = 3.0
VALKEY_PASSWORD = "cluster"  # noqa: S105  on the loopback, for hints alone


class ClusterOutcome(Outcome, frozen=True, kw_only=True):
    """The outcome of the load, and all faults."""

    faults: list[Fault]

    @property
    def told(self) -> str:
        return "\n".join((*tell(self.faults), super().told))


async def simulate_cluster(
    folder: Path, run: Run, account: Account, on_fault: Callable[[Fault], None]
) -> ClusterOutcome:
    """Break the primary so often, then check all that was acknowledged and shown."""
    faults: list[Fault] = []
    with run.heeding_signals():
        async with (
            running_cluster(folder, account) as cluster,
            given_settings(folder, account, cluster) as given,
            served(folder, SERVERS, **given) as at,
        ):
            async with loaded(at, run, *seat_tables(at.urls)) as load:
                try:
                    await load.journal.wait_for_command(time.time() + SETTLE_S)
                    # Each fault heals before the next one, or the end.
                    for kind in takewhile(lambda _: run.begin_kill(), cycle(KINDS)):
                        faults.append(await break_primary(cluster, kind, load.journal))
                        run.end_kill()
                        on_fault(faults[-1])
                        await asyncio.sleep(SETTLE_S)
                except (NotHealed, ClusterNotWhole) as violation:
                    run.stopped = str(violation)
                await load.ledger.expect_newest()
            return ClusterOutcome(faults=faults, **asdict(await judge(at, load, run)))


def seat_tables(urls: Sequence[str]) -> Iterator[list[Table]]:
    """Yield the tables of each server, whose readers are at the next one."""
    for place, url in enumerate(urls):
        yield [
            Table(number=number, pace=PACE, players=[url], reader=[urls[(place + 1) % len(urls)]])
            for number in range(place, TABLES, len(urls))
        ]


@asynccontextmanager
async def given_settings(folder: Path, account: Account, cluster: Cluster) -> AsyncIterator[dict[str, str]]:
    """Make the database and the master key, run Valkey, and yield the settings that all servers share."""
    await cluster.make_database()
    key, port = folder / "master.key", choose_port(())
    create_key_file(key)
    with hold(folder / "hints") as held:
        held.valkey.mkdir(mode=0o777)
        valkey = valkey_program(held, find_binaries(), port=port, password=VALKEY_PASSWORD)
        async with supervised(valkey, account):
            yield {
                "DATABASE_URL": cluster.database_url,
                "OWNER_DATABASE_URL": cluster.owner_url,
                "REPLICA_URLS": cluster.node_urls,
                "REDIS_URL": f"redis://:{VALKEY_PASSWORD}@{HOST}:{port}/0",
                "MASTER_KEY_FILE": str(key),
                "ORIGIN": "cluster.example/log",
            }


def tell(faults: Sequence[Fault]) -> Iterator[str]:
    """Yield the table of the faults, a line each."""
    for kind in dict.fromkeys(KINDS):
        found = [fault for fault in faults if fault.kind == kind]
        if found:
            pauses = [finding.without_writes_s for finding in found]
            whole = median(finding.whole_s for finding in found)
            yield (
                f"{kind:9} {len(found):4}  without writes: median {median(pauses):5.1f} s, worst {max(pauses):5.1f} s;"
                f" whole again: median {whole:5.1f} s"
            )
