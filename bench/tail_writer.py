"""One writing process of the tailing measurement; its orders come on standard input, as a URL holds a password.

Run as `python -m bench.tail_writer` with {"url", "games", "appends", "lines"} on standard input.
"""

import asyncio
import sys
from uuid import uuid4

import msgspec
from msgspec import Struct

from bench.append import build_append
from domain.ids import StreamId, StreamVersion
from domain.log.record import GENESIS
from infra.postgres.appender import Appender


class WriterOrders(Struct, frozen=True, kw_only=True):
    url: str
    games: int
    appends: int
    lines: int

    def __repr__(self) -> str:
        return "WriterOrders(…)"


async def write(orders: WriterOrders) -> None:
    """Play all games at once, each append when the one before of its game is durable."""
    async with Appender(orders.url) as appender, asyncio.TaskGroup() as tasks:
        for _ in range(orders.games):
            tasks.create_task(_play(appender, orders))


async def _play(appender: Appender, orders: WriterOrders) -> None:
    game, head, version = StreamId(str(uuid4())), GENESIS, StreamVersion(0)
    for _ in range(orders.appends):
        append = build_append(game, orders.lines, head=head, version=version)
        await appender.append(append)
        head, version = append.hashes[-1], append.last_version


if __name__ == "__main__":
    asyncio.run(write(msgspec.json.decode(sys.stdin.buffer.read(), type=WriterOrders)))
