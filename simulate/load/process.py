"""One process of tables, with its journal on standard output: `python -m simulate.load.process TABLES`.

At each table players play one game after the other while a reader follows it.
"""

import asyncio
import sys
from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256
from itertools import count

import httpx2
import msgspec
from msgspec import Struct

from infra.logging import configure_logging
from simulate.load.in_turn import InTurn
from simulate.load.journal import Entry, Shown
from simulate.load.players import AGAIN_S, Note, Pace, play_on
from spina_client.connection import connected
from spina_client.ids import GameId

# Of a stream; the server sends a heartbeat every fifteen seconds.
SILENCE_S = 20.0
FRAME = 'data: {"version":'


class Table(Struct, frozen=True, kw_only=True):
    """The addresses to which its players go in turn, and those to which its reader does."""

    number: int
    pace: Pace
    players: list[str]
    reader: list[str]


class Frame(Struct, frozen=True):
    """A frame of a stream, as far as it is compared."""

    version: int
    line: msgspec.Raw


def write(entry: Entry) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(entry) + b"\n")
    sys.stdout.buffer.flush()


async def keep_table(table: Table, note: Note) -> None:
    async with (
        connected(table.players[0], transport=InTurn(table.players)) as connection,
        httpx2.AsyncClient(base_url=table.reader[0], transport=InTurn(table.reader), timeout=SILENCE_S) as http,
        asyncio.TaskGroup() as readers,
    ):
        await play_on(
            connection, table.pace, note, lambda game: readers.create_task(follow(http, game, table.number, note))
        )


async def follow(http: httpx2.AsyncClient, game: GameId, reader: int, note: Note) -> None:
    """Read the game to its end; a reader whose stream broke returns with its last version."""
    after = 0
    for stream in count():
        with suppress(httpx2.HTTPError):
            async with http.stream("GET", f"/v1/games/{game}/live", params={"after": after}) as answer:
                if answer.status_code == httpx2.codes.NO_CONTENT:
                    return
                async for line in answer.aiter_lines():
                    if line.startswith(FRAME):
                        frame = msgspec.json.decode(line.removeprefix("data: "), type=Frame)
                        after, hash_ = frame.version, sha256(frame.line).hexdigest()
                        note(Shown(game=game, reader=reader, stream=stream, version=after, hash=hash_))
        await asyncio.sleep(AGAIN_S)


async def run(tables: Sequence[Table]) -> None:
    async with asyncio.TaskGroup() as together:
        for table in tables:
            together.create_task(keep_table(table, write))


if __name__ == "__main__":
    # Its lines go to standard error. Its parent ends it.
    configure_logging("error")
    asyncio.run(run(msgspec.json.decode(sys.argv[1], type=list[Table])))
