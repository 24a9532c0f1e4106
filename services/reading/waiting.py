"""Long polling for a version that does not exist yet: how long, and how far ahead it may be."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress

from infra.event_store import LINES_MAX

# How long a reader may wait for a version it knows of from elsewhere: an acknowledged one exists at once, so this
# is for a wait for another player's move, and short enough for every proxy on the way.
WAIT_S_MAX = 5.0
# No client can know a version further ahead than one command writes; waiting for it would be for nothing.
AHEAD_MAX = LINES_MAX
# Waiting for a game asks the log again each time; the pauses grow, so that many who wait cost little.
PAUSE_S_FIRST = 0.02
PAUSE_S_MAX = 0.5


async def pauses(ending: asyncio.Event) -> AsyncIterator[None]:
    """Yield after each of some pauses that grow, for `WAIT_S_MAX` at most, or until the event is set."""
    time_s, pause_s = asyncio.get_running_loop().time, PAUSE_S_FIRST
    deadline_s = time_s() + WAIT_S_MAX
    while time_s() + pause_s < deadline_s and not ending.is_set():
        began_s = time_s()
        await pause(ending, pause_s)
        # A process that stood still, as with its machine, has not waited meanwhile.
        deadline_s += max(0.0, time_s() - began_s - pause_s)
        pause_s = min(pause_s * 2, PAUSE_S_MAX)
        yield


async def pause(ending: asyncio.Event, pause_s: float) -> None:
    """Wait so long, or until the event is set."""
    with suppress(TimeoutError):
        async with asyncio.timeout(pause_s):
            await ending.wait()
