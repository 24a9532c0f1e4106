"""Projections hold no hidden value: two servers with other secrets, hands and seals answer the same bytes."""

import re
from typing import Any

import pytest

from infra.keys import MasterKey
from tests.database import Database
from tests.services.api.player import GAME, SALT, Player, expect, seat_two
from tests.services.api.server import Api, running_api
from tests.services.api.test_leaks import BID, Permuted

# Ids of accounts are the server's to choose, and no two of them are the same.
ACCOUNT = re.compile(rb"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")


async def tell_all(api: Api, ada: Player) -> dict[str, bytes]:
    """Ask for everything kept by projections, as the public."""
    await api.project()
    paths = ("/v1/games", f"/v1/games/{GAME}/chronicle", f"/v1/players/{ada.id}", f"/v1/players/{ada.id}/games")
    told = {}
    for path in paths:
        response = await api.client.get(path)
        assert response.status_code == 200, response.text
        told[path.replace(ada.id, "ADA")] = response.content
    return told


@pytest.fixture
async def told(api: Api) -> dict[str, bytes]:
    ada, _bob = await seat_two(api)
    await expect(ada.entrust("r1/bid/0", BID), 200)
    return await tell_all(api, ada)


async def test_other_secrets_hands_and_seals_change_no_byte(database: Database, other_database: Database) -> None:
    told: list[Any] = []
    hands: list[Any] = []
    for own, fill, bid in ((database, 1, BID), (other_database, 2, {"card": 2, "drop": None, "kind": "bid"})):
        async with running_api(own, random_bytes=Permuted(fill)) as api:
            ada, _bob = await seat_two(api)
            await expect(ada.entrust("r1/bid/0", bid), 200)
            hands.append((await expect(ada.get(), 200))["board"]["places"][0]["hand"])
            told.append({path: mask(body, ada) for path, body in (await tell_all(api, ada)).items()})

    assert hands[0] != hands[1]
    assert told[0] == told[1]


def mask(body: bytes, ada: Player) -> bytes:
    return ACCOUNT.sub(b"ACCOUNT", body.replace(GAME.encode(), b"GAME").replace(ada.id.encode(), b"ADA"))


async def test_no_salt_and_no_choice_is_told(told: dict[str, bytes]) -> None:
    everything = b"".join(told.values())

    assert SALT.encode() not in everything
    assert b'"drop"' not in everything
    assert bytes(range(32)).hex().encode() not in everything


async def test_the_same_is_told_by_a_process_that_could_open_no_secret(api: Api, database: Database) -> None:
    ada, _bob = await seat_two(api)
    told = await tell_all(api, ada)

    async with running_api(database, key=MasterKey(bytes(32))) as blind:
        same = await tell_all(blind, ada)

    assert same == told


async def test_what_happens_within_the_delay_changes_no_byte_for_those_outside(api: Api) -> None:
    ada, bob = await seat_two(api, delay_s=60)
    api.clock.now_ms += 61_000
    before = await tell_all(api, ada)

    for answering in (ada, bob):
        bid = {**BID, "card": 3 * answering.seat, "drop": 3 * answering.seat + 1}
        await expect(answering.entrust(f"r1/bid/{answering.seat}", bid), 200)
        assert await tell_all(api, ada) == before
