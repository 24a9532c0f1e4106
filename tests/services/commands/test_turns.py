"""The turns of games: one command at a time, so many in waiting, nothing kept of those that are over."""

import asyncio

import pytest

from services.commands.turns import WAITING_MAX, StreamTurns, TooManyWaiting
from tests.domain.game.game_harness import GAME


async def test_a_game_takes_only_so_many_commands_in_waiting_and_keeps_no_turns() -> None:
    turns = StreamTurns()
    entered = asyncio.Event()
    leave = asyncio.Event()

    async def take_turn() -> None:
        async with turns.of(GAME):
            entered.set()
            await leave.wait()

    waiting = [asyncio.ensure_future(take_turn()) for _ in range(WAITING_MAX)]
    await entered.wait()
    with pytest.raises(TooManyWaiting):
        await take_turn()
    leave.set()
    await asyncio.gather(*waiting)

    assert len(turns) == 0
