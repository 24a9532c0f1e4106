"""One process that reads a page over HTTP from many connections, each again as soon as it is answered.

Run as `python -m bench.page_load`; orders on standard input, figures on standard output.
"""

import asyncio
import sys
from time import perf_counter

import msgspec
import uvloop
from msgspec import Struct

from bench.movers import CHUNK_END, Mover

GOOD = (b"HTTP/1.1 200", b"HTTP/1.1 304")
TAG = b"etag: "
LENGTH = b"content-length: "


class PageOrders(Struct, frozen=True, kw_only=True):
    """`knows_tag`: a reader who has the page asks whether it is still the same."""

    host: str
    port: int
    path: str
    readers: int
    reads: int
    knows_tag: bool


class PageLoaded(Struct, frozen=True, kw_only=True):
    knows_tag: bool
    elapsed_s: float
    latencies_s: tuple[float, ...]
    answer_size: int


class PageReader(Mover):
    """One connection that reads."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self._head = f"GET {path} HTTP/1.1\r\nhost: bench\r\n".encode()
        self.tag = b""

    async def read(self) -> bytes:
        """Ask, with the tag of the former answer if it is to be sent."""
        known = b"if-none-match: " + self.tag + b"\r\n" if self.tag else b""
        return await self.send(self._head + known + b"\r\n")

    def data_received(self, data: bytes) -> None:
        self.pending += data
        head, found, rest = self.pending.partition(CHUNK_END)
        if not found:
            return
        size = _find(head, LENGTH)
        if len(rest) >= int(size or b"0"):
            self.pending = b""
            self.tell(head + CHUNK_END + rest, is_good=head.startswith(GOOD))


async def load(orders: PageOrders) -> PageLoaded:
    """Connect all readers, let each read once, and only then look at the clock."""
    readers = [PageReader(orders.path) for _ in range(orders.readers)]
    loop, answers = asyncio.get_running_loop(), []
    for each in readers:
        await loop.create_connection(lambda reader=each: reader, orders.host, orders.port)  # type: ignore[misc]  # bound now
        answers.append(await each.read())
        each.tag = _find(answers[-1], TAG) if orders.knows_tag else b""
    started = perf_counter()
    latencies = await asyncio.gather(*(_read_often(each, orders.reads) for each in readers))
    elapsed_s = perf_counter() - started
    for each in readers:
        each.close()
    return PageLoaded(
        knows_tag=orders.knows_tag,
        elapsed_s=elapsed_s,
        latencies_s=tuple(each for of_one in latencies for each in of_one),
        answer_size=len(answers[0].partition(CHUNK_END)[2]),
    )


async def _read_often(reader: PageReader, reads: int) -> list[float]:
    latencies = []
    for _ in range(reads):
        before = perf_counter()
        await reader.read()
        latencies.append(perf_counter() - before)
    return latencies


def _find(head: bytes, name: bytes) -> bytes:
    """Return the value of a header, or nothing."""
    place = head.lower().find(name)
    return b"" if place < 0 else head[place + len(name) :].partition(b"\r\n")[0]


if __name__ == "__main__":
    loaded = uvloop.run(load(msgspec.json.decode(sys.stdin.buffer.readline(), type=PageOrders)))
    sys.stdout.buffer.write(msgspec.json.encode(loaded) + b"\n")
