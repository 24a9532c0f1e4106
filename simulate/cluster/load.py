"""One process of players and readers: `python -m simulate.cluster.load URL…`, with its journal on standard output.

Each table plays one timed game after the other at one server while a reader follows it at the next. The journal has a
line for every acknowledged command and every line that was shown.
"""

import asyncio
import hashlib
import sys
import time
from contextlib import suppress
from random import Random
from typing import Any

import httpx
import msgspec
from msgspec import Struct

from clients.bots.player import Bot, GameStandsStill, play_seat, read_bot
from domain.ruleset.kit import Kit
from domain.rulesets.released import find_kit
from infra.logging import configure_logging
from spina_client.client import Client, ClockTerms, Terms, register
from spina_client.connection import Connection, connected
from spina_client.ids import CommandId, GameId, Seat
from spina_client.problems import AnswerUnreadable, Refused, ServerUnreachable
from spina_client.seat import SeatAt
from spina_client.seat_secrets import build_seat_secrets
from spina_client.seen import Accepted

TABLES = 2
# Bots answer within a second: no clock expires unless an outage is charged to a player.
PER_DECISION_MS = 15_000
THINK_S = 0.3
AGAIN_S = 1.0
# Of a stream; the server sends a heartbeat every fifteen seconds.
SILENCE_S = 20.0
FRAME = 'data: {"version":'
PASSING = (Refused, ServerUnreachable, AnswerUnreadable, GameStandsStill, httpx.TransportError)


class Acked(Struct, frozen=True, kw_only=True, tag="acked"):
    """An acknowledged command: the versions that it wrote, and the hash of the last one."""

    game: str
    command: str
    first: int
    last: int
    head: str
    at_s: float


class Shown(Struct, frozen=True, kw_only=True, tag="shown"):
    """A line that a reader of a stream was shown; `reader` is the number of the stream that it followed."""

    game: str
    reader: int
    version: int
    hash: str


Entry = Acked | Shown


class Frame(Struct, frozen=True):
    """A frame of a stream, as far as it is compared."""

    version: int
    line: msgspec.Raw


def note(entry: Entry) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(entry) + b"\n")
    sys.stdout.buffer.flush()


class NotingClient(Client):
    """A client that writes down each answer to a command."""

    async def post(self, path: str, fields: dict[str, Any], *, command: CommandId | None = None) -> Accepted:
        command = command or self.new_id()
        answer = await super().post(path, fields, command=command)
        note(
            Acked(
                game=answer.game,
                command=command,
                first=answer.first_version,
                last=answer.last_version,
                head=answer.head,
                at_s=time.time(),
            )
        )
        return answer


async def seat_two(connection: Connection, kit: Kit) -> list[SeatAt]:
    """Open a timed game and sit two players down, who are ready."""
    clients = [NotingClient(connection, await register(connection, f"Player {place}")) for place in range(2)]
    clock = ClockTerms(per_decision_ms=PER_DECISION_MS, bank_ms=0)
    opened = await clients[0].open_game(Terms(ruleset=kit.reference, seats=2, clock=clock))
    seats = [SeatAt(client, opened.game, Seat(place), build_seat_secrets()) for place, client in enumerate(clients)]
    for at in seats:
        await at.take()
    for at in seats:
        await at.ready()
    return seats


async def play(at: SeatAt, kit: Kit) -> None:
    """Play the seat to the end of its game, through every outage."""

    async def think() -> None:
        await asyncio.sleep(THINK_S)

    whims = Random(int(at.seat))  # noqa: S311  bots have whims, chance comes from the server
    bot = Bot(choose=read_bot(kit, kit.favourites[0]), numbers=whims, think=think)
    while True:
        try:
            await play_seat(at, bot)
        except PASSING:
            await asyncio.sleep(AGAIN_S)
        else:
            return


async def follow(url: str, game: GameId, reader: int) -> None:
    """Read the stream to its end; a reader whose stream broke returns with its last version."""
    after = 0
    async with httpx.AsyncClient(base_url=url, timeout=SILENCE_S) as http:
        while True:
            with suppress(httpx.HTTPError):
                async with http.stream("GET", f"/v1/games/{game}/live", params={"after": after}) as answer:
                    if answer.status_code == httpx.codes.NO_CONTENT:
                        return
                    async for line in answer.aiter_lines():
                        if line.startswith(FRAME):
                            frame = msgspec.json.decode(line.removeprefix("data: "), type=Frame)
                            after, hash_ = frame.version, hashlib.sha256(bytes(frame.line)).hexdigest()
                            note(Shown(game=game, reader=reader, version=after, hash=hash_))
            await asyncio.sleep(AGAIN_S)


async def keep_table(urls: list[str], table: int, kit: Kit) -> None:
    async with connected(urls[table % len(urls)]) as connection, asyncio.TaskGroup() as readers:
        while True:
            try:
                seats = await seat_two(connection, kit)
            except PASSING:
                await asyncio.sleep(AGAIN_S)
                continue
            readers.create_task(follow(urls[(table + 1) % len(urls)], seats[0].game, table))
            await asyncio.gather(*(play(at, kit) for at in seats))


async def run(urls: list[str], first: int) -> None:
    kit = find_kit("chariot-race")
    assert kit is not None, "a released ruleset"
    async with asyncio.TaskGroup() as tables:
        for table in range(first, first + TABLES):
            tables.create_task(keep_table(urls, table, kit))


if __name__ == "__main__":
    # Its lines go to standard error. Its parent ends it.
    configure_logging("error")
    asyncio.run(run(sys.argv[2:], int(sys.argv[1])))
