"""A rematch: the same terms, the seats rotated, and every seat offered to the player who shall take it."""

import asyncio
from typing import Any

from domain.rulesets.released import KITS
from tests.database import Database
from tests.services.api.player import GAME, Player, expect, register, seat_two, seat_two_in_private
from tests.services.api.server import Api, running_api
from tests.services.api.test_problems import problem_of

REMATCH = "0199c0de-0000-7000-8000-000000000abc"
OTHER = "0199c0de-0000-7000-8000-000000000abd"


async def ask_rematch(player: Player, command: str = REMATCH) -> Any:
    return await player.post(f"/games/{player.game}/rematch", {"command": command})


async def end(*players: Player) -> None:
    for player in players:
        if (await expect(player.get(), 200))["status"] == "running":
            await expect(player.resign(), 200)


async def test_a_rematch_has_the_same_terms_and_the_seats_rotated(api: Api) -> None:
    ada, bob = await seat_two(api, clock={"per_decision_ms": 60_000, "bank_ms": 0}, demands=[])
    former = (await expect(ada.get(), 200))["terms"]
    await end(ada, bob)

    opened = await expect(ask_rematch(bob), 201)

    ada.game = bob.game = opened["game"]
    shown = await expect(ada.get(), 200)
    assert [seat["offer"]["player"] for seat in shown["seats"]] == [bob.id, ada.id]
    assert (shown["terms"]["rematch_of"], shown["opened_by"]) == (GAME, f"player:{bob.id}")
    same = ("ruleset", "seats", "options", "clock", "visibility", "delay_s", "demands", "organisers")
    assert {name: shown["terms"][name] for name in same} == {name: former[name] for name in same}
    await expect(bob.take(0), 200)
    await expect(ada.take(1), 200)


async def test_a_rematch_sent_again_is_opened_once(api: Api) -> None:
    ada, bob = await seat_two(api)
    await end(ada, bob)

    first, again = await expect(ask_rematch(ada), 201), await expect(ask_rematch(ada), 201)

    assert first == again


async def test_two_who_ask_for_a_rematch_get_one_game(api: Api) -> None:
    ada, bob = await seat_two(api)
    await end(ada, bob)

    both = await asyncio.gather(expect(ask_rematch(ada), 201), expect(ask_rematch(bob, OTHER), 201))

    assert both[0] == both[1] == await expect(ask_rematch(bob, REMATCH), 201)


async def test_a_rematch_that_is_over_is_followed_by_another(api: Api) -> None:
    ada, bob = await seat_two(api)
    await end(ada, bob)
    former, first = ada.game, await expect(ask_rematch(ada), 201)
    ada.game = bob.game = first["game"]
    for do in (bob.take(0), ada.take(1), bob.ready(), ada.ready()):
        await expect(do, 200)
    await end(ada, bob)
    bob.game = former

    second = await expect(ask_rematch(bob), 201)

    assert second["game"] != first["game"]


async def test_a_rematch_of_a_private_game_is_as_private(api: Api) -> None:
    ada, bob = await seat_two_in_private(api)
    eve = await register(api, "Eve", number=3)
    await end(ada, bob)

    refused = await ask_rematch(eve)
    opened = await expect(ask_rematch(ada), 201)

    eve.game = bob.game = opened["game"]
    assert problem_of(refused) == problem_of(await eve.get()) == (404, "no-such-game")
    await expect(bob.get(), 200)


async def test_only_players_ask_for_a_rematch_and_only_of_a_game_that_is_over(api: Api) -> None:
    ada, _ = await seat_two(api)
    eve = await register(api, "Eve", number=3)

    stranger, early = await ask_rematch(eve), await ask_rematch(ada)

    assert problem_of(stranger) == (403, "not-your-seat")
    assert problem_of(early) == (409, "game-goes-on")


async def test_after_a_game_that_never_began_a_seat_that_was_not_ready_is_open_to_others(api: Api) -> None:
    ada, bob = [await register(api, name, number=number) for number, name in enumerate(("Ada", "Bob"), 1)]
    await expect(ada.open(), 201)
    for seat, player in enumerate((ada, bob)):
        await expect(player.take(seat), 200)
    await expect(ada.ready(), 200)
    await expect(bob.command("leave", seat=1), 200)

    ada.game = (await expect(ask_rematch(ada), 201))["game"]

    shown = await expect(ada.get(), 200)
    assert [seat.get("offer") for seat in shown["seats"]] == [None, {"kind": "player", "player": ada.id}]


async def test_house_bots_are_called_again(database: Database) -> None:
    async with running_api(database, kits=KITS) as api:
        ada = await register(api, "Ada", number=1)
        house = Player(api, api.parts.games.house.accounts[1].token, number=2)
        offers = [None, {"kind": "house", "bot": "careful"}]
        await expect(ada.open(ruleset="chariot-race@1", offers=offers), 201)
        for seat, player in enumerate((ada, house)):
            await expect(player.take(seat), 200)
        for player in (ada, house):
            await expect(player.ready(), 200)
        await end(ada, house)

        ada.game = (await expect(ask_rematch(ada), 201))["game"]

        shown = await expect(ada.get(), 200)
    assert [seat["offer"] for seat in shown["seats"]] == [offers[1], {"kind": "player", "player": ada.id}]


async def test_mates_stay_mates(database: Database) -> None:
    async with running_api(database, kits=KITS) as api:
        ada, bob = await seat_two(api, ruleset="chariotmaster@1", options={"teams": "AB"})
        await end(ada, bob)

        ada.game = (await expect(ask_rematch(ada), 201))["game"]

        shown = await expect(ada.get(), 200)
    assert [seat["offer"]["player"] for seat in shown["seats"]] == [bob.id, ada.id]
    assert shown["terms"]["options"]["teams"] == "BA"
