"""Notices by mail: to confirmed addresses alone, left by one click; no stranger floods a mailbox."""

import re
from collections.abc import AsyncIterator
from urllib.parse import urlsplit

import pytest

from infra.mail import read_smtp_url
from services.notices.mails import Mails
from tests.database import Database
from tests.mail_server import Inbox, receiving_mails
from tests.services.api.player import Player, expect, register
from tests.services.api.server import Api, running_api
from tests.services.notices.receiver import notifier_at_work

ADDRESS = "ada@example.org"
URL = "https://spina.example"
DAY_MS = 24 * 3_600_000
KEY = re.compile(r"/account#(mail|leave)=(\S+)")


@pytest.fixture
def inbox() -> Inbox:
    return Inbox()


@pytest.fixture
async def api(database: Database, inbox: Inbox) -> AsyncIterator[Api]:
    async with (
        receiving_mails(inbox) as smtp_url,
        running_api(database, mails=Mails(read_smtp_url(smtp_url), URL), per_s=100) as api,
    ):
        yield api


def find_keys(inbox: Inbox) -> dict[str, str]:
    """Return the secrets of the links of the last mail."""
    return dict(KEY.findall(inbox.mails[-1].get_content()))


async def ask(player: Player, inbox: Inbox) -> str:
    await expect(player.post("/account/mails", {"address": ADDRESS}), 201)
    return find_keys(inbox)["mail"]


async def list_ways(api: Api, player: Player) -> list[dict[str, object]]:
    response = await api.client.get("/v1/account/ways", headers=player.headers)
    items: list[dict[str, object]] = response.json()["items"]
    return items


async def test_nothing_but_the_question_is_sent_before_the_link_is_followed(api: Api, inbox: Inbox) -> None:
    ada = await register(api, "Ada, who says http://evil.example")

    key = await ask(ada, inbox)
    ways_before = await list_ways(api, ada)
    confirmed = [await api.client.post("/v1/notices/confirmations", json={"key": key}) for _ in range(2)]

    (asked,) = inbox.mails
    (way,) = await list_ways(api, ada)
    assert (asked["to"], asked["list-unsubscribe"]) == (ADDRESS, None)
    assert "evil" not in asked.get_content()
    assert ways_before == []
    assert [response.status_code for response in confirmed] == [201, 201]
    assert (way["kind"], way["address"]) == ("mail", ADDRESS)


async def test_a_notice_by_mail_leads_to_its_page_and_is_left_by_one_post(
    api: Api, database: Database, inbox: Inbox
) -> None:
    ada = await register(api, "Ada")
    confirmed = await api.client.post("/v1/notices/confirmations", json={"key": await ask(ada, inbox)})

    async with notifier_at_work(api, database):
        await expect(ada.post("/account/ways/tests", {"way": confirmed.json()["id"]}), 201)
        await inbox.wait_for(2)
    leaving = urlsplit(str(inbox.mails[1]["list-unsubscribe"]).strip("<>"))
    path = f"{leaving.path}?{leaving.query}"
    led = await api.client.get(path)
    ways_before = await list_ways(api, ada)
    form = {"List-Unsubscribe": "One-Click"}
    left = [await api.client.post(path, data=form) for _ in range(2)]

    text = inbox.mails[1].get_content()
    assert inbox.mails[1]["subject"] == "A test, as you asked for"
    assert f"{URL}/account\r\n" in text
    assert f"{leaving.scheme}://{leaving.netloc}" == URL
    assert (led.status_code, led.headers["location"]) == (303, f"/account#leave={find_keys(inbox)['leave']}")
    assert len(ways_before) == 1
    assert [response.status_code for response in left] == [201, 201]
    assert await list_ways(api, ada) == []


async def test_a_link_that_was_changed_or_is_a_day_old_does_nothing(api: Api, inbox: Inbox) -> None:
    ada = await register(api, "Ada")
    key = await ask(ada, inbox)
    changed = [key[:-1], f"{key}A", key[:20] + ("A" if key[20] != "A" else "B") + key[21:], "é", "x"]

    refused = [await api.client.post("/v1/notices/confirmations", json={"key": item}) for item in changed]
    left = [await api.client.post("/v1/notices/departures", params={"key": item}) for item in changed]
    api.clock.now_ms += DAY_MS + 1
    late = await api.client.post("/v1/notices/confirmations", json={"key": key})

    assert {response.json()["type"] for response in (*refused, *left, late)} == {"urn:spina:problem:link-refused"}
    assert await list_ways(api, ada) == []


async def test_a_link_of_an_account_that_was_deleted_does_nothing(api: Api, inbox: Inbox) -> None:
    ada = await register(api, "Ada")
    key = await ask(ada, inbox)
    await expect(ada.post("/account/forget", {"name": "Ada"}), 201)

    refused = await api.client.post("/v1/notices/confirmations", json={"key": key})

    assert refused.json()["type"] == "urn:spina:problem:way-refused"


async def test_no_mailbox_is_flooded_by_an_account_or_by_many(api: Api, inbox: Inbox) -> None:
    players = [await register(api, f"Player {number}") for number in range(3)]

    to_one = [(await player.post("/account/mails", {"address": ADDRESS.upper()})).status_code for player in players]
    tagged = (await players[2].post("/account/mails", {"address": ADDRESS.replace("@", "+1@")})).status_code
    of_one = [
        (await players[0].post("/account/mails", {"address": f"a{number}@example.org"})).status_code
        for number in range(6)
    ]

    assert (to_one, tagged) == ([201, 201, 429], 429)
    assert of_one == [201, 201, 201, 201, 429, 429]
    assert len(inbox.mails) == 6


async def test_a_mail_that_the_server_refuses_is_told_without_the_address(api: Api, inbox: Inbox) -> None:
    ada = await register(api, "Ada")
    inbox.answer_to_recipient = "550 no such mailbox"

    refused = await expect(ada.post("/account/mails", {"address": ADDRESS}), 409)

    assert refused["type"] == "urn:spina:problem:mail-not-sent"
    assert ADDRESS not in str(refused)


@pytest.mark.parametrize(
    "address", ["", "ada", "a@b", "a b@c.example", "a@c.example\r\nBcc: d@e.example", "<a@c.example>"]
)
async def test_a_text_that_is_no_address_is_refused(api: Api, inbox: Inbox, address: str) -> None:
    ada = await register(api, "Ada")

    await expect(ada.post("/account/mails", {"address": address}), 400)

    assert inbox.mails == []


async def test_notices_gather_while_a_mailbox_rests_and_those_that_hold_no_more_are_left_out(
    api: Api, database: Database, inbox: Inbox
) -> None:
    ada, bob = await register(api, "Ada", number=1), await register(api, "Bob", number=2)
    confirmed = await api.client.post("/v1/notices/confirmations", json={"key": await ask(bob, inbox)})
    way = confirmed.json()["id"]

    async with notifier_at_work(api, database):
        await expect(bob.post("/account/ways/tests", {"way": way}), 201)
        await inbox.wait_for(2)
        await expect(ada.open(offers=[None, {"kind": "player", "player": bob.id}]), 201)
        for seat, player in enumerate((ada, bob)):
            await expect(player.take(seat), 200)
        for player in (ada, bob):
            await expect(player.ready(), 200)
        # The mail with the test had no deadline, so that its rest ends with the first turn.
        await inbox.wait_for(3)

    gathered = inbox.mails[2]
    assert len(inbox.mails) == 3
    assert gathered["subject"] == "It is your turn in Torches (and 1 more)"
    assert "It is your turn in Torches" in gathered.get_content()
    assert "A seat" not in gathered.get_content()
