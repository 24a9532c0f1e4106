"""Presence and heartbeats of readers, beside the frames: how many follow a game, and that the stream still lives."""

import asyncio
from typing import Never

import structlog

from domain.ids import StreamId
from infra.redis.presence import PresenceAway, RedisPresence
from services.live.hub import Hub
from services.live.messages import Heartbeat, Presence

# Proxies cut connections that are silent for a minute, some for half of one.
BEAT_S = 15.0
# A number that changes more often than this cannot be read.
COUNT_S = 5.0
# A process that was killed is no longer counted after it has missed this many of its turns.
TURNS_BELIEVED = 3

log = structlog.get_logger()


async def beat_for_ever(hub: Hub, *, beat_s: float = BEAT_S) -> Never:
    """Tell those who got nothing for a while where the game is."""
    while True:
        await asyncio.sleep(beat_s)
        for game in hub.count_readers():
            for reader in hub.list_readers(game):
                if reader.is_quiet and reader.buffer is not None and reader.buffer.version:
                    reader.tell(Heartbeat(version=reader.buffer.version))
                reader.is_quiet = True


async def count_for_ever(hub: Hub, shared: RedisPresence | None, *, count_s: float = COUNT_S) -> Never:
    """Tell readers how many follow their game, when the number is another one."""
    said: dict[StreamId, int] = {}
    while True:
        await asyncio.sleep(count_s)
        counts = hub.count_readers()
        totals = counts
        if shared is not None:
            # A game that lost its last reader here is told of once more.
            gone = {game: 0 for game in said if game not in counts}
            try:
                totals = await shared.exchange(counts | gone, believed_ms=int(count_s * TURNS_BELIEVED * 1000))
            except PresenceAway as away:
                log.info("presence_disconnected", reason=str(away))
        said = counts
        for game in counts:
            for reader in hub.list_readers(game):
                if reader.count_told != totals[game]:
                    reader.count_told = totals[game]
                    reader.tell(Presence(readers=totals[game]))
