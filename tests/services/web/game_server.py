"""A server on which golden games are played again, line by line, for browsers that follow or replay them."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

from msgspec import Struct

import tests.domain.rulesets.chariot_race
import tests.domain.rulesets.charioteer
import tests.domain.rulesets.chariotmaster
from domain.chance import Secret
from domain.ids import GameId, LineHash, PlayerId, StreamVersion
from domain.log.record import GENESIS, line_hash
from domain.rulesets.released import KITS
from infra.event_store import Append
from infra.hint_source import MemoryHintSource
from infra.postgres.event_store import open_event_store
from tests.database import Database
from tests.services.api.server import VAULT
from tests.services.live.node import Node, pace, running_node

FOLDERS = (tests.domain.rulesets.charioteer, tests.domain.rulesets.chariot_race, tests.domain.rulesets.chariotmaster)
GOLDEN = {path.stem: path for folder in FOLDERS for path in sorted(Path(folder.__path__[0], "golden").glob("*.ndjson"))}
# The components of golden games, by their hash.
BOXES = {
    sha256(body).hexdigest(): body
    for type_folder in FOLDERS
    for body in (path.read_bytes() for path in Path(type_folder.__path__[0], "golden").glob("*.json"))
}
# One of each ruleset, with laps, wrecks and a finish.
CHARIOTEER = "three-seats-one-lap-tie"
CHARIOT_RACE = "a_shared_win"
# With wrecks, and drivers who are dragged, walk and leave the track.
CHARIOTMASTER = "walked_off"
# Readers are counted and told that the stream lives this often.
OFTEN_S = 0.3


class Golden(Struct, frozen=True, kw_only=True):
    """The log of a whole game, and where each of its commands begins."""

    name: str
    id: GameId
    lines: tuple[bytes, ...]
    starts: tuple[int, ...]
    secret: Secret

    @property
    def version(self) -> int:
        return len(self.lines)


def read_golden(name: str) -> Golden:
    lines = tuple(GOLDEN[name].read_bytes().splitlines())
    told = [json.loads(line) for line in lines]
    return Golden(
        name=name,
        id=GameId(told[0]["stream"]),
        lines=lines,
        starts=tuple(index for index, line in enumerate(told) if line["kind"] == "input"),
        secret=Secret(bytes.fromhex(told[-1]["data"]["secret"])),
    )


class Stage:
    """The game goes on when a test states so."""

    def __init__(self, node: Node, database: Database, golden: Golden, *, version: int) -> None:
        self.node = node
        self.database = database
        self.golden = golden
        # How many of its lines are stored.
        self.version = version

    @property
    def port(self) -> int:
        return int(self.node.address.rpartition(":")[2])

    @property
    def url(self) -> str:
        return f"http://{self.node.address}/games/{self.golden.id}"

    async def name_players(self) -> None:
        """Make the accounts of those who played: the one in seat 1 is called Driver 1."""
        for raw in self.golden.lines:
            line = json.loads(raw)
            if line["type"] == "seat_taken":
                data = line["data"]
                await self.node.parts.people.accounts.create_player(PlayerId(data["player"]), f"Driver {data['seat']}")

    async def play(self, *, upto: int | None = None) -> int:
        """Write whole commands until there are at least so many lines, or to the end; return how many there are."""
        upto = self.golden.version if upto is None else upto
        for start, end in pairwise((*self.golden.starts, self.golden.version)):
            if start >= self.version and self.version < upto:
                await self._append(self.golden.lines[start:end], start)
                self.version = end
        hints = self.node.parts.games.hints
        assert isinstance(hints, MemoryHintSource), "this node has no Redis"
        hints.announce(self.golden.id, StreamVersion(self.version))
        return self.version

    async def boards(self, seat: int | None = None) -> list[dict[str, Any]]:
        """Read the game after each line, as the API shows it."""
        boards: list[dict[str, Any]] = []
        start: int | None = 1
        while start is not None:
            asked = {"from": start} if seat is None else {"from": start, "seat": seat}
            answer = await self.node.client.get(f"/v1/games/{self.golden.id}/boards", params=asked)
            page = answer.json()
            boards += page["items"]
            start = page["next"]
        return boards

    async def _append(self, lines: tuple[bytes, ...], start: int) -> None:
        head = line_hash(self.golden.lines[start - 1]) if start else GENESIS
        await self.node.parts.store.append(
            Append(
                stream=self.golden.id,
                expected_version=StreamVersion(start),
                expected_head=LineHash(head),
                lines=lines,
                types=tuple(json.loads(line)["type"] for line in lines),
                hashes=tuple(line_hash(line) for line in lines),
                secret_box=None if start else VAULT.seal_secret(self.golden.id, self.golden.secret),
            )
        )


async def store_components(database: Database, golden: Golden) -> None:
    """Store the components of a golden game, as the release did that it was opened with."""
    named = json.loads(golden.lines[0])["data"]["ruleset"]
    body = BOXES.get(named["components"])
    # Those of this release are stored by the server.
    if body is not None:
        async with open_event_store(database.app_url) as store:
            await store.save_components(named["components"], ruleset=named["name"], version=named["version"], body=body)


@asynccontextmanager
async def staged(
    database: Database, name: str, *, upto: int | None = None, port: int = 0, stored: int = 0
) -> AsyncIterator[Stage]:
    """Serve, with so many lines of a golden game to begin with, or all; `stored` of them are there from before."""
    often = pace(look_s=OFTEN_S, beat_s=OFTEN_S)
    golden = read_golden(name)
    await store_components(database, golden)
    async with running_node(database, None, kits=KITS, pace=often, port=port) as node:
        stage = Stage(node, database, golden, version=stored)
        if not stored:
            await stage.name_players()
        await stage.play(upto=upto)
        yield stage
