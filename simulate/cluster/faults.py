"""The faults of a primary under load, one after the other, and how long no command was acknowledged."""

import asyncio
import time
from asyncio.subprocess import Process
from collections.abc import Awaitable, Callable
from itertools import pairwise

import msgspec
from msgspec import Struct

from simulate.cluster.load import Acked, Entry
from simulate.cluster.nodes import DatabaseNode
from simulate.cluster.running import Cluster

# Long enough that the new primary has taken commands.
FROZEN_AFTER_S = 3.0
HEALED_WITHIN_S = 180.0


class NotHealed(Exception):
    """The cluster, or the play at it, does not go on in time."""

    def __init__(self, expected: str, within_s: float) -> None:
        super().__init__(f"expected {expected} within {within_s:g} s, found none")


class Fault(Struct, frozen=True, kw_only=True):
    kind: str
    primary: str
    # From the last acknowledged command before the fault to the first after it.
    without_writes_s: float
    # Until all nodes could take the next fault.
    whole_s: float
    # Exit code of `spina monitor` afterwards, over the same mirror each time.
    monitor: int


class Journal:
    """The journals of all load processes, as they come."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.acked_at_s: list[float] = []

    async def read(self, process: Process) -> None:
        assert process.stdout is not None, "asked for at its start"
        async for line in process.stdout:
            entry: Entry = msgspec.json.decode(line, type=Entry)
            self.entries.append(entry)
            if isinstance(entry, Acked):
                self.acked_at_s.append(entry.at_s)

    async def wait_for_command(self, after_s: float, *, within_s: float = HEALED_WITHIN_S) -> None:
        """Wait until a command was acknowledged after this moment. Raises NotHealed."""
        try:
            async with asyncio.timeout(within_s):
                while not any(at_s > after_s for at_s in self.acked_at_s[-100:]):  # noqa: ASYNC110  other processes act
                    await asyncio.sleep(0.1)
        except TimeoutError:
            raise NotHealed("an acknowledged command", within_s) from None

    def longest_pause_s(self, from_s: float) -> float:
        """Return the longest time without an acknowledged command since just before a moment."""
        times = sorted(self.acked_at_s)
        recent = [max((at for at in times if at <= from_s), default=from_s), *(at for at in times if at > from_s)]
        return max((after - before for before, after in pairwise(recent)), default=0.0)


async def break_primary(cluster: Cluster, kind: str, journal: Journal, monitor: Callable[[], Awaitable[int]]) -> Fault:
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
        monitor=await monitor(),
    )


async def wait_for_successor(cluster: Cluster, primary: DatabaseNode) -> None:
    try:
        async with asyncio.timeout(HEALED_WITHIN_S):
            while await cluster.find_primary() in (None, primary):  # noqa: ASYNC110  other processes act
                await asyncio.sleep(0.2)
    except TimeoutError:
        raise NotHealed("a new primary", HEALED_WITHIN_S) from None
