"""A browser or a program that its owner closes leaves no way of notice behind; a way of the owner stays."""

from collections.abc import AsyncIterator
from typing import Any, get_args

import pytest

from infra.mail import read_smtp_url
from services.notices.mails import Mails
from services.notices.ways import Addable
from tests.database import Database
from tests.mail_server import Inbox, receiving_mails
from tests.services.api.player import Player, expect, register
from tests.services.api.server import Api, running_api
from tests.services.notices.receiver import add_way
from tests.services.notices.test_mails import ask, list_ways
from tests.services.notices.test_pushes import Subscription

URL = "https://spina.example"
DISCORD = {"kind": "discord", "url": "https://discord.com/api/webhooks/1/a"}
ADDED = {
    "Webhook": {"kind": "webhook", "url": "https://thief.example/"},
    "Discord": DISCORD,
    "Browser": Subscription("https://push.example/1").to,
    "Calendar": {"kind": "calendar"},
}


@pytest.fixture
async def inbox() -> Inbox:
    return Inbox()


@pytest.fixture
async def api(database: Database, inbox: Inbox) -> AsyncIterator[Api]:
    async with (
        receiving_mails(inbox) as smtp_url,
        running_api(database, mails=Mails(read_smtp_url(smtp_url), URL), per_s=100) as api,
    ):
        yield api


async def lend(api: Api, ada: Player) -> tuple[Player, str]:
    """Return a second token of an account, and its id."""
    body = {"name": "Lent for a minute", "scopes": ["read", "account"], "days": 90}
    made = await expect(ada.post("/account/tokens", body), 201)
    return Player(api, made["token"]), made["id"]


async def confirm(api: Api, key: str) -> Any:
    return await api.client.post("/v1/notices/confirmations", json={"key": key})


@pytest.mark.parametrize("names_it", [True, False])
async def test_the_ways_that_a_closed_token_added_end_with_it(api: Api, inbox: Inbox, *, names_it: bool) -> None:
    ada = await register(api, "Ada")
    thief, token = await lend(api, ada)
    own = await add_way(ada, "", to={"kind": "calendar"})

    for to in ADDED.values():
        added = await add_way(thief, "", to=to)
    await confirm(api, await ask(thief, inbox))
    open_question = await ask(thief, inbox)
    before = [str(each["kind"]) for each in await list_ways(api, ada)]
    await expect(ada.post("/account/revocations", {"tokens": [token] if names_it else None}), 201)
    late = await confirm(api, open_question)
    read = await api.client.get("/v1/account/calendar.ics", params={"key": added["secret"]})

    assert {kind.__name__ for kind in get_args(Addable)} == set(ADDED)
    assert sorted(before) == sorted(["calendar", "mail", *(to["kind"] for to in ADDED.values())])
    assert [each["id"] for each in await list_ways(api, ada)] == [own["id"]]
    assert (late.status_code, read.status_code) == (409, 404)


async def test_all_that_were_added_before_end_when_all_others_are_closed(api: Api) -> None:
    ada = await register(api, "Ada")
    thief, token = await lend(api, ada)
    await add_way(thief, "", to=DISCORD)

    await api.execute("update spina.token set ends_at = now() where id = $1", token)
    left = await list_ways(api, ada)
    await expect(ada.post("/account/revocations", {"tokens": None}), 201)

    assert len(left) == 1
    assert await list_ways(api, ada) == []
