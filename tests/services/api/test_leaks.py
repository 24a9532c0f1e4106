"""Answers to the public and to other seats hold no hidden value: the same bytes for every hand."""

from typing import Any

import msgspec
import pytest
from httpx2 import Response

from domain.ids import GameId, StreamId, StreamVersion
from infra.keys import MasterKey
from services.reading.shown import show_game
from tests.database import Database
from tests.services.api.player import GAME, SALT, Player, expect, seat_two
from tests.services.api.server import Api, running_api

PATHS = ["", "/boards", "/events"]
BID = {"card": 0, "drop": 1, "kind": "bid"}


class Permuted:
    """Two secrets that the server could have drawn: the hidden cards lie otherwise, all else is the same."""

    def __init__(self, fill: int) -> None:
        self.fill = fill

    def __call__(self, size: int) -> bytes:
        return bytes([self.fill]) * size


async def play_a_little(api: Api) -> tuple[Player, Player]:
    """Deal, and let one seat seal in either custody while the other still thinks."""
    ada, bob = await seat_two(api)
    await expect(ada.entrust("r1/bid/0", BID), 200)
    return ada, bob


async def every_version(player: Player, path: str) -> list[Response]:
    newest = (await player.get()).json()["version"]
    if path:
        return [await player.get(path)]
    return [await player.get(at=version) for version in range(1, newest + 1)]


@pytest.mark.parametrize("path", PATHS)
async def test_no_hidden_card_and_no_secret_is_in_what_the_public_is_told(api: Api, path: str) -> None:
    await play_a_little(api)

    told = b"".join(response.content for response in await every_version(Player(api, None), path))

    secret = bytes(range(32)).hex().encode()
    assert SALT.encode() not in told
    # The leaf key of this test's server is the same bytes as its secret, and is public.
    assert told.count(secret) == told.count(b'"leaf_key":"' + secret)
    assert b'"drop"' not in told


async def test_the_public_is_told_the_same_bytes_with_and_without_the_secret(api: Api) -> None:
    ada, _bob = await play_a_little(api)
    newest = (await ada.get()).json()["version"]
    public = [await Player(api, None).get(at=version) for version in range(1, newest + 1)]

    for version, response in enumerate(public, start=1):
        at = StreamVersion(version)
        (moment,) = await api.parts.games.histories.read_range(GAME, at, at, "secret")
        shown = msgspec.json.encode(show_game(moment.state, None, is_complete=moment.is_complete))
        assert shown == response.content


@pytest.mark.parametrize("path", PATHS)
async def test_the_public_is_served_by_a_process_that_could_open_no_secret(
    api: Api, database: Database, path: str
) -> None:
    await play_a_little(api)
    told = [response.content for response in await every_version(Player(api, None), path)]

    async with running_api(database, key=MasterKey(bytes(32))) as blind:
        same = [response.content for response in await every_version(Player(blind, None), path)]

    assert same == told


async def test_a_seat_sees_its_own_hand_alone(api: Api) -> None:
    ada, bob = await play_a_little(api)

    hands = [
        [[face for _number, face in place["hand"]] for place in (await expect(player.get(), 200))["board"]["places"]]
        for player in (ada, bob)
    ]

    assert None not in hands[0][0]
    assert None not in hands[1][1]
    assert {*hands[0][1], *hands[1][0]} == {None}


@pytest.mark.parametrize("path", PATHS)
async def test_other_hands_and_seals_change_neither_size_nor_tag_of_what_others_are_told(
    database: Database, path: str
) -> None:
    told: list[list[tuple[int, str, int]]] = []
    hands: list[Any] = []
    for fill, bid in ((1, BID), (2, {"card": 2, "drop": None, "kind": "bid"})):
        async with running_api(database, random_bytes=Permuted(fill)) as api:
            game = GameId(StreamId(f"0199c0de-0000-7000-8000-00000000000{fill}"))
            ada, bob = await seat_two(api, game=game)
            await expect(ada.entrust("r1/bid/0", bid), 200)
            hands.append((await expect(ada.get(), 200))["board"]["places"][0]["hand"])
            watching = [Player(api, None, game=ada.game), bob]
            # Bob's own hand is his to see; the public's answer must not differ in length, nor the tags of either.
            answers = [await every_version(player, path) for player in watching]
            told.append(
                [
                    (len(finding.content) if player is watching[0] else 0, finding.headers["etag"], finding.status_code)
                    for player, found in zip(watching, answers, strict=True)
                    for finding in found
                ]
            )

    assert hands[0] != hands[1]
    assert told[0] == told[1]


async def test_what_is_refused_tells_nothing_of_other_hands(api: Api) -> None:
    ada, bob = await play_a_little(api)
    hand = {face for _number, face in (await expect(ada.get(), 200))["board"]["places"][0]["hand"]}

    responses = [
        await bob.seal("r1/bid/0", BID),
        await bob.entrust("r1/bid/0", BID),
        await bob.reveal("r1/bid/1", BID),
        await bob.entrust("r1/bid/1", {"card": 0, "drop": None, "kind": "bid"}),
    ]

    assert [response.status_code for response in responses] == [409, 409, 409, 422]
    # Bob is shown the numbers of his own cards; a face is shown to no seat.
    assert all(f'"{face}"' not in response.text for response in responses for face in hand)
    assert "[3, 4, 5]" in responses[-1].json()["expected"]
