"""The write path on the real store: several processes' worth of arenas serve one game."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest
from msgspec.structs import replace

from domain.game.commands import GameCommand
from domain.game.kind import GAMES
from domain.game.state import Game
from domain.ids import CommandId, Seat, StreamVersion
from domain.log.replay import replay
from infra.event_store import READ_LINES_MAX
from infra.postgres.event_store import open_event_store
from services.commands.arena import Arena
from services.commands.write_path import Written
from tests.database import Database
from tests.domain.game.game_harness import ADA, BOB, CATALOGUE, GAME, NOON, SECRET, opening
from tests.domain.log.redeciding import redecide
from tests.services.commands.test_arena import arena_on, entrust, play_default, ready, start_game, take


@pytest.fixture
async def nodes(database: Database) -> AsyncIterator[list[Arena]]:
    """Three arenas, each with an appender and connections of its own, as in three processes."""
    async with AsyncExitStack() as stack:
        stores = [await stack.enter_async_context(open_event_store(database.app_url)) for _ in range(3)]
        yield [arena_on(store) for store in stores]


async def read_lines(database: Database) -> list[bytes]:
    async with open_event_store(database.app_url) as store:
        return await store.read_stream(GAME, after=StreamVersion(0), limit=READ_LINES_MAX)


def next_command(game: Game, number: int) -> GameCommand:
    owed = next(due.decision for due in game.owed if game.choices.get(due.decision.id) is None)
    command = CommandId(f"0199c0de-0000-7000-e000-{number:012d}")
    if owed.kind == "sealed":
        return replace(entrust(game, owed.seat, 1), id=command)
    return replace(play_default(game, owed.id, Seat(owed.seat)), id=command)


async def test_a_whole_game_is_played_over_three_nodes(nodes: list[Arena], database: Database) -> None:
    await start_game(nodes[0])
    game = await nodes[0].load(GAME)
    for number in range(500):
        if game.status != "running":
            break
        await nodes[number % 3].handle(next_command(game, number))
        game = await nodes[0].load(GAME)

    lines = await read_lines(database)
    assert game.status == "finished"
    assert redecide(GAMES, lines, CATALOGUE, SECRET) == replay(GAMES, lines, CATALOGUE, secret=SECRET)


async def test_the_same_command_from_two_nodes_at_once_is_done_once(nodes: list[Arena], database: Database) -> None:
    await nodes[0].handle(opening(seats=2))

    answers = await asyncio.gather(*(node.handle(take(0, ADA)) for node in nodes for _ in range(5)))

    assert all(isinstance(answer, Written) for answer in answers)
    assert len(set(answers)) == 1
    assert len(await read_lines(database)) == 2


async def test_seats_taken_at_once_over_all_nodes_are_all_taken(nodes: list[Arena], database: Database) -> None:
    await nodes[0].handle(opening(seats=2))

    await asyncio.gather(nodes[0].handle(take(0, ADA, 1)), nodes[1].handle(take(1, BOB, 2)))
    await asyncio.gather(nodes[1].handle(ready(0, ADA, 3)), nodes[2].handle(ready(1, BOB, 4)))

    lines = await read_lines(database)
    assert sum(b'"type":"game_started"' in line for line in lines) == 1
    assert redecide(GAMES, lines, CATALOGUE, SECRET) == replay(GAMES, lines, CATALOGUE, secret=SECRET)


async def test_opening_one_game_on_all_nodes_at_once_opens_one(nodes: list[Arena], database: Database) -> None:
    answers = await asyncio.gather(*(node.handle(opening(at_ms=NOON + each)) for each, node in enumerate(nodes)))

    assert len(set(answers)) == 1
    assert len(await read_lines(database)) == 1
