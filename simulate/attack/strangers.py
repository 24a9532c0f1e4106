"""The attackers of the suite, each at the strength at which a server once gave way.

Run as `python -m simulate.attack.strangers NAME`, with the target as JSON on standard input: a process of its own, so
that its work does not delay the honest players' clients.
"""

import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

import msgspec

from infra.open_files import raise_limit
from simulate.attack.wire import HOST, Line, Target, again_and_again, new_id, register, require_reached, write_request

HANDSHAKE = (
    "GET /v1/games/{game}/socket HTTP/1.1\r\nhost: {host}\r\nconnection: upgrade\r\nupgrade: websocket\r\n"
    "sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)
# Masked with zeros: a ping without content, and a text that is no command.
PINGS, TEXTS = b"\x89\x80\0\0\0\0" * 10_000, b"\x81\x82\0\0\0\0{}" * 10_000


async def refused_commands(target: Target) -> None:
    """18 accounts with 8 connections each resign seats that are not theirs, and check in where they did not enter."""
    tokens = await register(target, 18 * target.strength)

    async def refuse(token: str, line: Line) -> None:
        while True:
            body = {"command": new_id(), "seat": 0}
            await line.ask("POST", f"/v1/games/{target.game}/resign", body, token=token)
            body = {"command": new_id(), "round": 1, "entrant": 0}
            await line.ask("POST", f"/v1/tournaments/{target.tournament}/check-ins", body, token=token)

    await again_and_again(target, *(partial(refuse, name) for name in tokens for _ in range(8)))


async def half_bodies(target: Target) -> None:
    """1,100 connections send the beginning of a body, again when they are sent away."""
    head = (
        f"POST /v1/players HTTP/1.1\r\nhost: {HOST}\r\ncontent-type: application/json\r\ncontent-length: 40\r\n\r\n{{"
    )

    async def send_half(line: Line) -> None:
        line.writer.write(head.encode())
        await line.until_closed()

    await again_and_again(target, *[send_half] * 1_100 * target.strength)


async def silent_connections(target: Target) -> None:
    """8,200 connections that send nothing."""
    await again_and_again(target, *[Line.until_closed] * min(8_200 * target.strength, 16_000))


async def endless_heads(target: Target) -> None:
    """Send fields of a head without end."""

    async def pour(line: Line) -> None:
        line.writer.write(b"GET / HTTP/1.1\r\n")
        while True:
            line.writer.write(b"x: " + b"y" * 8_000 + b"\r\n")
            await line.writer.drain()

    await again_and_again(target, *[pour] * target.strength)


async def costly_reads(target: Target) -> None:
    """20 accounts, and as many connections without one, read many boards and finished games at once."""
    tokens = [*await register(target, 20 * target.strength), *[None] * 20 * target.strength]

    async def read(token: str | None, line: Line) -> None:
        while True:
            await line.ask("GET", f"/v1/games/{target.game}/boards?from=1", token=token)
            await line.ask("GET", "/v1/games?status=finished", token=token)

    await again_and_again(target, *(partial(read, name) for name in tokens))


async def waiting_requests(target: Target) -> None:
    """9 accounts wait with 40 requests each for a version that does not come."""
    tokens = await register(target, 9 * target.strength)

    async def wait(token: str, line: Line) -> None:
        while True:
            await line.ask("GET", f"/v1/games/{target.game}?min_version=4000", token=token)

    await again_and_again(target, *(partial(wait, name) for name in tokens for _ in range(40)))


async def delayed_games(target: Target) -> None:
    """10 accounts open delayed games as fast as they can, and read the list that has to look at each of them."""
    tokens = await register(target, 10 * target.strength)

    async def open_and_read(token: str, line: Line) -> None:
        while True:
            body = {"command": new_id(), "ruleset": "chariot-race@1", "seats": 2, "delay_s": 1}
            await line.ask("POST", "/v1/games", body, token=token)
            await line.ask("GET", "/v1/games?status=finished", token=token)

    await again_and_again(target, *(partial(open_and_read, name) for name in tokens))


async def full_stands(target: Target) -> None:
    """4,000 streams of one game."""

    async def follow(line: Line) -> None:
        line.writer.write(write_request("GET", f"/v1/games/{target.game}/live"))
        await line.until_closed()

    await again_and_again(target, *[follow] * min(4_000 * target.strength, 14_000))


async def _flood(target: Target, frames: bytes) -> None:
    async def flood(line: Line) -> None:
        line.writer.write(HANDSHAKE.format(game=target.game, host=HOST).encode())
        await line.reader.readuntil(b"\r\n\r\n")
        while True:
            line.writer.write(frames)
            await line.writer.drain()

    await again_and_again(target, *[flood] * 10 * target.strength)


async def unread_pings(target: Target) -> None:
    """10 sockets ping and read nothing."""
    await _flood(target, PINGS)


async def socket_texts(target: Target) -> None:
    """10 sockets send texts that are no commands."""
    await _flood(target, TEXTS)


async def offered_seats(target: Target) -> None:
    """4 accounts open private games that offer every seat to one player, and offer them again and again."""
    tokens = await register(target, 4 * target.strength)
    to = {"kind": "player", "player": target.player}

    async def offer(token: str, line: Line) -> None:
        while True:
            game = new_id()
            body = {
                "command": game,
                "ruleset": "chariot-race@1",
                "seats": 6,
                "visibility": "private",
                "offers": [to] * 6,
            }
            await line.ask("POST", "/v1/games", body, token=token)
            for seat, each in [(seat, item) for seat in range(6) for item in (None, to)]:
                body = {"command": new_id(), "seat": seat, "to": each}
                await line.ask("POST", f"/v1/games/{game}/offers", body, token=token)

    await again_and_again(target, *(partial(offer, name) for name in tokens))


async def empty_tables(target: Target) -> None:
    """10 accounts open public tables, delayed ones and others, leave them empty, and read the lobby."""
    tokens = await register(target, 10 * target.strength)

    async def open_tables(token: str, line: Line) -> None:
        while True:
            for delay_s in (0, 300):
                body = {"command": new_id(), "ruleset": "chariot-race@1", "seats": 2, "delay_s": delay_s}
                await line.ask("POST", "/v1/games", body, token=token)
            await line.ask("GET", "/v1/games?status=open", token=token)

    await again_and_again(target, *(partial(open_tables, name) for name in tokens))


async def house_bots(target: Target) -> None:
    """25 accounts call house bots to private tables, and do not sit down there."""
    tokens = await register(target, 25 * target.strength)
    offers = [None, {"kind": "house", "bot": "random"}]

    async def call(token: str, line: Line) -> None:
        while True:
            body = {"command": new_id(), "ruleset": "chariot-race@1", "seats": 2, "visibility": "private"}
            await line.ask("POST", "/v1/games", {**body, "offers": offers}, token=token)

    await again_and_again(target, *(partial(call, name) for name in tokens))


async def fast_bots(target: Target) -> None:
    """10 accounts call five house bots each that answer at once, begin a race against them, and resign from it."""
    tokens = await register(target, 10 * target.strength)
    offers = [None, *[{"kind": "house", "bot": "careful", "at_once": True}] * 5]

    async def race(token: str, line: Line) -> None:
        while True:
            game, seat = new_id(), {"seat": 0}
            body = {"command": game, "ruleset": "chariot-race@1", "seats": 6, "offers": offers}
            await line.ask("POST", "/v1/games", body, token=token)
            sitting = {"command": new_id(), **seat, "anchor": None, "links": 0, "key": None}
            await line.ask("POST", f"/v1/games/{game}/seats", sitting, token=token)
            # The server waits for the bots; the race begins soon afterwards.
            await line.ask("POST", f"/v1/games/{game}/ready", {"command": new_id(), **seat}, token=token)
            await line.ask("GET", f"/v1/games/{game}?min_version=20", token=token)
            await line.ask("POST", f"/v1/games/{game}/resign", {"command": new_id(), **seat}, token=token)

    await again_and_again(target, *(partial(race, name) for name in tokens))


async def waiting_notices(target: Target) -> None:
    """2 accounts add 20 webhooks at names that do not exist, and offer seats to themselves."""
    tokens = await register(target, 2 * target.strength)

    async def gather(token: str, line: Line) -> None:
        account = json.loads((await line.ask("GET", "/v1/account", token=token)).body)["id"]
        for number in range(20):
            to = {"kind": "webhook", "url": f"https://{number}.spina.invalid/"}
            body: dict[str, Any] = {"name": f"Way {number}", "kinds": ["seat_offered"], "quiet": None, "to": to}
            await line.ask("POST", "/v1/account/ways", body, token=token)
        to_self = {"kind": "player", "player": account}
        while True:
            body = {"command": new_id(), "ruleset": "chariot-race@1", "seats": 2, "visibility": "private"}
            await line.ask("POST", "/v1/games", {**body, "offers": [None, to_self]}, token=token)

    await again_and_again(target, *(partial(gather, name) for name in tokens))


# Answers that were once made anew for each caller, and a head of a thousand media types.
DEAR_PATHS = ("/v1/docs/scalar.js", "/v1/openapi.json", "/v1/games?status=finished&limit=1", "/nothing")
MANY_TYPES = "a/b;q=0.5," * 2_000


async def dear_answers(target: Target) -> None:
    """40 connections without an account ask for large answers, and for none with a head that is long to read."""

    async def ask(path: str, line: Line) -> None:
        while True:
            await line.ask("GET", path)
            await line.ask("GET", "/nothing", heads={"accept": MANY_TYPES})

    await again_and_again(target, *(partial(ask, path) for path in DEAR_PATHS for _ in range(10 * target.strength)))


async def unread_answers(target: Target) -> None:
    """120 connections ask for four megabytes, and read nothing."""

    async def ask(line: Line) -> None:
        line.writer.transport.pause_reading()  # type: ignore[attr-defined]  # a transport of a stream reads
        line.writer.write(write_request("GET", "/v1/docs/scalar.js"))
        await asyncio.sleep(target.seconds)

    await again_and_again(target, *[ask] * min(120 * target.strength, 900))


ATTACKS: Mapping[str, Callable[[Target], Awaitable[None]]] = {
    coroutine.__name__: coroutine
    for coroutine in (
        refused_commands,
        half_bodies,
        silent_connections,
        endless_heads,
        costly_reads,
        waiting_requests,
        delayed_games,
        full_stands,
        unread_pings,
        socket_texts,
        offered_seats,
        empty_tables,
        house_bots,
        fast_bots,
        waiting_notices,
        dear_answers,
        unread_answers,
    )
}


async def _attack(name: str, target: Target) -> None:
    await require_reached(target)
    sys.stdout.write("begun\n")
    sys.stdout.flush()
    with suppress(TimeoutError):
        async with asyncio.timeout(target.seconds):
            await ATTACKS[name](target)


if __name__ == "__main__":
    # Strangers have machines of their own: on this one the server and its players come first.
    os.nice(19)
    raise_limit()
    asyncio.run(_attack(sys.argv[1], msgspec.json.decode(sys.stdin.buffer.read(), type=Target)))
