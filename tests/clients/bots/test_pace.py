"""The pace of a bot, which may change while it thinks."""

import asyncio
from random import Random

from spina_players.bots.pace import Lane, Pace

HOUR_S = 3_600.0


async def test_a_thought_under_way_ends_as_soon_as_a_player_is_back() -> None:
    pace = Pace(HOUR_S)
    thinking = asyncio.create_task(pace.think(Random(7)))  # noqa: S311  a pace, no secret

    # After the first step of the task.
    asyncio.get_running_loop().call_soon(pace.set, 0)

    await asyncio.wait_for(thinking, timeout=10)


async def test_answers_in_a_hurry_follow_one_another_and_wait_no_longer_than_a_thought() -> None:
    lane = Lane(1.0)

    waits = [lane.reserve(100.0, at_most_s=2.5) for _ in range(5)]

    assert waits == [0.0, 1.0, 2.0, 2.5, 2.5]
    # Those that went another way left no gap.
    assert lane.reserve(102.0, at_most_s=2.5) == 1.0


async def test_a_bot_in_a_hurry_takes_its_place_in_the_lane_instead_of_a_thought() -> None:
    pace = Pace(0)
    pace.set(HOUR_S, Lane(0.0))

    await asyncio.wait_for(pace.think(Random(7)), timeout=10)  # noqa: S311  a pace, no secret


async def test_a_thought_takes_at_least_half_of_its_mean() -> None:
    loop = asyncio.get_running_loop()
    begun = loop.time()

    await Pace(0.1).think(Random(7))  # noqa: S311  a pace, no secret

    assert loop.time() - begun >= 0.05
