"""Notifiers killed at random points under load lose no notice, and repeat one under its id alone."""

import asyncio
import os
import sys
from uuid import UUID

import pytest

from tests.database import Database
from tests.fork_server import ROOT
from tests.services.api.player import Player, expect, register
from tests.services.api.server import Api
from tests.services.notices.receiver import SOON_S, Received, Receiver, add_way, notifier_at_work
from tests.services.notices.test_deliveries import MINUTE_MS, UNTOLD, wait_for

SEED = 20261119
KILLS = "tests.services.notices.killed_notifiers"


# Games ahead of the notices: enough that each notifier finds work, few enough that it comes to send.
AHEAD_MAX = 20
# One message of so many is held without an answer until its notifier is killed, and so comes again.
HELD_EVERY = 5
# Refuses all messages while notifiers are killed.
FAILING = "/failing"
PATHS = ("/", FAILING)


async def offer_games(opener: Player, guest: Player, receiver: Receiver, *, until: asyncio.Task[int]) -> list[str]:
    """Open games with a seat for a guest, some more than were told, and return their ids."""
    games: list[str] = []
    while not until.done():
        if len(games) - len(receiver.received) >= AHEAD_MAX:
            await asyncio.wait([until], timeout=SOON_S)
            continue
        game = str(UUID(int=0x0199C0DE_0000_7000_8000_000000000000 + len(games)))
        offers = [None, {"kind": "player", "player": guest.id}]
        await expect(opener.open(command=game, offers=offers), 201)
        games.append(game)
    return games


async def test_killed_notifiers_lose_nothing_and_repeat_under_the_same_id_in_order(
    api: Api, database: Database, receiver: Receiver, request: pytest.FixtureRequest
) -> None:
    ada, bob = await register(api, "Ada", number=1), await register(api, "Bob", number=2)
    for path in PATHS:
        await add_way(bob, receiver.url + path)
    arguments = (sys.executable, "-m", KILLS, database.app_url, str(request.config.getoption("--kills")), str(SEED))
    killing = await asyncio.create_subprocess_exec(*arguments, cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)})

    killed = asyncio.ensure_future(killing.wait())

    def answer(received: Received) -> str | None:
        if killed.done():
            return "204 No Content"
        if received.path == FAILING:
            return "500 Error"
        return None if len(receiver.received) % HELD_EVERY == 0 else "204 No Content"

    receiver.answer = answer
    games = await offer_games(ada, bob, receiver, until=killed)
    sent_by_killed = len(receiver.received)
    api.clock.now_ms += MINUTE_MS
    async with notifier_at_work(api, database):
        await wait_for(database, UNTOLD, 0)

    assert killed.result() == 0
    assert sent_by_killed > HELD_EVERY
    for path in PATHS:
        received = [notice for notice in receiver.received if notice.path == path]
        told = [(notice.message["data"]["game"], notice.headers["webhook-id"]) for notice in received]
        assert list(dict.fromkeys(game for game, _ in told)) == games
        assert len(set(told)) == len(games) < len(told)
        print(f"{len(games)} notices, {len(told) - len(games)} repeated")  # noqa: T201  read by a person
