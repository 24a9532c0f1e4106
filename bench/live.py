"""How soon the last of many spectators knows of a move, beside a bare broadcast of the same bytes in the same run.

The race is played by another process and watched from a third; the subject is the process in between.
"""

import asyncio
import os
import secrets
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
from msgspec import Struct

from bench.bare_broadcast import BareBroadcast
from bench.child import Child, running_child
from bench.mover import Moved, MoverOrders
from bench.rate import percentile
from bench.served import HOST, served, served_api
from bench.spectators import Reached, Ready, SpectatorOrders
from domain.ids import GameId, StreamId, StreamVersion
from infra.uuid7 import build_uuid7
from services.api.live import Live
from services.node.building import Sources, read_clock_ms

# As in other figures of this kind: a move every fifth of a second, and some before the counting starts.
MOVE_EVERY_S = 0.2
WARM_UP_MOVES = 5
WARM_UP = '{"type":"heartbeat"}'


class Spread(Struct, frozen=True, kw_only=True):
    """From a commit (or the start of a broadcast) to the last spectator, and the cost of a delivered frame."""

    to_last_p50_ms: float
    to_last_p99_ms: float
    cpu_us_per_delivery: float


class LiveFigures(Struct, frozen=True, kw_only=True):
    spectators: int
    moves: int
    frames: int
    frame_bytes_mean: int
    # Growth of the process, its first buffer included. None for the bare server, which reuses this memory.
    bytes_per_spectator: int
    live: Spread
    bare: Spread
    to_last_ratio: float
    cpu_ratio: float


class _Meter:
    """Adds up the times of one server's moves."""

    def __init__(self) -> None:
        self.to_last_s: list[float] = []
        self.cpu_s = 0.0
        self.deliveries = 0

    def spread(self) -> Spread:
        ordered = sorted(self.to_last_s)
        return Spread(
            to_last_p50_ms=percentile(ordered, 50) * 1000,
            to_last_p99_ms=percentile(ordered, 99) * 1000,
            cpu_us_per_delivery=self.cpu_s / self.deliveries * 1e6,
        )


async def measure_live(app_url: str, redis_url: str, *, spectators: int, moves: int) -> LiveFigures:
    """Play that many moves before that many spectators, then broadcast the same frames barely."""
    live, bare = _Meter(), _Meter()
    game, key = GameId(StreamId(build_uuid7(read_clock_ms()))), secrets.token_bytes(32)
    orders = MoverOrders(database_url=app_url, redis_url=redis_url, master_key=key, game=game)
    async with running_child("bench.mover", orders) as mover:
        await mover.read(Moved)
        async with served_api(app_url, redis_url, key, Sources()) as (pushing, port):
            batches, bytes_per_spectator = await _measure_pushing(pushing, mover, live, (game, port, spectators, moves))
    async with _bare_server() as (broadcast, port):
        await _measure_bare(broadcast, batches, bare, (port, spectators))
    frames = [text for batch in batches for text in batch]
    figures = live.spread(), bare.spread()
    return LiveFigures(
        spectators=spectators,
        moves=len(live.to_last_s),
        frames=len(frames),
        frame_bytes_mean=sum(map(len, frames)) // len(frames),
        bytes_per_spectator=bytes_per_spectator,
        live=figures[0],
        bare=figures[1],
        to_last_ratio=figures[0].to_last_p50_ms / figures[1].to_last_p50_ms,
        cpu_ratio=figures[0].cpu_us_per_delivery / figures[1].cpu_us_per_delivery,
    )


async def _measure_pushing(
    live: Live, mover: Child, meter: _Meter, shape: tuple[GameId, int, int, int]
) -> tuple[list[list[str]], int]:
    game, port, spectators, moves = shape
    before = _resident_bytes()
    orders = SpectatorOrders(host=HOST, port=port, path=f"/v1/games/{game}/socket", count=spectators)
    batches: list[list[str]] = []
    async with running_child("bench.spectators", orders) as watching:
        await watching.read(Ready)
        await watching.read(Reached)
        bytes_per_spectator = (_resident_bytes() - before) // spectators
        known = live.hub.list_readers(game)[0].cursor
        for number in range(WARM_UP_MOVES + moves):
            await asyncio.sleep(MOVE_EVERY_S)
            cpu_s = time.process_time()
            mover.tell(b"move\n")
            moved = await mover.read(Moved)
            at_ns = await _until_reached(watching, moved.version)
            cpu_s = time.process_time() - cpu_s
            # Their frames, as one of them would resume: the same frames, encoded before.
            texts = await _read_frames(live, game, known, moved.version)
            known = StreamVersion(moved.version)
            if number >= WARM_UP_MOVES:
                batches.append(texts)
                meter.to_last_s.append((at_ns - moved.at_ns) / 1e9)
                meter.cpu_s += cpu_s
                meter.deliveries += spectators * len(texts)
            if moved.is_over:
                break
    return batches, bytes_per_spectator


async def _measure_bare(bare: BareBroadcast, batches: list[list[str]], meter: _Meter, shape: tuple[int, int]) -> None:
    port, spectators = shape
    orders = SpectatorOrders(host=HOST, port=port, path="/", count=spectators)
    async with running_child("bench.spectators", orders) as watching:
        await watching.read(Ready)
        for _ in range(WARM_UP_MOVES):
            await bare.broadcast([WARM_UP])
        for texts in batches:
            await asyncio.sleep(MOVE_EVERY_S)
            cpu_s, started_ns = time.process_time(), time.monotonic_ns()
            await bare.broadcast(texts)
            version = msgspec.json.decode(texts[-1])["version"]
            at_ns = await _until_reached(watching, version)
            meter.to_last_s.append((at_ns - started_ns) / 1e9)
            meter.cpu_s += time.process_time() - cpu_s
            meter.deliveries += spectators * len(texts)


async def _until_reached(watching: Child, version: int) -> int:
    while True:
        reached = await watching.read(Reached)
        if reached.version >= version:
            return reached.at_ns


async def _read_frames(live: Live, game: GameId, after: StreamVersion | None, last: int) -> list[str]:
    assert after is not None, "the spectators have a board"
    buffer = live.hub.list_readers(game)[0].buffer
    assert buffer is not None
    steps = {step.version: step for step in buffer.steps("public") or ()}
    return [
        steps[StreamVersion(version)].patch(steps[StreamVersion(version - 1)], None).text
        for version in range(after + 1, last + 1)
    ]


@asynccontextmanager
async def _bare_server() -> AsyncIterator[tuple[BareBroadcast, int]]:
    bare = BareBroadcast()
    async with served(bare, lambda: None) as port:
        yield bare, port


def _resident_bytes() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")
