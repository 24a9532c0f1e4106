"""Many spectators in one process that costs little: raw sockets on one poll, which look at no more than the version.

Run as `python -m bench.spectators`; orders on standard input, a line on standard output whenever a version has
reached the last of them, with the machine's monotonic clock, which is the same for all processes.
"""

import selectors
import socket
import struct
import sys
import time

import msgspec
from msgspec import Struct

CHUNK_SIZE = 256 * 1024
# A frame of a socket begins with two bytes; the second is its size, or says in how many bytes that follows.
HEAD_SIZE, SIZE_IN_TWO, SIZE_IN_EIGHT = 2, 126, 127
VERSION_MARK = b'{"version":'
KEY = "c3BpbmEtc3BlY3RhdG9ycw=="
CONNECT_TIMEOUT_S = 20.0


class SpectatorOrders(Struct, frozen=True, kw_only=True):
    host: str
    port: int
    path: str
    count: int


class Ready(Struct, frozen=True, kw_only=True, tag="ready"):
    """All are connected, and have been told this version at least."""

    count: int


class Reached(Struct, frozen=True, kw_only=True, tag="reached"):
    """The version has come to the last one at this instant."""

    version: int
    at_ns: int


class Spectator:
    def __init__(self, orders: SpectatorOrders) -> None:
        self.socket = socket.create_connection((orders.host, orders.port), timeout=CONNECT_TIMEOUT_S)
        self._pending = b""
        request = (
            f"GET {orders.path} HTTP/1.1\r\nHost: {orders.host}:{orders.port}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {KEY}\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )
        self.socket.sendall(request.encode())
        head = b""
        while b"\r\n\r\n" not in head:
            head += self.socket.recv(CHUNK_SIZE)
        if b" 101 " not in head.partition(b"\r\n")[0]:
            raise ConnectionError(head.partition(b"\r\n")[0].decode())
        self._pending = head.partition(b"\r\n\r\n")[2]
        self.socket.setblocking(False)  # noqa: FBT003  the name of the standard library's own parameter

    def receive(self) -> list[int]:
        """Return the versions of the frames that are complete now."""
        data = self.socket.recv(CHUNK_SIZE)
        if not data:
            raise ConnectionError("the server closed a spectator")
        self._pending += data
        return self.take()

    def take(self) -> list[int]:
        """Return the versions of the frames so far."""
        found, place, pending = [], 0, self._pending
        while len(pending) - place >= HEAD_SIZE:
            size, start = pending[place + 1], place + HEAD_SIZE
            if size == SIZE_IN_TWO:
                start, size = start + 2, int.from_bytes(pending[start : start + 2], "big")
            elif size == SIZE_IN_EIGHT:
                start, size = start + 8, struct.unpack("!Q", pending[start : start + 8].rjust(8, b"\0"))[0]
            if len(pending) < start + size:
                break
            if pending.startswith(VERSION_MARK, start):
                number = pending[start + len(VERSION_MARK) : start + len(VERSION_MARK) + 12]
                found.append(int(number.partition(b",")[0]))
            place = start + size
        self._pending = pending[place:]
        return found


def watch(orders: SpectatorOrders) -> None:
    """Connect all, then count, until standard input ends."""
    poll = selectors.DefaultSelector()
    poll.register(sys.stdin, selectors.EVENT_READ)
    reached: dict[int, int] = {}

    def count(versions: list[int]) -> None:
        for version in versions:
            reached[version] = reached.get(version, 0) + 1
            if reached[version] == orders.count:
                _say(Reached(version=version, at_ns=time.monotonic_ns()))

    spectators = []
    for _ in range(orders.count):
        spectator = Spectator(orders)
        spectators.append(spectator)
        poll.register(spectator.socket, selectors.EVENT_READ, spectator)
    _say(Ready(count=len(spectators)))
    for spectator in spectators:
        count(spectator.take())
    while True:
        for key, _ in poll.select():
            if key.data is None:
                return
            count(key.data.receive())


def _say(message: Ready | Reached) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(message) + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    watch(msgspec.json.decode(sys.stdin.buffer.readline(), type=SpectatorOrders))
