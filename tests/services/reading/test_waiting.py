"""A wait of a server stands still with its process: a frozen machine uses up none of it."""

import asyncio

from services.reading.waiting import WAIT_S_MAX, pauses


class LeapingLoop(asyncio.SelectorEventLoop):
    """A loop whose time leaps, as that of a process that was frozen."""

    leapt_s = 0.0

    def time(self) -> float:
        return super().time() + self.leapt_s

    def leap(self) -> None:
        self.leapt_s += 10 * WAIT_S_MAX


def test_a_process_that_stood_still_goes_on_waiting() -> None:
    loop, looks = LeapingLoop(), 3

    async def count_looks() -> int:
        count = 0
        async for _ in pauses(asyncio.Event()):
            count += 1
            if count == looks:
                break
            # In the middle of the next pause.
            loop.call_soon(loop.leap)
        return count

    try:
        assert loop.run_until_complete(count_looks()) == looks
    finally:
        loop.close()
