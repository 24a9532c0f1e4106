"""The pace of a bot, which may change while it thinks."""

import asyncio
from random import Random

from spina_players.bots.pace import Pace

HOUR_S = 3_600.0


async def test_a_thought_under_way_ends_as_soon_as_a_player_is_back() -> None:
    pace = Pace(HOUR_S)
    thinking = asyncio.create_task(pace.think(Random(7)))  # noqa: S311  a pace, no secret

    # After the first step of the task.
    asyncio.get_running_loop().call_soon(pace.set, 0)

    await asyncio.wait_for(thinking, timeout=10)


async def test_a_thought_takes_at_least_half_of_its_mean() -> None:
    loop = asyncio.get_running_loop()
    begun = loop.time()

    await Pace(0.1).think(Random(7))  # noqa: S311  a pace, no secret

    assert loop.time() - begun >= 0.05
