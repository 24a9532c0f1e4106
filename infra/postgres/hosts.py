"""Opening a connection to the primary among several database nodes, named in one URL as libpq has it.

Example: `postgresql://spina@db1,db2,db3/spina`. A node that is refused or silent costs no more than a moment.
"""

import asyncio
import time
from collections.abc import Collection
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import asyncpg

from infra.postgres.array_types import ARRAY_TYPES, NO_QUESTION
from infra.steady_count import count_ns

# A frozen node takes connections and states nothing; the next one is tried beside it.
NEXT_AFTER_S = 0.25
ATTRIBUTE = "target_session_attrs"

# Where replicas confirm each commit, all that the node shows so far is on one of them afterwards. A primary that
# crashed shows commits of which no replica has heard, and one that was frozen does not know its successor.
WAIT_FOR_REPLICA = """
select pg_logical_emit_message(true, 'spina', '')
 where current_setting('synchronous_standby_names') <> '' and not pg_is_in_recovery()
"""


class NotConfirmed(TimeoutError):
    """A node does not state in time that a replica has its commits."""

    def __init__(self) -> None:
        super().__init__("a node whose commits no replica confirms, or which is silent")


class Session(asyncpg.Connection):
    """A connection that ends where a statement is given up, instead of cancelling the statement.

    A commit that waits for its replica becomes visible once the wait is cancelled, and could be acknowledged by a
    reader before it is anywhere else.
    """

    _confirmed_ns: int | None = None

    async def confirm(self, *, timeout_s: float) -> None:
        """Return once no commit that this session may see can be lost with its node. Raises NotConfirmed."""
        begun_ns = count_ns()
        try:
            await self.fetchval(WAIT_FOR_REPLICA, timeout=timeout_s)
        except TimeoutError:
            raise NotConfirmed from None
        self._confirmed_ns = begun_ns

    async def confirm_after(self, for_s: float, *, timeout_s: float) -> None:
        """Confirm again where that was so long ago that the node may have been succeeded meanwhile."""
        if self._confirmed_ns is None or count_ns() - self._confirmed_ns > for_s * 1e9:
            await self.confirm(timeout_s=timeout_s)

    async def _introspect_types(self, typeoids: Collection[int], timeout: float | None) -> Any:  # noqa: ASYNC109  the driver's own
        """Answer for arrays of the catalogue: the driver's question costs the server 10 ms of each session."""
        if ARRAY_TYPES.keys() >= set(typeoids):
            return [ARRAY_TYPES[oid] for oid in typeoids], NO_QUESTION
        return await super()._introspect_types(typeoids, timeout)  # type: ignore[misc]  # the stubs leave it out

    def _cancel_current_command(self, *_waiters: object) -> None:
        # The driver informs the caller first.
        asyncio.get_running_loop().call_soon(self.terminate)

    async def close(self, *, timeout: float | None = None) -> None:  # noqa: ASYNC109  the driver's own
        """Close in peace, or at once where the node does not answer in time."""
        with suppress(TimeoutError):
            await super().close(timeout=timeout)


def list_hosts(url: str) -> tuple[str, ...]:
    """Return a URL for each node. Of several, the one that takes writes is meant, unless the URL states otherwise."""
    parts = urlsplit(url)
    login, at, hosts = parts.netloc.rpartition("@")
    if "," not in hosts:
        return (url,)
    wanted = () if ATTRIBUTE in parts.query else (f"{ATTRIBUTE}=read-write",)
    query = "&".join((*filter(None, (parts.query,)), *wanted))
    return tuple(urlunsplit(parts._replace(netloc=f"{login}{at}{host}", query=query)) for host in hosts.split(","))


async def connect(dsn: str | None = None, *, timeout: float = 60, **options: Any) -> Session:  # noqa: ASYNC109  as the driver's own
    """Connect to the first node that answers as the URL asks, and whose commits are confirmed.

    Raises the fault of the last node, as the driver does, or NotConfirmed where that is the fault of one.
    """
    assert dsn is not None, "every database here is named by a URL"
    until_s = time.monotonic() + timeout
    options = {"connection_class": Session, **options}
    waiting, opening = list(list_hosts(dsn)), set[asyncio.Task[Session]]()
    fault: BaseException | None = None
    try:
        while waiting or opening:
            if waiting:
                opening.add(asyncio.create_task(_open(waiting.pop(0), until_s, options)))
            pause_s = NEXT_AFTER_S if waiting else None
            done, _ = await asyncio.wait(opening, timeout=pause_s, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                opening.remove(task)
                found = task.exception()
                if found is None:
                    return task.result()
                fault = fault if isinstance(fault, NotConfirmed) else found
    finally:
        for each in opening:
            each.cancel()
            each.add_done_callback(_terminate)
    assert fault is not None, "a URL names a node"
    raise fault


async def _open(url: str, until_s: float, options: dict[str, Any]) -> Session:
    session: Session = await asyncpg.connect(url, timeout=max(0.0, until_s - time.monotonic()), **options)
    try:
        await session.confirm(timeout_s=max(0.0, until_s - time.monotonic()))
    except BaseException:
        session.terminate()
        raise
    return session


def _terminate(opening: asyncio.Task[Session]) -> None:
    """Close a connection that was opened too late to be used."""
    if not opening.cancelled() and opening.exception() is None:
        opening.result().terminate()
