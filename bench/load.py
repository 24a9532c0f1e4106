"""One process that sends requests from many connections, each when the one before is answered: commands, or reads.

Run as `python -m bench.load`; orders on standard input, figures on standard output.
"""

import asyncio
from collections.abc import Callable, Sequence
from itertools import chain
from time import perf_counter
from typing import Any, Literal
from uuid import uuid4

import httpx2
import msgspec
import uvloop
from msgspec import Struct

from bench.child import LOAD_PROCESSOR, read_orders, running_child, say
from bench.connections import HEAD_END, HOST, HttpConnection, SocketConnection, connect, find_header
from bench.figures import Row, build_rate

SEATS = 2
OPENING_AT_ONCE = 16
Way = Literal["http", "socket"]
# From the number of a request to its answer.
Ask = Callable[[int], asyncio.Future[bytes]]


class CommandOrders(Struct, frozen=True, kw_only=True, tag="commands"):
    """Games of the smallest ruleset at once; `requests` are the commands of each."""

    port: int
    way: Way
    games: int
    requests: int


class ReadOrders(Struct, frozen=True, kw_only=True, tag="reads"):
    """Readers of one path. One who `knows_tag` has the page, and asks whether it is still the same."""

    port: int
    path: str
    readers: int
    requests: int
    knows_tag: bool


class Orders(Struct, frozen=True, kw_only=True):
    load: CommandOrders | ReadOrders


class Loaded(Struct, frozen=True, kw_only=True):
    """Latencies are of each game or reader in the order of its requests; `answer_size` is that of a page."""

    elapsed_s: float
    latencies_s: tuple[tuple[float, ...], ...]
    answer_size: int = 0

    def rate(self) -> Row:
        return build_rate(list(chain.from_iterable(self.latencies_s)), elapsed_s=self.elapsed_s)


async def measure_load(orders: CommandOrders | ReadOrders) -> Loaded:
    """Run the process on a processor of its own."""
    async with running_child("bench.load", Orders(load=orders), processor=LOAD_PROCESSOR) as child:
        return await child.read(Loaded)


async def load(orders: CommandOrders | ReadOrders) -> Loaded:
    """Connect all, and only then look at the clock."""
    asks, size = await (_connect_games(orders) if isinstance(orders, CommandOrders) else _connect_readers(orders))
    started = perf_counter()
    latencies = await asyncio.gather(*(_repeat(ask, orders.requests) for ask in asks))
    return Loaded(elapsed_s=perf_counter() - started, latencies_s=tuple(latencies), answer_size=size)


async def _repeat(ask: Ask, requests: int) -> tuple[float, ...]:
    latencies = []
    for number in range(requests):
        before = perf_counter()
        await ask(number)
        latencies.append(perf_counter() - before)
    return tuple(latencies)


async def _connect_readers(orders: ReadOrders) -> tuple[list[Ask], int]:
    """Let each reader read once; return their requests, and the size of the page."""
    readers = [await connect(HttpConnection(), orders.port) for _ in range(orders.readers)]
    head = f"GET {orders.path} HTTP/1.1\r\nhost: bench\r\n".encode()
    answers = [await reader.send(head + b"\r\n") for reader in readers]
    tag = find_header(answers[0], b"etag: ")
    request = head + (b"if-none-match: " + tag + b"\r\n" if orders.knows_tag else b"") + b"\r\n"
    return [_build_read(reader, request) for reader in readers], len(answers[0].partition(HEAD_END)[2])


def _build_read(reader: HttpConnection, request: bytes) -> Ask:
    return lambda _: reader.send(request)


async def _connect_games(orders: CommandOrders) -> tuple[list[Ask], int]:
    games, tokens = await _open_games(orders)
    return [await _connect_game(orders, game, tokens) for game in games], 0


async def _connect_game(orders: CommandOrders, game: str, tokens: Sequence[str]) -> Ask:
    """Connect both seats, which follow the game too where they have sockets."""
    seats: list[Callable[[bytes], asyncio.Future[bytes]]] = []
    for token in tokens:
        authorization = f"authorization: Bearer {token}\r\n"
        if orders.way == "socket":
            socket = await connect(SocketConnection(), orders.port)
            await socket.open(f"/v1/games/{game}/socket", authorization)
            seats.append(socket.command)
        else:
            head = f"POST /v1/games/{game}/actions HTTP/1.1\r\nhost: bench\r\n{authorization}"
            seats.append(_build_post(await connect(HttpConnection(), orders.port), head))

    def ask(number: int) -> asyncio.Future[bytes]:
        seat = number % SEATS
        command = f"{game[:-12]}{number + 1_000:012x}"
        body = f'{{"action":{{"kind":"add"}},"command":"{command}","decision":"add/{number}","seat":{seat}}}'
        return seats[seat](body.encode())

    return ask


def _build_post(connection: HttpConnection, head: str) -> Callable[[bytes], asyncio.Future[bytes]]:
    before = f"{head}content-type: application/json\r\ncontent-length: ".encode()
    return lambda body: connection.send(before + str(len(body)).encode() + HEAD_END + body)


async def _open_games(orders: CommandOrders) -> tuple[list[str], list[str]]:
    """Start all games; return their ids, and the tokens of the seats."""
    async with httpx2.AsyncClient(base_url=f"http://{HOST}:{orders.port}/v1", timeout=60) as http:
        tokens = [(await _post(http, "/players", None, {"name": name}))["token"] for name in ("Ada", "Bob")]
        games = [str(uuid4()) for _ in range(orders.games)]
        for first in range(0, len(games), OPENING_AT_ONCE):
            await asyncio.gather(*(_start(http, game, tokens) for game in games[first : first + OPENING_AT_ONCE]))
    return games, tokens


async def _start(http: httpx2.AsyncClient, game: str, tokens: Sequence[str]) -> None:
    await _post(http, "/games", tokens[0], {"command": game, "ruleset": "tally@1", "seats": SEATS})
    for name in ("seats", "ready"):
        for seat, token in enumerate(tokens):
            await _post(http, f"/games/{game}/{name}", token, {"command": str(uuid4()), "seat": seat})


async def _post(http: httpx2.AsyncClient, path: str, token: str | None, body: dict[str, Any]) -> Any:
    headers = {} if token is None else {"authorization": f"Bearer {token}"}
    response = await http.post(path, json=body, headers=headers)
    if not response.is_success:
        raise RuntimeError(f"{path} was answered with {response.status_code}: {response.text[:500]}")
    return msgspec.json.decode(response.content)


if __name__ == "__main__":
    say(uvloop.run(load(read_orders(Orders).load)))
