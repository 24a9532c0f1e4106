"""The list of games: public ones, by ruleset and status, page by page, and delayed ones as they stood."""

from typing import Any

from infra.postgres.connection import build_app_pool
from infra.postgres.opened_games import OpenedGames, Sought
from tests.database import Database
from tests.domain.game.table import NOON
from tests.services.api.player import Player, expect, register, seat_two
from tests.services.api.server import Api

GAMES = [f"0199c0de-0000-7000-8000-00000000000{number}" for number in range(1, 4)]


async def listed(player: Player, **asked: Any) -> list[tuple[str, str]]:
    answer = await expect(player.api.client.get("/v1/games", params=asked, headers=player.headers), 200)
    return [(each["id"], each["status"]) for each in answer["items"]]


async def open_three(api: Api, **terms: Any) -> Player:
    ada = await register(api, "Ada")
    for game in GAMES:
        await expect(ada.open(command=game, **terms), 201)
    return ada


async def test_games_are_listed_with_the_newest_first_and_a_page_leads_to_the_next(api: Api) -> None:
    ada = await open_three(api)

    first = await expect(api.client.get("/v1/games", params={"limit": 2}), 200)
    second = await expect(api.client.get("/v1/games", params={"limit": 2, "before": first["next"]}), 200)

    assert [each["id"] for each in first["items"]] == [GAMES[2], GAMES[1]]
    assert [each["id"] for each in second["items"]] == [GAMES[0]]
    assert first["next"] == GAMES[1]
    assert second["next"] is None
    assert first["items"][0] | {"id": "", "opened_at": ""} == {
        "id": "",
        "opened_at": "",
        "opened_by": f"player:{ada.id}",
        "ruleset": "torches@1",
        "seats": 2,
        "status": "open",
        "version": 1,
    }


async def test_a_game_is_listed_under_what_has_become_of_it(api: Api) -> None:
    ada, _ = await seat_two(api)
    await expect(ada.open(command=GAMES[1]), 201)

    running = await listed(ada, status="running")
    await expect(ada.resign(), 200)

    assert running == [(GAMES[0], "running")]
    assert await listed(ada, status="finished") == [(GAMES[0], "finished")]
    assert await listed(ada, status="open") == [(GAMES[1], "open")]
    assert await listed(ada, ruleset="charioteer@1") == []


async def test_a_page_that_finds_too_little_ends_and_leads_on(api: Api, database: Database) -> None:
    await open_three(api)
    async with build_app_pool(database.app_url) as pool:
        games = OpenedGames(pool, passed_max=2)

        first = await games.read_page(Sought(status="running"), limit=50)
        second = await games.read_page(Sought(status="running", before=first.next), limit=50)

    assert (first.games, first.next) == ((), GAMES[1])
    assert (second.games, second.next) == ((), None)


async def test_a_private_game_is_listed_for_nobody(api: Api) -> None:
    ada = await open_three(api, visibility="private")

    assert await listed(ada) == []


async def test_a_delayed_game_is_listed_as_it_stood_when_it_may_be_seen(api: Api) -> None:
    ada, _ = await seat_two(api, delay_s=60)
    eve = await register(api, "Eve")

    before = await listed(eve)
    api.clock.now_ms = NOON + 60_000
    after = await listed(eve)

    assert before == []
    assert after == [(GAMES[0], "running")]
    assert await listed(ada, status="running") == [(GAMES[0], "running")]
    assert await listed(eve, status="open") == []


async def test_what_is_no_status_and_no_page_is_refused(api: Api) -> None:
    for asked in ({"status": "lost"}, {"before": "yesterday"}, {"limit": "0"}):
        await expect(api.client.get("/v1/games", params=asked), 400)
