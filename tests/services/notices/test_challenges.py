"""A webhook is used once its program has answered a challenge: no server of another gets notices."""

from typing import Any

import pytest

from services.notices.ways import Discord, find_fault
from tests.database import Database
from tests.services.api.player import expect, seat_two
from tests.services.api.server import Api
from tests.services.notices.receiver import Receiver, add_way, notifier_at_work


async def test_notices_wait_until_the_challenge_is_answered(api: Api, database: Database, receiver: Receiver) -> None:
    ada, bob = await seat_two(api)
    way = await add_way(ada, receiver.url)
    await expect(bob.resign(), 200)
    unproven = (await api.client.get("/v1/account/ways", headers=ada.headers)).json()["items"]

    async with notifier_at_work(api, database):
        message = await receiver.next_message()

    proven = (await api.client.get("/v1/account/ways", headers=ada.headers)).json()["items"]
    assert message["type"] == "game_over"
    assert [(each["id"], each["is_proven"]) for each in (*unproven, *proven)] == [(way["id"], False), (way["id"], True)]


@pytest.mark.parametrize("answer", ["", "{}", '{"challenge": "another"}', "no JSON", "[" * 2_000])
async def test_a_server_that_does_not_answer_the_challenge_gets_nothing_else(
    api: Api, database: Database, receiver: Receiver, answer: str
) -> None:
    asked: list[Any] = []

    def refuse(challenge: Any) -> str:
        asked.append(challenge)
        return answer

    receiver.answer_challenge = refuse
    ada, bob = await seat_two(api)
    await add_way(ada, receiver.url)
    await expect(bob.resign(), 200)

    async with notifier_at_work(api, database):
        while not (way := (await api.client.get("/v1/account/ways", headers=ada.headers)).json()["items"][0])[
            "failing_reason"
        ]:
            pass

    assert (way["is_proven"], way["failing_reason"]) == (False, "the address did not answer the challenge")
    assert (len(asked), receiver.received) == (1, [])


@pytest.mark.parametrize(
    ("host", "is_taken"),
    [("discord.com", True), ("canary.discord.com", True), ("victim.example", False), ("discord.com.example", False)],
)
def test_a_channel_of_discord_is_one_of_discord(host: str, *, is_taken: bool) -> None:
    fault = find_fault(Discord(url=f"https://{host}/api/webhooks/1/a"), reaches_private=False)

    assert (fault is None) == is_taken
