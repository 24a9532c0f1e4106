"""The pace of a bot: how long it thinks before each answer. A change counts at once, also for a thought under way."""

import asyncio
from contextlib import suppress
from random import Random

# Thinking times lie between these parts of the mean, so that seats do not answer in step.
FACTORS = (0.5, 1.5)


class Lane:
    """Answers without time to think follow one another: bots in a hurry leave a server's processor to its players."""

    def __init__(self, every_s: float) -> None:
        self._every_s = every_s
        self._free_s = 0.0

    def reserve(self, now_s: float, *, at_most_s: float) -> float:
        """Return how long to wait for the next place, or `at_most_s` where the lane is longer than that."""
        wait_s = max(0.0, self._free_s - now_s)
        if wait_s > at_most_s:
            return at_most_s
        self._free_s = now_s + wait_s + self._every_s
        return wait_s


class Pace:
    def __init__(self, mean_s: float) -> None:
        self._mean_s = mean_s
        self._lane: Lane | None = None
        self._changed = asyncio.Event()

    def set(self, mean_s: float, lane: Lane | None = None) -> None:
        """Have each answer take so long, or no longer than a lane asks for."""
        if (mean_s, lane) != (self._mean_s, self._lane):
            self._mean_s, self._lane = mean_s, lane
            self._changed.set()

    async def think(self, numbers: Random) -> None:
        loop = asyncio.get_running_loop()
        begun, factor = loop.time(), numbers.uniform(*FACTORS)
        is_changed = True
        while is_changed:
            self._changed.clear()
            thought_s = factor * self._mean_s
            if self._lane is not None:
                thought_s = self._lane.reserve(begun, at_most_s=thought_s)
            is_changed = await self._is_changed_within(begun + thought_s - loop.time())

    async def _is_changed_within(self, left_s: float) -> bool:
        if left_s > 0:
            with suppress(TimeoutError):
                async with asyncio.timeout(left_s):
                    return await self._changed.wait()
        return False
