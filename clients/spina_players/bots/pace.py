"""The pace of a bot: how long it thinks before each answer. A change counts at once, also for a thought under way."""

import asyncio
from contextlib import suppress
from random import Random

# Thinking times lie between these parts of the mean, so that seats do not answer in step.
FACTORS = (0.5, 1.5)


class Pace:
    def __init__(self, mean_s: float) -> None:
        self._mean_s = mean_s
        self._changed = asyncio.Event()

    def set(self, mean_s: float) -> None:
        if mean_s != self._mean_s:
            self._mean_s = mean_s
            self._changed.set()

    async def think(self, numbers: Random) -> None:
        loop = asyncio.get_running_loop()
        begun, factor = loop.time(), numbers.uniform(*FACTORS)
        while (left_s := begun + factor * self._mean_s - loop.time()) > 0:
            self._changed.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(left_s):
                    await self._changed.wait()
