"""Hears through Redis that streams have moved: one connection a process, one subscription a stream that has readers.

Survives outages of any length; every confirmed subscription, and every gap, is passed on as a possible change.
"""

import asyncio
from contextlib import suppress
from typing import Never

import structlog
from redis.asyncio import Redis
from redis.asyncio.client import PubSub
from redis.exceptions import RedisError

from domain.ids import StreamId, StreamVersion
from infra.hint_source import Heard
from infra.redis.announcer import RECONNECT_DELAY_S_FIRST, RECONNECT_DELAY_S_MAX, hint_channel
from infra.redis.client import REDIS_TIMEOUT_S

# With nothing heard for so long the connection is asked whether it lives; with no answer for as long again it is dead.
SILENCE_S = 5.0
# Channels in one command: some tens of kilobytes.
CHANNELS_MAX = 500
# Always subscribed to, so that the connection is one for hints also while no stream has readers.
IDLE_CHANNEL = "spina:live"
CHANNEL_PREFIX = hint_channel(StreamId(""))

log = structlog.get_logger()


class RedisHintSource:
    """Uses connections of the client it is given, which the caller closes."""

    def __init__(self, redis: Redis, *, silence_s: float = SILENCE_S) -> None:
        self._redis = redis
        self._silence_s = silence_s
        self._wanted: set[StreamId] = set()
        # Set when `_wanted` differs from the subscriptions of the connection.
        self._changed = asyncio.Event()
        self._is_away = False

    def subscribe(self, stream: StreamId) -> None:
        self._wanted.add(stream)
        self._changed.set()

    def unsubscribe(self, stream: StreamId) -> None:
        self._wanted.discard(stream)
        self._changed.set()

    async def run(self, heard: Heard) -> Never:
        delay_s = RECONNECT_DELAY_S_FIRST
        while True:
            try:
                # In a task of its own: before Python 3.13 a failed group leaves its parent counted as cancelled, and
                # before 3.11.3 the next timeout in such a task is a cancellation, which would end this loop unseen.
                await asyncio.create_task(self._listen(heard))
            except* (RedisError, OSError) as lost:
                delay_s = min(delay_s * 2, RECONNECT_DELAY_S_MAX) if self._is_away else RECONNECT_DELAY_S_FIRST
                self._note_away(lost.exceptions[0])
            await asyncio.sleep(delay_s)

    async def _listen(self, heard: Heard) -> None:
        """Keep one connection until it is lost."""
        hints = self._redis.pubsub()
        try:
            async with asyncio.TaskGroup() as tasks:
                async with asyncio.timeout(REDIS_TIMEOUT_S):
                    await hints.subscribe(IDLE_CHANNEL)
                tasks.create_task(self._receive(hints, heard))
                tasks.create_task(self._keep_subscribed(hints))
        finally:
            with suppress(RedisError, OSError):
                await hints.aclose()  # type: ignore[no-untyped-call]  # the driver types most of itself

    async def _keep_subscribed(self, hints: PubSub) -> None:
        subscribed: set[StreamId] = set()
        while True:
            self._changed.clear()
            new, old = list(self._wanted - subscribed), list(subscribed - self._wanted)
            subscribed = set(self._wanted)
            for start in range(0, len(new), CHANNELS_MAX):
                await hints.subscribe(*map(hint_channel, new[start : start + CHANNELS_MAX]))
            for start in range(0, len(old), CHANNELS_MAX):
                await hints.unsubscribe(*map(hint_channel, old[start : start + CHANNELS_MAX]))
            await self._changed.wait()

    async def _receive(self, hints: PubSub, heard: Heard) -> None:
        is_asked = False
        while True:
            message = await hints.get_message(timeout=self._silence_s)
            if message is None:
                if is_asked:
                    raise ConnectionError(f"nothing was heard for {2 * self._silence_s:g} s")
                async with asyncio.timeout(self._silence_s):
                    await hints.ping()
                is_asked = True
                continue
            is_asked = False
            self._note_back()
            stream = _stream_of(message["channel"])
            if stream is not None and message["type"] == "subscribe":
                heard(stream, None)
            elif stream is not None and message["type"] == "message":
                heard(stream, _version_of(message["data"]))

    def _note_away(self, error: Exception) -> None:
        if not self._is_away:
            log.warning("hints_disconnected", reason=str(error))
        self._is_away = True

    def _note_back(self) -> None:
        if self._is_away:
            log.info("hints_reconnected", stream_count=len(self._wanted))
        self._is_away = False


def _stream_of(channel: bytes | None) -> StreamId | None:
    text = "" if channel is None else channel.decode("ascii", "replace")
    return StreamId(text.removeprefix(CHANNEL_PREFIX)) if text.startswith(CHANNEL_PREFIX) else None


def _version_of(data: bytes) -> StreamVersion | None:
    """Return the version, or None for any other text, which is a reason to look."""
    return StreamVersion(int(data)) if data.isdigit() and len(data) < len(str(2**31)) else None
