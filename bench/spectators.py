"""Many spectators in one process that costs little: of a frame they look at no more than the version.

Run as `python -m bench.spectators`; orders on standard input, a line on standard output once all are connected and
whenever a version has reached the last of them, with the monotonic clock, which all processes of a machine share.
"""

import time
from collections import Counter
from collections.abc import Callable

import uvloop
from msgspec import Struct

from bench.child import read_orders, say, until_told
from bench.connections import SocketConnection, connect

VERSION_MARK = b'{"version":'
DIGITS_MAX = 12


class SpectatorOrders(Struct, frozen=True, kw_only=True):
    port: int
    path: str
    count: int


class Reached(Struct, frozen=True, kw_only=True):
    """The version has come to the last one at this instant; 0 where all are connected."""

    version: int
    at_ns: int


class Spectator(SocketConnection):
    def __init__(self, count: Callable[[int], None]) -> None:
        super().__init__()
        self._count = count

    def take(self, start: int, end: int) -> None:  # noqa: ARG002  as of every connection
        if self.pending.startswith(VERSION_MARK, start):
            number = start + len(VERSION_MARK)
            self._count(int(self.pending[number : number + DIGITS_MAX].partition(b",")[0]))


async def watch(orders: SpectatorOrders) -> None:
    """Connect all, and count until standard input ends."""
    reached: Counter[int] = Counter()

    def count(version: int) -> None:
        reached[version] += 1
        if reached[version] == orders.count:
            say(Reached(version=version, at_ns=time.monotonic_ns()))

    for _ in range(orders.count):
        spectator = await connect(Spectator(count), orders.port)
        await spectator.open(orders.path)
    say(Reached(version=0, at_ns=time.monotonic_ns()))
    await until_told()


if __name__ == "__main__":
    uvloop.run(watch(read_orders(SpectatorOrders)))
