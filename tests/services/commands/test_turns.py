"""The turns of streams: one command at a time, a place for each sender, nothing kept of those that are over."""

import asyncio
from contextlib import AsyncExitStack

import pytest

from services.commands.turns import WAITING_MAX, StreamTurns, TooManyWaiting
from tests.domain.game.game_harness import GAME


class Senders:
    """Commands that wait for the turn of one game, which a command of the test holds until it is let go."""

    def __init__(self) -> None:
        self.turns = StreamTurns()
        self.served: list[str] = []
        self._tasks: list[asyncio.Task[None]] = []

    async def send(self, place: str, *, count: int = 1) -> list[asyncio.Task[None]]:
        tasks = [asyncio.create_task(self._take_turn(place)) for _ in range(count)]
        self._tasks += tasks
        await asyncio.sleep(0)
        return tasks

    async def finish(self) -> None:
        await asyncio.wait(self._tasks)

    async def _take_turn(self, place: str) -> None:
        async with self.turns.of(GAME, place):
            self.served.append(place)
            await asyncio.sleep(0)


async def test_a_burst_of_one_sender_delays_another_by_one_command() -> None:
    senders = Senders()

    async with senders.turns.of(GAME, "first"):
        await senders.send("stranger", count=WAITING_MAX)
        await senders.send("player", count=2)
    await senders.finish()

    assert senders.served[:5] == ["stranger", "player", "stranger", "player", "stranger"]
    assert len(senders.turns) == 0


async def test_a_sender_has_only_so_many_commands_in_waiting_and_fills_no_place_but_its_own() -> None:
    senders = Senders()

    async with senders.turns.of(GAME, "first"):
        await senders.send("stranger", count=WAITING_MAX)
        (refused,) = await senders.send("stranger")
        with pytest.raises(TooManyWaiting):
            await refused
        (waiting,) = await senders.send("player")
    await senders.finish()

    assert waiting.exception() is None
    assert len(senders.turns) == 0


@pytest.mark.parametrize("is_next", [True, False])
async def test_a_command_that_was_given_up_passes_its_turn_on(*, is_next: bool) -> None:
    senders = Senders()

    async with AsyncExitStack() as first:
        await first.enter_async_context(senders.turns.of(GAME, "first"))
        (given_up,) = await senders.send("given up")
        await senders.send("player")
        if is_next:
            await first.aclose()
        given_up.cancel()
    await senders.finish()

    assert senders.served == ["player"]
    assert len(senders.turns) == 0
