"""Opening a connection to the primary among several database nodes, named in one URL as libpq has it.

Example: `postgresql://spina@db1,db2,db3/spina`. A node that is refused or silent costs no more than a moment.
"""

import asyncio
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import asyncpg

# A frozen node takes connections and says nothing; the next one is tried beside it.
NEXT_AFTER_S = 0.25
ATTRIBUTE = "target_session_attrs"

Opening = asyncio.Task[asyncpg.Connection]


class Session(asyncpg.Connection):
    """A connection that ends where a statement is given up, instead of cancelling the statement.

    A commit that waits for its replica becomes visible once the wait is cancelled, and could be acknowledged by a
    reader before it is anywhere else.
    """

    def _cancel_current_command(self, *_waiters: object) -> None:
        # The driver tells the caller first.
        asyncio.get_running_loop().call_soon(self.terminate)

    async def close(self, *, timeout: float | None = None) -> None:  # noqa: ASYNC109  the driver's own
        """Close in peace, or at once where the node does not answer in time."""
        with suppress(TimeoutError):
            await super().close(timeout=timeout)


def list_hosts(url: str) -> tuple[str, ...]:
    """Return a URL for each node. Of several, the one that takes writes is meant, unless the URL says otherwise."""
    parts = urlsplit(url)
    login, at, hosts = parts.netloc.rpartition("@")
    if "," not in hosts:
        return (url,)
    wanted = () if ATTRIBUTE in parts.query else (f"{ATTRIBUTE}=read-write",)
    query = "&".join((*filter(None, (parts.query,)), *wanted))
    return tuple(urlunsplit(parts._replace(netloc=f"{login}{at}{host}", query=query)) for host in hosts.split(","))


async def connect(dsn: str | None = None, *, timeout: float = 60, **options: Any) -> asyncpg.Connection:  # noqa: ASYNC109  as the driver's own
    """Connect to the first node that answers as the URL asks. Raises the fault of the last node, as the driver does."""
    assert dsn is not None, "every database here is named by a URL"
    options = {"connection_class": Session, **options, "timeout": timeout}
    waiting, opening = list(list_hosts(dsn)), set[Opening]()
    fault: BaseException | None = None
    try:
        async with asyncio.timeout(timeout):
            while waiting or opening:
                if waiting:
                    opening.add(asyncio.create_task(asyncpg.connect(waiting.pop(0), **options)))
                pause_s = NEXT_AFTER_S if waiting else None
                done, _ = await asyncio.wait(opening, timeout=pause_s, return_when=asyncio.FIRST_COMPLETED)
                for each in done:
                    opening.remove(each)
                    fault = each.exception()
                    if fault is None:
                        return each.result()
    finally:
        for each in opening:
            each.cancel()
            each.add_done_callback(_terminate)
    assert fault is not None, "a URL names a node"
    raise fault


def _terminate(opening: Opening) -> None:
    """Close a connection that was opened too late to be used."""
    if not opening.cancelled() and opening.exception() is None:
        opening.result().terminate()
