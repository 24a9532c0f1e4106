"""A game from a seat's place: one's own at any time, and every seat's once the secret is in the log."""

from typing import Any

import pytest

from tests.services.api.player import Player, expect, register, seat_two
from tests.services.api.server import Api
from tests.services.api.test_leaks import BID
from tests.services.api.test_problems import problem_of
from tests.services.api.test_whole_games import play_to_the_end

PATHS = ["", "/boards"]


async def play_whole_game(api: Api) -> list[Player]:
    players = await seat_two(api, options={"rounds": 2})
    await play_to_the_end(list(players), (False, False))
    return list(players)


def hands(shown: dict[str, Any]) -> list[Any]:
    return [place["hand"] for place in shown["board"]["places"]]


@pytest.mark.parametrize("path", PATHS)
async def test_a_seat_is_shown_to_nobody_else_while_the_game_goes_on(api: Api, path: str) -> None:
    ada, bob = await seat_two(api)
    await expect(ada.entrust("r1/bid/0", BID), 200)

    refused = [await player.get(path, seat=0) for player in (bob, Player(api, None), await register(api, "Cem"))]

    assert [problem_of(response) for response in refused] == [(403, "not-your-seat")] * 3


async def test_ones_own_seat_may_be_named(api: Api) -> None:
    ada, _bob = await seat_two(api)

    named = await ada.get(seat=0)

    assert named.content == (await ada.get()).content


async def test_after_the_end_everybody_may_see_what_a_seat_knew_then(api: Api) -> None:
    ada, bob = await seat_two(api, options={"rounds": 2})
    then = {seat: await expect(each.get(), 200) for seat, each in enumerate((ada, bob))}
    await play_to_the_end([ada, bob], (False, False))

    nobody = Player(api, None)
    again = {seat: await expect(nobody.get(at=then[seat]["version"], seat=seat), 200) for seat in then}

    assert again == then
    assert hands(again[0]) != hands(again[1])


async def test_boards_of_a_seat_are_the_same_as_one_by_one(api: Api) -> None:
    await play_whole_game(api)
    nobody = Player(api, None)

    asked: dict[str, Any] = {"from": 8, "to": 12, "seat": 1}
    boards = await expect(nobody.get("/boards", **asked), 200)

    one_by_one = [await expect(nobody.get(at=version, seat=1), 200) for version in range(8, 13)]
    assert boards["items"] == one_by_one
    assert {item["your_seat"] for item in one_by_one} == {1}


async def test_the_public_and_a_seat_have_tags_of_their_own(api: Api) -> None:
    await play_whole_game(api)
    nobody = Player(api, None)

    tags = {(await nobody.get("", at=9, **asked)).headers["etag"] for asked in ({}, {"seat": 0}, {"seat": 1})}

    assert len(tags) == 3


@pytest.mark.parametrize("path", PATHS)
async def test_a_seat_that_the_game_has_not_is_a_problem(api: Api, path: str) -> None:
    await play_whole_game(api)

    refused = await Player(api, None).get(path, seat=2)

    assert problem_of(refused) == (422, "no-such-seat")


async def test_a_private_game_tells_a_stranger_nothing_by_its_seats(api: Api) -> None:
    ada = await register(api, "Ada")
    await expect(ada.open(visibility="private"), 201)

    refused = [await Player(api, None).get(seat=seat) for seat in (0, 7)]

    assert [problem_of(response) for response in refused] == [(404, "no-such-game")] * 2
