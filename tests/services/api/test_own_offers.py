"""Seats offered to an account: a short list of their own, which no sender fills, and which its owner clears."""

from typing import Any

from domain.ids import GameId, StreamId
from services.api.accounts.own_offers import OFFERS_MAX
from tests.services.api.player import GAME, Player, expect, register
from tests.services.api.server import Api
from tests.services.api.test_own_games import read_own


async def open_for(opener: Player, player: Player, number: int = 1) -> GameId:
    """Open a private game that offers a seat to a player; return its id."""
    opener.game = GameId(StreamId(f"{GAME[:-4]}{number:04d}"))
    offers = [None, {"kind": "player", "player": player.id}]
    await expect(opener.open(command=opener.game, visibility="private", offers=offers), 201)
    return opener.game


async def read_offers(api: Api, player: Player) -> list[str]:
    return [str(offer["game"]) for offer in (await read_own(api, player))["offers"]]


async def decline(player: Player, **fields: Any) -> None:
    await expect(player.post("/account/declines", fields), 201)


async def test_of_one_opener_only_the_newest_offer_is_listed(api: Api) -> None:
    ada, bob = await register(api, "Ada", number=1), await register(api, "Bob", number=2)
    for number in range(1, 4):
        newest = await open_for(ada, bob, number)
        api.clock.now_ms += 1_000

    assert await read_offers(api, bob) == [newest]


async def test_a_list_has_the_newest_offers_of_a_few_openers(api: Api) -> None:
    bob = await register(api, "Bob", number=2)
    openers = [await register(api, f"Opener {number}", number=3) for number in range(OFFERS_MAX + 2)]
    games = []
    for number, opener in enumerate(openers):
        games.append(await open_for(opener, bob, number + 1))
        api.clock.now_ms += 1_000

    assert await read_offers(api, bob) == games[:1:-1]


async def test_a_declined_offer_is_shown_no_more_and_the_next_of_its_sender_is(api: Api) -> None:
    ada, bob = await register(api, "Ada", number=1), await register(api, "Bob", number=2)
    first = await open_for(ada, bob, 1)
    api.clock.now_ms += 1_000
    second = await open_for(ada, bob, 2)

    await decline(bob, game=second)
    after_one = await read_offers(api, bob)
    await decline(bob, game=first)

    assert (after_one, await read_offers(api, bob)) == ([first], [])


async def test_all_offers_of_a_sender_are_declined_until_they_are_accepted_again(api: Api) -> None:
    ada, bob, cem = [await register(api, name, number=3) for name in ("Ada", "Bob", "Cem")]
    await open_for(ada, bob, 1)
    await decline(bob, sender=ada.id)
    later, other = await open_for(ada, bob, 2), await open_for(cem, bob, 3)

    declined = await read_offers(api, bob)
    listed = (await api.client.get("/v1/account/declines", headers=bob.headers)).json()["items"]
    await expect(bob.post("/account/declines/removals", {"sender": ada.id}), 201)

    assert (declined, listed) == ([other], [{"sender": ada.id, "name": "Ada"}])
    assert set(await read_offers(api, bob)) == {later, other}


async def test_a_seat_whose_offer_was_declined_stays_open_to_its_player(api: Api) -> None:
    ada, bob = await register(api, "Ada", number=1), await register(api, "Bob", number=2)
    bob.game = await open_for(ada, bob)
    await decline(bob, game=bob.game)

    await expect(bob.take(1), 200)

    assert [item["game"] for item in (await read_own(api, bob))["items"]] == [bob.game]


async def test_a_decline_names_either_a_game_or_a_sender(api: Api) -> None:
    bob = await register(api, "Bob", number=2)

    for fields in ({}, {"game": GAME, "sender": bob.id}):
        await expect(bob.post("/account/declines", fields), 400)
