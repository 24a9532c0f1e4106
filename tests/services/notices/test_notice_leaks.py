"""A notice has no more than its reader may see: other secrets, hands and seals change no byte, a delay is kept."""

import re
from typing import Any

from tests.database import Database
from tests.services.api.player import GAME, expect, register
from tests.services.api.server import Api, running_api
from tests.services.api.test_leaks import BID, Permuted
from tests.services.notices.receiver import Receiver, add_way, notifier_at_work
from tests.services.notices.test_deliveries import MINUTE_MS, UNTOLD, WAITING, seat, start, wait_for

# Ids of accounts are drawn by the server, and those of notices follow from them.
DRAWN = re.compile(rb"[0-9a-f]{8}-[0-9a-f]{4}-[57][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")
HOUR = {"start": "12:00", "end": "13:00", "zone": "UTC"}


async def test_other_secrets_hands_and_seals_change_no_byte_of_a_notice(
    database: Database, other_database: Database, receiver: Receiver
) -> None:
    told: list[Any] = []
    hands: list[Any] = []
    for own, fill, bid in ((database, 1, BID), (other_database, 2, {"card": 2, "drop": None, "kind": "bid"})):
        receiver.received.clear()
        async with running_api(own, random_bytes=Permuted(fill), reaches_private=True) as api:
            ada, bob = await register(api, "Ada", number=1), await register(api, "Bob", number=2)
            for player in (ada, bob):
                await add_way(player, f"{receiver.url}/{player.seat}")
            await start(ada, bob)
            async with notifier_at_work(api, own):
                await wait_for(own, UNTOLD, 0)
                await expect(ada.entrust("r1/bid/0", bid), 200)
                await wait_for(own, UNTOLD, 0)
                await expect(bob.command("resign", seat=1), 200)
                await wait_for(own, UNTOLD, 0)
            hands.append((await expect(ada.get(), 200))["board"]["places"][0]["hand"])
        masked = [
            (notice.path, DRAWN.sub(b"DRAWN", notice.body.replace(GAME.encode(), b"GAME")))
            for notice in receiver.received
        ]
        told.append(sorted(masked))

    assert hands[0] != hands[1]
    assert told[0] == told[1]
    assert len(told[0]) == 6


async def test_a_delayed_game_is_told_to_its_players_and_an_offer_by_name_to_its_player_alone(
    api: Api, database: Database, receiver: Receiver
) -> None:
    ada, bob, cem = [await register(api, name, number=number) for number, name in enumerate(("Ada", "Bob", "Cem"), 1)]
    for player in (bob, cem):
        await add_way(player, receiver.url)

    async with notifier_at_work(api, database):
        await expect(ada.open(delay_s=3_600, offers=[None, {"kind": "player", "player": cem.id}]), 201)
        await wait_for(database, UNTOLD, 0)
        await expect(ada.command("offers", seat=1, to={"kind": "player", "player": bob.id}), 200)
        await wait_for(database, UNTOLD, 0)
        await seat(ada, bob)
        await wait_for(database, UNTOLD, 0)

    told = [(notice.message["account"], notice.message["type"]) for notice in receiver.received]
    assert told[:2] == [(cem.id, "seat_offered"), (bob.id, "seat_offered")]
    assert sorted(told[2:]) == [(bob.id, "game_started"), (bob.id, "your_turn")]


async def test_a_seat_that_was_offered_to_another_meanwhile_is_not_told(
    api: Api, database: Database, receiver: Receiver
) -> None:
    ada, bob, cem = [await register(api, name, number=number) for number, name in enumerate(("Ada", "Bob", "Cem"), 1)]
    await add_way(bob, receiver.url, quiet=HOUR)

    async with notifier_at_work(api, database):
        await expect(ada.open(visibility="private", offers=[None, {"kind": "player", "player": bob.id}]), 201)
        await wait_for(database, WAITING, 1)
        await expect(ada.command("offers", seat=1, to={"kind": "player", "player": cem.id}), 200)
        api.clock.now_ms += 60 * MINUTE_MS
        await wait_for(database, WAITING, 0)

    assert receiver.received == []
