"""Clocks in a server as it is started: where nobody plays, the game is played to its end all the same."""

import asyncio
import json
from pathlib import Path

from spina_client.client import Client, ClockTerms, Terms, register
from spina_client.connection import connected
from spina_client.ids import GameId, Seat
from spina_client.seat import SeatAt
from spina_client.seat_secrets import build_seat_secrets
from spina_client.seen import GameSeen
from tests.services.cli.program import PATIENCE_S, serving

# Both decide by then, or the rules do for them.
CLOCK = ClockTerms(per_decision_ms=300, bank_ms=0)


async def test_a_game_that_everybody_has_left_alone_goes_on_by_the_clock(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as server:
        url = server.until_ready().removesuffix("/v1/health")
        async with connected(url) as connection, asyncio.timeout(PATIENCE_S):
            clients = [Client(connection, await register(connection, name)) for name in ("Ada", "Bob")]
            game = await start(clients)
            seen = await wait_for_turn(clients[0], game, 3)
            lines = [json.loads(raw) async for raw in clients[0].read_events(game)]

    expired = [line for line in lines if line["type"] == "clock_expired"]
    assert {line["by"] for line in expired} == {"clock"}
    assert {line["data"]["seat"] for line in expired} == {0, 1}
    assert len({(line["data"]["seat"], line["data"]["decision"]) for line in expired}) == len(expired)
    assert all(owed.deadline is not None for owed in seen.owed)


async def start(clients: list[Client]) -> GameId:
    """Let a game of two begin."""
    terms = Terms(ruleset="charioteer@1", seats=len(clients), clock=CLOCK)
    game = (await clients[0].open_game(terms)).game
    seats = [SeatAt(client, game, Seat(place), build_seat_secrets()) for place, client in enumerate(clients)]
    for seat in seats:
        await seat.take()
    for seat in seats:
        await seat.ready()
    return game


async def wait_for_turn(client: Client, game: GameId, turn: int) -> GameSeen:
    """Read on until somebody owes a decision of that turn."""
    seen = await client.read_game(game)
    while not any(owed.decision.startswith(f"t{turn}/") for owed in seen.owed):
        seen = await client.read_next(game, seen.version) or seen
    return seen
