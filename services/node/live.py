"""The parts of one process that push: its hub, presence and heartbeats, and tickets. All end with the block."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Never

from msgspec import Struct
from redis.asyncio import Redis

from domain.ids import StreamId, StreamVersion
from infra.hint_source import Heard, HintSource
from infra.redis.one_use import RedisOneUse
from infra.redis.presence import RedisPresence
from infra.unshared import MemoryOneUse
from services.api.live import Live
from services.api.parts import Parts
from services.live.hub import Limits, running_hub
from services.live.presence import BEAT_S, COUNT_S, beat_for_ever, count_for_ever
from services.live.steps import StepSources
from services.live.tickets import Tickets

PROCESS_BYTES = 8


class SharedHints:
    """A source of hints with a second listener, as a process has one connection for hints. Neither may raise."""

    def __init__(self, hints: HintSource, also: Heard) -> None:
        self._hints = hints
        self._also = also

    def subscribe(self, stream: StreamId) -> None:
        self._hints.subscribe(stream)

    def unsubscribe(self, stream: StreamId) -> None:
        self._hints.unsubscribe(stream)

    async def run(self, heard: Heard) -> Never:
        def tell_both(stream: StreamId, version: StreamVersion | None) -> None:
            self._also(stream, version)
            heard(stream, version)

        await self._hints.run(tell_both)


class Pace(Struct, frozen=True, kw_only=True):
    """Intervals of repeated work; tests do not wait so long."""

    limits: Limits = Limits()
    beat_s: float = BEAT_S
    count_s: float = COUNT_S


@asynccontextmanager
async def built_live(parts: Parts, redis: Redis | None, pace: Pace | None = None) -> AsyncIterator[Live]:
    pace = pace or Pace()
    sources = StepSources(histories=parts.histories, store=parts.store)
    # Those of tournaments come over the same connection.
    hints = SharedHints(parts.hints, parts.tournament_watches.hear)
    process = parts.random_bytes(PROCESS_BYTES).hex()
    presence = None if redis is None else RedisPresence(redis, process=process)
    tickets = Tickets(
        shared=None if redis is None else RedisOneUse(redis),
        own=MemoryOneUse(now_ms=parts.now_ms),
        random_bytes=parts.random_bytes,
    )
    company = (
        partial(beat_for_ever, beat_s=pace.beat_s),
        partial(count_for_ever, shared=presence, count_s=pace.count_s),
    )
    async with running_hub(sources, hints, now_ms=parts.now_ms, limits=pace.limits, company=company) as hub:
        parts.arena.on_written = hub.note_written
        yield Live(hub=hub, tickets=tickets)
