"""Waits of tests of processes: a condition, looked at often, with a deadline."""

import asyncio
import inspect
import time
from collections.abc import Awaitable, Callable

DEADLINE_S = 30.0
INTERVAL_S = 0.02


async def eventually(
    condition: Callable[[], bool] | Callable[[], Awaitable[bool]], *, within_s: float = DEADLINE_S
) -> None:
    """Return as soon as the condition holds. Raises AssertionError when it does not in time."""
    deadline = time.monotonic() + within_s
    while True:
        found = condition()
        if await found if inspect.isawaitable(found) else found:
            return
        assert time.monotonic() < deadline, f"expected the condition to hold within {within_s} s, it did not"
        await asyncio.sleep(INTERVAL_S)
