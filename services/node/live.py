"""The parts of one process that push: its hub, presence and heartbeats, and tickets. All end with the block."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Never

import structlog
from msgspec import Struct
from redis.asyncio import Redis

from domain.ids import StreamId, StreamVersion
from infra.hint_source import Heard, HintSource
from infra.redis.one_use import RedisOneUse
from infra.redis.presence import PresenceAway, RedisPresence
from infra.store_faults import StoreUnavailable
from infra.unshared import MemoryOneUse
from services.api.games.live import Live
from services.api.http.known_tokens import LOOK_S, KnownTokens
from services.api.http.parts import Parts
from services.live.hub import Hub, Limits, running_hub
from services.live.messages import Heartbeat, Presence
from services.live.steps import StepSources
from services.live.tickets import Tickets
from services.reading.tournaments.looks import has_look

# Proxies cut connections that are silent for a minute, some for half of one.
BEAT_S = 15.0
# A number that changes more often than this cannot be read.
COUNT_S = 5.0
# A process that was killed is no longer counted after it has missed this many of its turns.
TURNS_BELIEVED = 3

log = structlog.get_logger()

PROCESS_BYTES = 8


async def beat_for_ever(hub: Hub, *, beat_s: float = BEAT_S) -> Never:
    """Send a heartbeat to readers who got nothing for a while."""
    while True:
        await asyncio.sleep(beat_s)
        for game in hub.count_readers():
            for reader in hub.list_readers(game):
                if reader.is_quiet and reader.buffer is not None and reader.buffer.version:
                    reader.tell(Heartbeat(version=reader.buffer.version))
                reader.is_quiet = True


async def count_for_ever(hub: Hub, shared: RedisPresence | None, *, count_s: float = COUNT_S) -> Never:
    """Send readers the number of followers of their game, when it has changed."""
    said: dict[StreamId, int] = {}
    while True:
        await asyncio.sleep(count_s)
        counts = hub.count_readers()
        totals = counts
        if shared is not None:
            # A game that lost its last reader here is counted once more.
            gone = {game: 0 for game in said if game not in counts}
            try:
                totals = await shared.exchange(counts | gone, believed_ms=int(count_s * TURNS_BELIEVED * 1000))
            except PresenceAway as away:
                log.info("presence_disconnected", reason=str(away) or type(away).__name__)
        said = counts
        for game in counts:
            for reader in hub.list_readers(game):
                if reader.count_told != totals[game]:
                    reader.count_told = totals[game]
                    reader.tell(Presence(readers=totals[game]))


async def watch_tokens_for_ever(hub: Hub, known: KnownTokens) -> Never:
    """End the streams of tokens that have ended."""
    while True:
        await asyncio.sleep(LOOK_S)
        # While the store is away nothing new can be read or done either.
        with suppress(StoreUnavailable):
            hub.end_tokens(await known.look())


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


# Without a limit on requests there is none on the readers of a network: measurements come from one machine.
UNBOUNDED = Limits(readers_per_network_max=1_000_000, own_readers_max=1_000_000)


class Pace(Struct, frozen=True, kw_only=True):
    """Intervals of repeated work; tests do not wait so long."""

    limits: Limits = Limits()
    beat_s: float = BEAT_S
    count_s: float = COUNT_S


@asynccontextmanager
async def built_live(parts: Parts, redis: Redis | None, pace: Pace | None = None) -> AsyncIterator[Live]:
    pace = pace or Pace(limits=Limits() if parts.rates.is_limiting else UNBOUNDED)
    looks = partial(has_look, parts.tournaments.histories)
    sources = StepSources(histories=parts.games.histories, store=parts.store, looks=looks)
    # Those of tournaments come over the same connection.
    hints = SharedHints(parts.games.hints, parts.tournaments.watches.hear)
    process = parts.random_bytes(PROCESS_BYTES).hex()
    presence = None if redis is None else RedisPresence(redis, process=process)
    tickets = Tickets(
        shared=None if redis is None else RedisOneUse(redis),
        own=MemoryOneUse(now_ms=parts.now_ms),
        random_bytes=parts.random_bytes,
    )
    company = (
        partial(beat_for_ever, beat_s=pace.beat_s),
        partial(watch_tokens_for_ever, known=parts.people.known_tokens),
        partial(count_for_ever, shared=presence, count_s=pace.count_s),
    )
    async with running_hub(sources, hints, now_ms=parts.now_ms, limits=pace.limits, company=company) as hub:
        parts.games.arena.on_written = hub.note_written
        yield Live(hub=hub, tickets=tickets)
