"""The faults of a primary under load, one after the other, and how long no command was acknowledged."""

import asyncio
import time

from msgspec import Struct

from simulate.cluster.nodes import DatabaseNode
from simulate.cluster.running import Cluster
from simulate.load.journal import HEALED_WITHIN_S, Journal, NotHealed

# Long enough that the new primary has taken commands.
FROZEN_AFTER_S = 3.0


class Fault(Struct, frozen=True, kw_only=True):
    kind: str
    primary: str
    # From the last acknowledged command before the fault to the first after it.
    without_writes_s: float
    # Until all nodes could take the next fault.
    whole_s: float

    @property
    def told(self) -> str:
        return (
            f"{self.kind:9} {self.primary}: {self.without_writes_s:.1f} s without writes, "
            f"whole after {self.whole_s:.1f} s"
        )


async def break_primary(cluster: Cluster, kind: str, journal: Journal) -> Fault:
    """Break the primary, bring its node back, and wait until the cluster is whole.

    Raises NotHealed or ClusterNotWhole.
    """
    primary = await cluster.wait_until_whole()
    begun_s = time.time()
    if kind == "postgres":
        primary.kill_postgres()
    elif kind == "node":
        await primary.kill()
    elif kind == "patroni":
        await primary.kill_patroni()
    else:
        primary.freeze()
    await wait_for_successor(cluster, primary)
    await journal.wait_for_command(time.time())
    if kind in ("node", "patroni"):
        await primary.start()
    elif kind == "frozen":
        await asyncio.sleep(FROZEN_AFTER_S)
        primary.thaw()
    await cluster.wait_until_whole()
    whole_s = time.time() - begun_s
    await journal.wait_for_command(time.time())
    return Fault(
        kind=kind,
        primary=primary.place.name,
        without_writes_s=journal.longest_pause_s(begun_s),
        whole_s=whole_s,
    )


async def wait_for_successor(cluster: Cluster, primary: DatabaseNode) -> None:
    try:
        async with asyncio.timeout(HEALED_WITHIN_S):
            while await cluster.find_primary() in (None, primary):  # noqa: ASYNC110  other processes act
                await asyncio.sleep(0.2)
    except TimeoutError:
        raise NotHealed("a new primary", HEALED_WITHIN_S) from None
