"""A process that appends to many games at once: `python -m tests.infra.postgres.writer URL GAMES APPENDS`."""

import asyncio
import sys

from infra.postgres.appender import Appender
from tests.appends import following, new_game, opening


async def write(url: str, *, games: int, appends: int) -> None:
    async with Appender(url) as appender, asyncio.TaskGroup() as tasks:
        for _ in range(games):
            tasks.create_task(_play(appender, appends))


async def _play(appender: Appender, appends: int) -> None:
    last = opening(new_game())
    await appender.append(last)
    for number in range(appends - 1):
        last = following(last, 1 + number % 3)
        await appender.append(last)


if __name__ == "__main__":
    asyncio.run(write(sys.argv[1], games=int(sys.argv[2]), appends=int(sys.argv[3])))
