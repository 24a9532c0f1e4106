"""The chronicle over HTTP: as far as the caller may see, page by page, and no later than the log."""

from typing import Any

import pytest

from tests.domain.game.game_harness import NOON
from tests.services.api.player import Player, expect, register, seat_two, seat_two_in_private
from tests.services.api.server import Api
from tests.services.api.test_problems import problem_of


async def told(player: Player, **asked: Any) -> list[str]:
    answer = await expect(player.get("/chronicle", **asked), 200)
    return [item["text"] for item in answer["items"]]


async def test_a_game_is_told_sentence_by_sentence(api: Api) -> None:
    ada, _bob = await seat_two(api)

    found = await told(ada)
    first = (await expect(ada.get("/chronicle", limit=2), 200))["items"]

    assert found[:4] == [
        "The game is opened for 2 seats.",
        "Seat 0 is taken.",
        "Seat 1 is taken.",
        "Seat 0 is ready.",
    ]
    assert "The game begins, with 2 seats." in found
    assert (first[1]["version"], first[1]["player"], first[1]["weight"]) == (2, ada.id, "plain")


async def test_a_page_leads_to_the_next_and_a_version_ends_the_story(api: Api) -> None:
    ada, _bob = await seat_two(api)
    whole = await told(ada)

    first = await expect(ada.get("/chronicle", limit=3), 200)
    second = await expect(ada.get("/chronicle", limit=3, after=first["next"]), 200)
    ended = await expect(ada.get("/chronicle", at=4, after=2), 200)
    beyond = await expect(ada.get("/chronicle", after=1_000), 200)

    assert [item["text"] for item in (*first["items"], *second["items"])] == whole[:6]
    assert (first["next"], ended["next"]) == (3, None)
    assert [item["version"] for item in ended["items"]] == [3, 4]
    assert beyond == {"items": [], "next": None}
    assert problem_of(await ada.get("/chronicle", at=1_000)) == (404, "no-such-version")


async def test_a_story_that_is_the_same_is_not_sent_twice(api: Api) -> None:
    ada, bob = await seat_two(api)
    first = await ada.get("/chronicle")
    same = await ada.get("/chronicle", headers={"if-none-match": first.headers["etag"]})
    await expect(bob.resign(), 200)

    other = await ada.get("/chronicle", headers={"if-none-match": first.headers["etag"]})

    assert (same.status_code, same.content) == (304, b"")
    assert other.status_code == 200


async def test_a_delayed_story_ends_where_the_caller_may_see(api: Api) -> None:
    ada, bob = await seat_two(api, delay_s=60)
    eve = await register(api, "Eve")
    early = (await eve.get("/chronicle")).status_code
    api.clock.now_ms = NOON + 61_000
    before = await told(eve)
    await expect(ada.entrust("r1/bid/0", {"card": 0, "drop": 1, "kind": "bid"}), 200)

    assert early == 404
    assert await told(eve) == before
    assert len(await told(ada)) == len(before) + 1
    await expect(bob.resign(), 200)
    assert (await told(eve))[-1].startswith("The server discloses its secret")


async def test_a_private_story_is_told_to_those_inside(api: Api) -> None:
    ada, _bob = await seat_two_in_private(api)
    eve = await register(api, "Eve")

    assert await told(ada)
    assert problem_of(await eve.get("/chronicle")) == (404, "no-such-game")


@pytest.mark.parametrize("asked", [{"after": -1}, {"limit": 0}, {"limit": 501}, {"at": 0}, {"min_version": 0}])
async def test_what_is_no_page_is_refused(api: Api, asked: dict[str, int]) -> None:
    ada, _bob = await seat_two(api)

    assert (await ada.get("/chronicle", **asked)).status_code == 400
