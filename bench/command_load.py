"""One process that plays many games of the smallest ruleset at once, each command when the one before is answered.

Run as `python -m bench.command_load`; orders on standard input, figures on standard output.
"""

import asyncio
import sys
from collections.abc import Sequence
from time import perf_counter
from typing import Any, Literal
from uuid import uuid4

import httpx
import msgspec
import uvloop
from msgspec import Struct

from bench.movers import HttpMover, SocketMover

SEATS = 2
OPENING_AT_ONCE = 16
Way = Literal["http", "socket"]


class LoadOrders(Struct, frozen=True, kw_only=True):
    host: str
    port: int
    way: Way
    games: int
    # Of each game.
    commands: int


class Loaded(Struct, frozen=True, kw_only=True):
    elapsed_s: float
    # Of each game in the order of its commands.
    latencies_s: tuple[tuple[float, ...], ...]


class Table(Struct, frozen=True, kw_only=True):
    """A game that has started, and the tokens of its seats."""

    game: str
    tokens: tuple[str, ...]


async def load(orders: LoadOrders) -> Loaded:
    """Start all games, connect all seats, and only then look at the clock."""
    tables = await _open_tables(orders)
    connected = [[await _connect(orders, table.game, token) for token in table.tokens] for table in tables]
    started = perf_counter()
    latencies = await asyncio.gather(
        *(_play(table.game, movers, orders.commands) for table, movers in zip(tables, connected, strict=True))
    )
    elapsed_s = perf_counter() - started
    for movers in connected:
        for mover in movers:
            mover.close()
    return Loaded(elapsed_s=elapsed_s, latencies_s=tuple(latencies))


async def _play(game: str, movers: Sequence[HttpMover | SocketMover], commands: int) -> tuple[float, ...]:
    latencies = []
    for number in range(commands):
        seat = number % SEATS
        body = (
            f'{{"action":{{"kind":"add"}},"command":"{game[:-12]}{number + 1_000:012x}",'
            f'"decision":"add/{number}","seat":{seat}}}'
        ).encode()
        before = perf_counter()
        await movers[seat].command(body)
        latencies.append(perf_counter() - before)
    return tuple(latencies)


async def _connect(orders: LoadOrders, game: str, token: str) -> HttpMover | SocketMover:
    loop = asyncio.get_running_loop()
    mover = HttpMover(game, token) if orders.way == "http" else SocketMover(game, token)
    await loop.create_connection(lambda: mover, orders.host, orders.port)
    if isinstance(mover, SocketMover):
        await mover.open()
    return mover


async def _open_tables(orders: LoadOrders) -> list[Table]:
    async with httpx.AsyncClient(base_url=f"http://{orders.host}:{orders.port}/v1", timeout=60) as http:
        tokens = tuple([(await _post(http, "/players", None, {"name": name}))["token"] for name in ("Ada", "Bob")])
        tables = [Table(game=str(uuid4()), tokens=tokens) for _ in range(orders.games)]
        for first in range(0, len(tables), OPENING_AT_ONCE):
            await asyncio.gather(*(_start(http, table) for table in tables[first : first + OPENING_AT_ONCE]))
    return tables


async def _start(http: httpx.AsyncClient, table: Table) -> None:
    opening = {"command": table.game, "ruleset": "tally@1", "seats": SEATS}
    await _post(http, "/games", table.tokens[0], opening)
    for name in ("seats", "ready"):
        for seat, token in enumerate(table.tokens):
            await _post(http, f"/games/{table.game}/{name}", token, {"command": str(uuid4()), "seat": seat})


async def _post(http: httpx.AsyncClient, path: str, token: str | None, body: dict[str, Any]) -> Any:
    headers = {} if token is None else {"authorization": f"Bearer {token}"}
    response = await http.post(path, json=body, headers=headers)
    if not response.is_success:
        raise RuntimeError(f"{path} was answered with {response.status_code}: {response.text[:500]}")
    return response.json()


if __name__ == "__main__":
    loaded = uvloop.run(load(msgspec.json.decode(sys.stdin.buffer.readline(), type=LoadOrders)))
    sys.stdout.buffer.write(msgspec.json.encode(loaded) + b"\n")
