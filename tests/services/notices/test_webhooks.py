"""Webhooks on the loopback: each message is signed as the standard states, and has its reader's facts alone."""

import re
from typing import Any

from standardwebhooks.webhooks import Webhook

from tests.database import Database
from tests.fork_server import ROOT
from tests.services.api.player import GAME, expect, register
from tests.services.api.server import Api
from tests.services.notices.receiver import Receiver, add_way, notifier_at_work

PYTHON = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CLOCK = {"per_decision_ms": 60_000, "bank_ms": 0}


async def test_a_program_gets_signed_messages_of_a_game_the_deadlines_first(
    api: Api, database: Database, receiver: Receiver
) -> None:
    ada, bob = await register(api, "Ada", number=1), await register(api, "Bob", number=2)
    secret = (await add_way(bob, receiver.url))["secret"]
    await expect(ada.open(clock=CLOCK, offers=[None, {"kind": "player", "player": bob.id}]), 201)

    async with notifier_at_work(api, database):
        offered = await receiver.next()
        for seat, player in enumerate((ada, bob)):
            await expect(player.take(seat), 200)
        for player in (ada, bob):
            await expect(player.ready(), 200)
        turn, started = await receiver.next(), await receiver.next()

    page: dict[str, Any] = {}
    exec(PYTHON.findall((ROOT / "docs/notices.md").read_text())[0], page)  # noqa: S102  the example of the page
    own = page["read_message"](turn.headers, turn.body, secret)
    messages = [Webhook(secret).verify(notice.body, notice.headers) for notice in (offered, started, turn)]
    assert [message["type"] for message in messages] == ["seat_offered", "game_started", "your_turn"]
    assert {message["data"]["game"] for message in messages} == {GAME}
    assert messages[2]["text"] == "It is your turn in Torches, until 2026-11-18 12:01 UTC."
    assert messages[2]["url"] == f"http://spina.test/games/{GAME}"
    assert own == messages[2]
    assert messages[2]["id"] == turn.headers["webhook-id"]
