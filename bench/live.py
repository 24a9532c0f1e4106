"""How soon the last of many spectators knows of a move, beside a bare broadcast of the same bytes in the same run.

The race is played by another process and watched from a third; the subject is the process in between.
"""

import asyncio
import os
import secrets
import time
from pathlib import Path
from typing import Any

import msgspec

from bench.child import Child, running_child
from bench.figures import RATIO, Asked, Figures, Row, percentile
from bench.mover import Moved, build_orders
from bench.served import new_servers, served, served_api
from bench.spectators import Reached, SpectatorOrders
from domain.ids import GameId, StreamVersion
from services.api.games.live import Live
from services.node.building import Sources

Scope = dict[str, Any]

# As in other figures of this kind: a move every fifth of a second, and some before the counting starts.
MOVE_EVERY_S = 0.2
WARM_UP_MOVES = 5
WARM_UP = '{"type":"heartbeat"}'
LIVE, BARE = "live", "bare broadcast"


class BareBroadcast:
    """An ASGI app: every socket is accepted and sent each broadcast."""

    def __init__(self) -> None:
        self._sends: set[Any] = set()

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        if scope["type"] != "websocket":
            return
        await receive()
        await send({"type": "websocket.accept", "subprotocol": None, "headers": []})
        self._sends.add(send)
        try:
            while (await receive())["type"] != "websocket.disconnect":
                pass
        finally:
            self._sends.discard(send)

    async def broadcast(self, texts: list[str]) -> None:
        for send in list(self._sends):
            for text in texts:
                await send({"type": "websocket.send", "text": text})


class _Meter:
    """Adds up the times of one server's moves."""

    def __init__(self) -> None:
        self.to_last_s: list[float] = []
        self.cpu_s = 0.0
        self.deliveries = 0

    def rows(self) -> dict[str, float]:
        ordered = sorted(self.to_last_s)
        return {
            "to the last p50 ms": percentile(ordered, 50) * 1000,
            "to the last p99 ms": percentile(ordered, 99) * 1000,
            "CPU µs a delivery": self.cpu_s / self.deliveries * 1e6,
        }


async def measure(asked: Asked) -> list[Figures]:
    async with new_servers() as urls:
        spectators, moves = asked.size((1_000, 75), (50, 5))
        return [await measure_live(urls.database_url, urls.redis_url, spectators=spectators, moves=moves)]


async def measure_live(app_url: str, redis_url: str, *, spectators: int, moves: int) -> Figures:
    """Play that many moves before that many spectators, then broadcast the same frames barely."""
    live, bare = _Meter(), _Meter()
    key = secrets.token_bytes(32)
    orders = build_orders(app_url, redis_url, key)
    async with running_child("bench.mover", orders) as mover:
        await mover.read(Moved)
        async with served_api(app_url, redis_url, key, Sources()) as (pushing, port):
            path = f"/v1/games/{orders.game}/socket"
            watched = SpectatorOrders(port=port, path=path, count=spectators)
            batches, bytes_per_spectator = await _measure_pushing(pushing, mover, live, watched, (orders.game, moves))
    broadcast = BareBroadcast()
    async with served(broadcast, lambda: None) as port:
        await _measure_bare(broadcast, batches, bare, SpectatorOrders(port=port, path="/", count=spectators))
    frames = [text for batch in batches for text in batch]
    by_live, by_bare = live.rows(), bare.rows()
    rows: dict[str, Row] = {
        name: {LIVE: number, BARE: by_bare[name], RATIO: number / by_bare[name]} for name, number in by_live.items()
    }
    # Growth of the process, its first buffer included. Not of the bare server, which reuses this memory.
    rows["bytes a spectator"] = {LIVE: bytes_per_spectator}
    size = sum(map(len, frames)) // len(frames)
    told = f"{len(batches)} moves in {len(frames)} frames of {size:,} bytes"
    return Figures(title=f"{spectators:,} spectators of one game, {told}", rows=rows)


async def _measure_pushing(
    live: Live, mover: Child, meter: _Meter, orders: SpectatorOrders, shape: tuple[GameId, int]
) -> tuple[list[list[str]], int]:
    (game, moves), before = shape, _resident_bytes()
    batches: list[list[str]] = []
    async with running_child("bench.spectators", orders) as watching:
        await _until_reached(watching, 1)
        bytes_per_spectator = (_resident_bytes() - before) // orders.count
        known = live.hub.list_readers(game)[0].cursor
        for number in range(WARM_UP_MOVES + moves):
            await asyncio.sleep(MOVE_EVERY_S)
            cpu_s = time.process_time()
            mover.tell(b"move\n")
            moved = await mover.read(Moved)
            at_ns = await _until_reached(watching, moved.version)
            cpu_s = time.process_time() - cpu_s
            texts = _read_frames(live, game, known, moved.version)
            known = StreamVersion(moved.version)
            if number >= WARM_UP_MOVES:
                batches.append(texts)
                meter.to_last_s.append((at_ns - moved.at_ns) / 1e9)
                meter.cpu_s += cpu_s
                meter.deliveries += orders.count * len(texts)
            if moved.is_over:
                break
    return batches, bytes_per_spectator


async def _measure_bare(bare: BareBroadcast, batches: list[list[str]], meter: _Meter, orders: SpectatorOrders) -> None:
    async with running_child("bench.spectators", orders) as watching:
        await _until_reached(watching, 0)
        for _ in range(WARM_UP_MOVES):
            await bare.broadcast([WARM_UP])
        for texts in batches:
            await asyncio.sleep(MOVE_EVERY_S)
            cpu_s, started_ns = time.process_time(), time.monotonic_ns()
            await bare.broadcast(texts)
            at_ns = await _until_reached(watching, msgspec.json.decode(texts[-1])["version"])
            meter.to_last_s.append((at_ns - started_ns) / 1e9)
            meter.cpu_s += time.process_time() - cpu_s
            meter.deliveries += orders.count * len(texts)


async def _until_reached(watching: Child, version: int) -> int:
    while (reached := await watching.read(Reached)).version < version:
        pass
    return reached.at_ns


def _read_frames(live: Live, game: GameId, after: StreamVersion | None, last: int) -> list[str]:
    """Encode a move's frames again, as for a spectator who resumes."""
    assert after is not None, "the spectators have a board"
    buffer = live.hub.list_readers(game)[0].buffer
    assert buffer is not None
    steps = {step.version: step for step in buffer.steps("public") or ()}
    return [
        steps[StreamVersion(version)].patch(steps[StreamVersion(version - 1)], None).text
        for version in range(after + 1, last + 1)
    ]


def _resident_bytes() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")
