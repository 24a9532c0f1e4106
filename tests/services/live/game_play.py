"""Games of Torches played through any node's arena, a command at a time."""

from typing import Any

import msgspec
from msgspec.structs import replace

from domain.game.evolve import evolve
from domain.game.kind import GAMES
from domain.game.state import Game
from domain.ids import Seat, StreamVersion
from domain.log.replay import read_entry, replay
from infra.event_store import READ_LINES_MAX
from services.commands.arena import Arena
from services.live.steps import drop_nulls
from services.reading.shown import show_game
from tests.domain.game.game_harness import ADA, BOB, CATALOGUE, GAME, NOON, opening
from tests.services.commands.test_arena import ready, take
from tests.services.commands.test_arena_on_postgres import next_command
from tests.services.live.node import Node

COMMANDS_MAX = 500


async def open_game(arena: Arena, **terms: Any) -> None:
    await arena.handle(opening(seats=2, **terms))


async def start_game(arena: Arena, **terms: Any) -> None:
    await open_game(arena, **terms)
    for number, (seat, player) in enumerate(((0, ADA), (1, BOB))):
        await arena.handle(take(seat, player, 10 + number))
    for number, (seat, player) in enumerate(((0, ADA), (1, BOB))):
        await arena.handle(ready(seat, player, 20 + number))


async def play_one(arena: Arena, number: int, *, at_ms: int = NOON) -> StreamVersion:
    """Do the next thing that is owed; return the version it led to."""
    command = next_command(await arena.load(GAME), number)
    return (await arena.handle(replace(command, at_ms=at_ms))).last_version


async def play_some(arena: Arena, *, first: int, count: int) -> StreamVersion:
    """Play so many commands, or to the end; return the last version."""
    version = (await arena.load(GAME)).version
    for number in range(first, first + count):
        if (await arena.load(GAME)).status != "running":
            break
        version = await play_one(arena, number)
    return version


async def read_log(node: Node) -> list[bytes]:
    return await node.parts.store.read_stream(GAME, after=StreamVersion(0), limit=READ_LINES_MAX)


def fold_shown(lines: list[bytes], seat: Seat | None = None, secret: Any = None) -> Any:
    """Fold a log from nothing, and show the game that it makes as readers are shown it."""
    game: Game = replay(GAMES, lines[:1], CATALOGUE, secret=secret)
    for raw in lines[1:]:
        game = evolve(game, read_entry(GAMES, raw, game.ruleset))
    return drop_nulls(msgspec.json.decode(msgspec.json.encode(show_game(game, seat, is_complete=True))))
