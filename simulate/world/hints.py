"""The simulated channel of hints between nodes: it loses, doubles and delays them, at all times a few."""

import asyncio
from contextvars import Context, copy_context
from random import Random
from typing import Never

from domain.ids import StreamId, StreamVersion
from infra.hint_source import Heard
from simulate.world.faults import Weather

# How often a hint arrives.
COPIES = (0, 1, 1, 1, 1, 1, 1, 1, 1, 2)


class Channel:
    """Joins the hints of all nodes."""

    def __init__(self, weather: Weather, numbers: Random, world: Context) -> None:
        self._weather = weather
        self._numbers = numbers
        self._world = world
        self.ends: dict[int, NodeHints] = {}

    def carry(self, stream: StreamId, version: StreamVersion) -> None:
        for end in self.ends.values():
            for _ in range(self._numbers.choice(COPIES)):
                self.deliver(end, stream, version)

    def deliver(self, end: "NodeHints", stream: StreamId, version: StreamVersion | None) -> None:
        loop = asyncio.get_running_loop()
        if not self._weather.is_hit(loop.time(), end.node, "hints lost"):
            delay_s = self._weather.delay_s(loop.time(), end.node, "hints late")
            loop.call_later(delay_s, end.hear, stream, version, context=end.context)


class NodeHints:
    """The announcer and the source of hints of one run of a node."""

    is_failing = False

    def __init__(self, node: int, channel: Channel) -> None:
        self.node = node
        self.context = copy_context()
        self._channel = channel
        self._wanted: set[StreamId] = set()
        self._heard: Heard | None = None
        channel.ends[node] = self

    def announce(self, stream: StreamId, version: StreamVersion) -> None:
        self._channel.carry(stream, version)

    def subscribe(self, stream: StreamId) -> None:
        self._wanted.add(stream)
        self._channel.deliver(self, stream, None)

    def unsubscribe(self, stream: StreamId) -> None:
        self._wanted.discard(stream)

    async def run(self, heard: Heard) -> Never:
        self._heard = heard
        while True:
            await asyncio.Event().wait()

    def hear(self, stream: StreamId, version: StreamVersion | None) -> None:
        if self._heard is not None and stream in self._wanted:
            self._heard(stream, version)
