"""The list of games: public ones, by ruleset and status, page by page, and delayed ones as they stood."""

from typing import Any

from domain.ids import GameId, StreamId
from domain.log.record import format_at
from tests.domain.game.game_harness import NOON
from tests.services.api.player import Player, expect, register, seat_two
from tests.services.api.server import Api

GAMES = [GameId(StreamId(f"0199c0de-0000-7000-8000-00000000000{number}")) for number in range(1, 4)]


async def listed(player: Player, **asked: Any) -> list[tuple[str, str]]:
    await player.api.project()
    answer = await expect(player.api.client.get("/v1/games", params=asked, headers=player.headers), 200)
    return [(item["id"], item["status"]) for item in answer["items"]]


async def open_three(api: Api, **terms: Any) -> Player:
    ada = await register(api, "Ada")
    for game in GAMES:
        await expect(ada.open(command=game, **terms), 201)
    return ada


async def test_games_that_run_come_before_open_ones_and_ended_ones_last_each_by_time(api: Api) -> None:
    ada, bob = await register(api, "Ada", number=1), await register(api, "Bob", number=2)
    # Ids that clients choose state nothing of the time.
    games = [f"{digit * 8}-0000-4000-8000-000000000000" for digit in "f1e2d3"]
    for game in games:
        api.clock.now_ms += 1_000
        ada.game = bob.game = GameId(StreamId(game))
        await expect(ada.open(), 201)
    for game in games[1:4]:
        ada.game = bob.game = GameId(StreamId(game))
        for seat, player in enumerate((ada, bob)):
            await expect(player.take(seat), 200)
        for player in (ada, bob):
            await expect(player.ready(), 200)
    api.clock.now_ms += 1_000
    ada.game = GameId(StreamId(games[2]))
    await expect(ada.resign(), 200)
    await api.project()

    listed = [await expect(api.client.get("/v1/games", params={"limit": 4}), 200)]
    listed.append(await expect(api.client.get("/v1/games", params={"before": listed[0]["next"]}), 200))

    found = [(item["status"], item["id"]) for page in listed for item in page["items"]]
    assert [status for status, _ in found] == ["running", "running", "open", "open", "open", "finished"]
    assert [game for status, game in found if status == "open"] == [games[5], games[4], games[0]]


async def test_games_are_listed_with_the_newest_first_and_a_page_leads_to_the_next(api: Api) -> None:
    ada = await open_three(api)
    await api.project()

    first = await expect(api.client.get("/v1/games", params={"limit": 2}), 200)
    second = await expect(api.client.get("/v1/games", params={"limit": 2, "before": first["next"]}), 200)

    assert [item["id"] for item in first["items"]] == [GAMES[2], GAMES[1]]
    assert [item["id"] for item in second["items"]] == [GAMES[0]]
    assert second["next"] is None
    assert first["items"][0] == {
        "id": GAMES[2],
        "ruleset": "torches@1",
        "status": "open",
        "version": 1,
        "seats": 2,
        "taken": [],
        "clock": None,
        "delay_s": 0,
        "opened_by": f"player:{ada.id}",
        "opened_at": format_at(NOON),
        "started_at": None,
        "ended_at": None,
        "last_at": format_at(NOON),
        "turn": None,
        "laps": None,
        "winners": [],
    }


async def test_whoever_sits_in_a_game_is_listed_by_name(api: Api) -> None:
    ada, bob = await seat_two(api)
    await api.project()

    (game,) = (await expect(api.client.get("/v1/games"), 200))["items"]

    assert game["taken"] == [
        {"seat": 0, "player": ada.id, "name": "Ada"},
        {"seat": 1, "player": bob.id, "name": "Bob"},
    ]
    assert game["started_at"] == format_at(NOON)


async def test_a_list_that_is_the_same_is_not_sent_twice(api: Api) -> None:
    await open_three(api)
    await api.project()
    first = await api.client.get("/v1/games")

    again = await api.client.get("/v1/games", headers={"if-none-match": first.headers["etag"]})
    other = await api.client.get("/v1/games?limit=1", headers={"if-none-match": first.headers["etag"]})

    assert (again.status_code, again.content, other.status_code) == (304, b"", 200)


async def test_a_game_is_listed_under_what_has_become_of_it(api: Api) -> None:
    ada, _ = await seat_two(api)
    await expect(ada.open(command=GAMES[1]), 201)

    running = await listed(ada, status="running")
    await expect(ada.resign(), 200)

    assert running == [(GAMES[0], "running")]
    assert await listed(ada, status="finished") == [(GAMES[0], "finished")]
    assert await listed(ada, status="open") == [(GAMES[1], "open")]
    assert await listed(ada, ruleset="charioteer@1") == []


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


async def test_who_sits_down_within_the_delay_is_listed_for_those_inside(api: Api) -> None:
    ada, eve = await register(api, "Ada"), await register(api, "Eve")
    await expect(ada.open(delay_s=60), 201)
    api.clock.now_ms = NOON + 60_000
    await expect(ada.take(), 200)
    await api.project()

    seen = [
        (await expect(api.client.get("/v1/games", headers=player.headers), 200))["items"][0] for player in (eve, ada)
    ]

    assert [(item["version"], len(item["taken"])) for item in seen] == [(1, 0), (2, 1)]


async def test_a_game_that_may_not_be_known_of_yet_leaves_no_trace_in_the_pages(api: Api) -> None:
    ada = await register(api, "Ada")
    await expect(ada.open(command=GAMES[0]), 201)
    await api.project()
    eve = await register(api, "Eve")
    before = await api.client.get("/v1/games", params={"limit": 1}, headers=eve.headers)
    for game in GAMES[1:]:
        await expect(ada.open(command=game, delay_s=60), 201)
    await expect(Player(api, None, game=GAMES[1]).get(), 404)
    await api.project()

    after = await api.client.get("/v1/games", params={"limit": 1}, headers=eve.headers)
    api.clock.now_ms = NOON + 60_000

    assert (after.content, after.headers["etag"]) == (before.content, before.headers["etag"])
    assert [game for game, _ in await listed(eve)] == GAMES[::-1]


async def test_a_delayed_game_that_is_something_else_by_now_is_passed_by(api: Api) -> None:
    ada = await open_three(api, delay_s=60)
    await expect(ada.open(command="0199c0de-0000-7000-8000-000000000000"), 201)
    api.clock.now_ms = NOON + 60_000
    ada.game = GAMES[1]
    await expect(ada.take(), 200)
    eve = await register(api, "Eve")

    assert await listed(eve, status="running", limit=1) == []
    assert [game for game, _ in await listed(eve, status="open", limit=3)] == GAMES[::-1]


async def test_what_is_no_status_and_no_page_is_refused(api: Api) -> None:
    for asked in ({"status": "lost"}, {"before": "yesterday"}, {"limit": "0"}):
        await expect(api.client.get("/v1/games", params=asked), 400)


async def test_a_status_that_is_none_is_refused_with_the_list_of_all(api: Api) -> None:
    refused = await api.client.get("/v1/games", params={"status": "lost"})

    message = 'Expected one of "aborted", "finished", "open", "running", found "lost"'
    assert refused.json()["errors"] == [{"field": "status", "message": message}]
