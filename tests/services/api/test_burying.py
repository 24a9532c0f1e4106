"""Each thing of which a stranger makes many, with each reader of the account it is aimed at: a running game stays."""

from collections.abc import Awaitable, Callable
from contextlib import aclosing
from typing import Any

import msgspec
import pytest

from domain.ids import GameId, PlayerId, StreamId
from services.api.accounts.account_events import stream_own_games
from services.api.accounts.calendar_feed import list_entries
from services.api.accounts.own_games import GAMES_MAX
from tests.services.api.player import GAME, Player, expect, register, seat_two
from tests.services.api.server import Api
from tests.services.api.test_own_games import CLOCK, read_events, read_own

COUNT = GAMES_MAX + 2


def name_game(number: int) -> GameId:
    return GameId(StreamId(f"{GAME[:-4]}{number:04d}"))


async def bury_by_offers(strangers: list[Player], player: Player) -> None:
    """Offer a seat in many private games."""
    offers = [None, {"kind": "player", "player": player.id}]
    for number in range(COUNT):
        opener = strangers[number % len(strangers)]
        await expect(opener.open(command=name_game(number + 100), visibility="private", offers=offers), 201)


async def bury_by_offers_in_one_game(strangers: list[Player], player: Player) -> None:
    """Offer a seat of one game as often as its log takes it."""
    opener = strangers[0]
    opener.game = name_game(100)
    await expect(opener.open(command=opener.game, visibility="private"), 201)
    for number in range(COUNT):
        to = {"kind": "player", "player": player.id} if number % 2 else None
        await opener.command("offers", seat=1, to=to)


async def bury_by_tables(strangers: list[Player], _player: Player) -> None:
    """Open many public tables."""
    for number in range(COUNT):
        opener = strangers[number % len(strangers)]
        await expect(opener.open(command=name_game(number + 100)), 201)


async def read_list(api: Api, player: Player) -> bool:
    items = (await read_own(api, player))["items"]
    return bool(items) and items[0]["game"] == GAME and items[0]["deadline"] is not None


async def read_stream(api: Api, player: Player) -> bool:
    async with aclosing(stream_own_games(api.parts, PlayerId(player.id), after_ms=0, look_s=0.01)) as events:
        told = await read_events(events, api, 1)
    return any(name == "your_turn" and game["game"] == GAME for name, game, _ in told)


async def read_calendar(api: Api, player: Player) -> bool:
    body = {"name": "Calendar", "kinds": ["your_turn"], "quiet": None, "to": {"kind": "calendar"}}
    way = (await expect(player.post("/account/ways", body), 201))["id"]
    row = await api.parts.people.ways.find(way)
    assert row is not None
    return any(each.path == f"/games/{GAME}" for each in [entry async for entry in list_entries(api.parts, row)])


async def read_record(api: Api, player: Player) -> bool:
    answer = await api.client.get(f"/v1/players/{player.id}/games", headers=player.headers)
    items: list[dict[str, Any]] = msgspec.json.decode(answer.content)["items"]
    return bool(items[0]["game"] == GAME)


async def read_lobby(api: Api, player: Player) -> bool:
    answer = await api.client.get("/v1/games", headers=player.headers)
    items: list[dict[str, Any]] = msgspec.json.decode(answer.content)["items"]
    return GAME in {str(item["id"]) for item in items}


Bury = Callable[[list[Player], Player], Awaitable[None]]
Read = Callable[[Api, Player], Awaitable[bool]]
BURYING: tuple[Bury, ...] = (bury_by_offers, bury_by_offers_in_one_game, bury_by_tables)
READERS: tuple[Read, ...] = (read_list, read_stream, read_calendar, read_record, read_lobby)


@pytest.mark.parametrize("bury", BURYING)
async def test_a_running_game_stays_with_every_reader(api: Api, bury: Bury) -> None:
    ada, _bob = await seat_two(api, clock=CLOCK)
    strangers = [await register(api, f"Stranger {number}", number=number + 3) for number in range(2)]

    await bury(strangers, ada)
    await api.project()

    assert {read.__name__ for read in READERS if not await read(api, ada)} == set()
