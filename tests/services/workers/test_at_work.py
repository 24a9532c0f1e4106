"""A worker lasts as long as the block beside which it works, whatever becomes of it."""

import asyncio

from services.workers.at_work import at_work


async def test_a_worker_is_stopped_and_awaited_when_the_block_ends() -> None:
    told: list[str] = []

    async def work() -> None:
        told.append("begun")
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            told.append("tidied up")

    async with at_work(work(), name="worker"):
        await asyncio.sleep(0)
        told.append("block")

    assert told == ["begun", "block", "tidied up"]


async def test_a_worker_that_failed_does_not_harm_the_block() -> None:
    async def work() -> None:
        raise OSError("gone")

    async with at_work(work(), name="worker"):
        await asyncio.sleep(0)
