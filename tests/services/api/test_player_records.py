"""Players' records over HTTP: games count at any end, and are shown only to those who may know of them."""

from typing import Any

import pytest
from httpx2 import Response

from domain.accounts.account import Account
from domain.ids import GameId, StreamId
from tests.domain.game.game_harness import NOON
from tests.services.api.player import GAME, Player, expect, register, seat_two, seat_two_in_private
from tests.services.api.server import Api
from tests.services.api.test_problems import problem_of

SECOND = GameId(StreamId("0199c0de-0000-7000-8000-000000000002"))
ORGANISER = "0199c0de-0000-7000-8000-0000000000f0"


async def ask(asking: Player, of: str, path: str = "", **asked: Any) -> Response:
    await asking.api.project()
    url = f"/v1/players/{of}{path}"
    return await asking.api.client.get(url, headers=asking.headers, params=asked)


async def record_of(asking: Player, of: Player) -> dict[str, Any]:
    answer: dict[str, Any] = await expect(ask(asking, of.id), 200)
    return answer


async def results_of(asking: Player, of: Player) -> list[tuple[str, int | None]]:
    games = await expect(ask(asking, of.id, "/games"), 200)
    return [(item["result"], item["place"]) for item in games["items"]]


async def test_a_player_is_told_of_by_name_and_by_how_games_ended(api: Api) -> None:
    ada, bob = await seat_two(api)
    await expect(bob.resign(), 200)
    await expect(ada.open(command=SECOND), 201)
    ada.game = SECOND
    await expect(ada.take(), 200)

    found = await record_of(Player(api, None), ada)

    (torches,) = found["rulesets"]
    assert (found["name"], found["games"], found["finished"], found["unfinished"]) == ("Ada", 2, 1, 1)
    assert found["opened"] == {"games": 2, "finished": 1, "aborted": 0, "organised": 0, "signed": 0}
    assert torches["places"] == [{"place": 1, "count": 1}]
    assert (torches["open"], torches["running"], torches["aborted"], torches["left"]) == (1, 0, 0, 0)
    assert await results_of(bob, ada) == [("open", None), ("finished", 1)]
    assert [item["departure"] for item in (await ask(ada, bob.id, "/games")).json()["items"]] == ["resigned"]


async def test_games_are_listed_page_by_page(api: Api) -> None:
    ada, _bob = await seat_two(api)
    await expect(ada.open(command=SECOND), 201)
    ada.game = SECOND
    await expect(ada.take(), 200)

    first = await expect(ask(ada, ada.id, "/games", limit=1), 200)
    second = await expect(ask(ada, ada.id, "/games", limit=1, before=first["next"]), 200)

    assert [item["game"] for item in first["items"]] == [SECOND]
    assert ([item["game"] for item in second["items"]], second["next"]) == ([GAME], None)


async def test_a_private_game_counts_for_the_player_alone(api: Api) -> None:
    ada, bob = await seat_two_in_private(api)
    token = await api.create_account(Account(id=ORGANISER, name="Op", role="operator"))
    others = bob, await register(api, "Eve"), Player(api, token), Player(api, None)

    assert [(await record_of(rival, ada))["games"] for rival in others] == [0, 0, 0, 0]
    assert [(await record_of(player, ada))["opened"]["games"] for player in (*others, ada)] == [0, 0, 0, 0, 1]
    assert [await results_of(rival, ada) for rival in others] == [[], [], [], []]
    assert (await record_of(ada, ada))["games"] == 1
    assert await results_of(ada, ada) == [("running", None)]


async def test_a_delayed_game_is_counted_as_it_stood_until_it_is_over(api: Api) -> None:
    ada, bob = await seat_two(api, delay_s=60)
    eve = await register(api, "Eve")
    first = await record_of(eve, ada)
    hidden = [await results_of(eve, ada), first["rulesets"], first["opened"]["games"]]
    api.clock.now_ms = NOON + 60_000
    shown = await results_of(eve, ada)
    counted = (await record_of(eve, ada))["rulesets"][0]["running"]

    assert hidden == [[], [], 0]
    assert (shown, counted) == ([("running", None)], 1)
    assert await results_of(ada, ada) == [("running", None)]
    await expect(bob.resign(), 200)
    assert await results_of(eve, ada) == [("finished", 1)]


async def test_a_seat_taken_and_left_within_the_delay_is_told_when_each_may_be_seen(api: Api) -> None:
    ada, bob = await register(api, "Ada", number=1), await register(api, "Bob", number=2)
    await expect(ada.open(delay_s=60), 201)
    await expect(bob.take(1), 200)
    api.clock.now_ms = NOON + 30_000
    await expect(bob.command("leave", seat=1), 200)

    told = []
    for now_s in (59, 60, 90):
        api.clock.now_ms = NOON + now_s * 1_000
        told.append(await results_of(ada, bob))

    assert told == [[], [("open", None)], [("left", None)]]


async def test_a_record_that_is_the_same_is_not_sent_twice(api: Api) -> None:
    ada, _bob = await seat_two(api)

    for path in ("", "/games"):
        first = await ask(ada, ada.id, path)
        headers = {**ada.headers, "if-none-match": first.headers["etag"]}
        again = await api.client.get(f"/v1/players/{ada.id}{path}", headers=headers)
        assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("path", ["", "/games"])
@pytest.mark.parametrize("player", ["nobody", GAME, GAME.upper(), ORGANISER])
async def test_whoever_is_no_player_is_told_of_to_nobody(api: Api, path: str, player: str) -> None:
    await api.create_account(Account(id=ORGANISER, name="Op", role="operator"))

    response = await ask(Player(api, None), player, path)

    assert problem_of(response) == (404, "no-such-player")
