"""Announce through Redis that a stream has new lines. A hint, never the truth: it may be lost, late or repeated.

Called after the commit, so it may never raise into the write path nor make it wait.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import structlog
from redis.asyncio import Redis
from redis.exceptions import RedisError

from domain.ids import StreamId, StreamVersion
from infra.redis.client import REDIS_TIMEOUT_S, build_redis

# Streams whose newest version waits to be announced: seconds of a busy server while Redis restarts, a megabyte or so.
HINTS_MAX = 10_000

# Hints in one round trip; larger ones would make the others wait for no gain.
PUBLISH_BATCH_MAX = 500
# While streams move faster than this, their hints go together: a round trip for each costs as much as making a frame,
# and no reader sees a frame come two milliseconds later. The first hint after a pause goes at once.
GATHERING_S = 0.002
RECONNECT_DELAY_S_FIRST = 0.05
RECONNECT_DELAY_S_MAX = 1.0
# A stopping server still announces its commits, if Redis takes the hints within this.
FLUSH_TIMEOUT_S = 1.0
log = structlog.get_logger()


class NewestHints:
    """Hints in the order in which their streams last moved, oldest first, one a stream."""

    def __init__(self, hints_max: int = HINTS_MAX) -> None:
        self._hints_max = hints_max
        self.newest: dict[StreamId, StreamVersion] = {}
        self.dropped_count = 0

    def note(self, stream: StreamId, version: StreamVersion) -> None:
        """Take a hint in; when too many streams wait, the oldest is dropped and counted."""
        known = self.newest.pop(stream, StreamVersion(0))
        self.newest[stream] = max(known, version)
        if len(self.newest) > self._hints_max:
            self.newest.pop(next(iter(self.newest)))
            self.dropped_count += 1

    def oldest(self, count: int) -> dict[StreamId, StreamVersion]:
        return dict(list(self.newest.items())[:count])

    def forget(self, told: Mapping[StreamId, StreamVersion]) -> None:
        """Take out the hints that were sent, except where a newer version came meanwhile."""
        for stream, version in told.items():
            if self.newest.get(stream) == version:
                del self.newest[stream]


def hint_channel(stream: StreamId) -> str:
    return f"spina:stream:{stream}"


class RedisAnnouncer:
    """Made by `redis_announcer`, which owns its task and its connection."""

    def __init__(self, redis: Redis, *, hints_max: int = HINTS_MAX, gathering_s: float = GATHERING_S) -> None:
        self._redis = redis
        self._gathering_s = gathering_s
        self._waiting = NewestHints(hints_max)
        self._has_hints = asyncio.Event()
        self._is_away = False
        # Whether a bug, not Redis, keeps hints from being published.
        self.is_failing = False

    @property
    def dropped_count(self) -> int:
        return self._waiting.dropped_count

    def announce(self, stream: StreamId, version: StreamVersion) -> None:
        """Hand over a hint and return at once. When too many wait, the oldest is dropped and counted."""
        self._waiting.note(stream, version)
        self._has_hints.set()

    async def publish_for_ever(self) -> None:
        """Publish the waiting hints, at once after a pause; on a fault, try again with growing pauses."""
        delay_s = RECONNECT_DELAY_S_FIRST
        while True:
            await self._has_hints.wait()
            if await self._try_batch():
                delay_s = RECONNECT_DELAY_S_FIRST
                await asyncio.sleep(self._gathering_s)
            else:
                await asyncio.sleep(delay_s)
                delay_s = min(delay_s * 2, RECONNECT_DELAY_S_MAX)

    async def flush(self) -> None:
        """Publish all that waits now, unless that cannot be done."""
        while self._waiting.newest and await self._try_batch():
            pass

    async def _try_batch(self) -> bool:
        try:
            return await self._publish_batch()
        except Exception:
            # A bug, in a part that commands do not need: they go on; log and health describe why readers are slow.
            self.is_failing = True
            log.exception("announcer_failed", waiting_count=len(self._waiting.newest))
            return False

    async def _publish_batch(self) -> bool:
        batch = self._waiting.oldest(PUBLISH_BATCH_MAX)
        try:
            pipeline = self._redis.pipeline(transaction=False)
            for stream, version in batch.items():
                pipeline.publish(hint_channel(stream), str(version))
            async with asyncio.timeout(REDIS_TIMEOUT_S):
                await pipeline.execute()
        except (RedisError, OSError) as error:
            self._note_away(error)
            return False
        self._note_back()
        self.is_failing = False
        self._waiting.forget(batch)
        if not self._waiting.newest:
            self._has_hints.clear()
        return True

    def _note_away(self, error: Exception) -> None:
        if not self._is_away:
            log.warning("announcer_disconnected", reason=str(error))
        self._is_away = True

    def _note_back(self) -> None:
        if self._is_away:
            log.info("announcer_reconnected", dropped_count=self.dropped_count)
        self._is_away = False


@asynccontextmanager
async def redis_announcer(url: str, *, hints_max: int = HINTS_MAX) -> AsyncIterator[RedisAnnouncer]:
    """Run an announcer: its one task ends, and its connection is closed, with the block."""
    async with build_redis(url) as redis:
        announcer = RedisAnnouncer(redis, hints_max=hints_max)
        publishing = asyncio.create_task(announcer.publish_for_ever(), name="announcer")
        try:
            yield announcer
        finally:
            publishing.cancel()
            await asyncio.wait({publishing})
            await _flush(announcer)


async def _flush(announcer: RedisAnnouncer) -> None:
    try:
        async with asyncio.timeout(FLUSH_TIMEOUT_S):
            await announcer.flush()
    except TimeoutError:
        log.warning("announcer_stopped_early", dropped_count=announcer.dropped_count)
