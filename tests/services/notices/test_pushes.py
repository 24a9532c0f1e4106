"""Web Push on the loopback: a push service that knows the server by its key, and a browser that opens the message."""

from collections.abc import AsyncIterator
from typing import Any
from uuid import uuid4

import http_ece  # type: ignore[import-untyped]  # it comes without types
import jwt
import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from infra.web_push import CURVE, decode_text, encode_text
from services.notices.content import Content, NoticeData
from services.notices.pushes import GREETING, LIFE_S, find_life_s
from tests.database import Database
from tests.domain.game.game_harness import NOON
from tests.services.api.player import Player, expect, register
from tests.services.api.server import Api, running_api
from tests.services.notices.receiver import ALL_KINDS, Received, notifier_at_work, receiving

AUTH = b"a" * 16


class Subscription:
    """A browser's side of Web Push."""

    def __init__(self, url: str) -> None:
        self._private = ec.generate_private_key(CURVE)
        public = self._private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.to = {"kind": "browser", "url": url, "p256dh": encode_text(public), "auth": encode_text(AUTH)}

    def open(self, received: Received) -> Any:
        body = http_ece.decrypt(received.body, private_key=self._private, auth_secret=AUTH, version="aes128gcm")
        return msgspec.json.decode(body)


@pytest.fixture
async def api(database: Database) -> AsyncIterator[Api]:
    async with running_api(database, reaches_private=True) as api:
        yield api


async def add_browser(player: Player, to: dict[str, str], status: int = 201) -> Any:
    body = {"name": "Firefox on Linux", "kinds": ALL_KINDS, "quiet": None, "to": to}
    return await expect(player.post("/account/ways", body), status)


async def answer(api: Api, browser: Subscription, challenge: Received) -> Any:
    """Answer the first message of a way as the worker of the browser does, and return that message."""
    message = browser.open(challenge)
    answered = await api.client.post("/v1/notices/answers", json={"key": message["challenge"]})
    assert answered.status_code == 201
    return message


async def list_ways(api: Api, player: Player) -> Any:
    return (await api.client.get("/v1/account/ways", headers=player.headers)).json()


async def test_a_browser_opens_a_notice_from_a_server_that_its_push_service_knows(api: Api, database: Database) -> None:
    ada = await register(api, "Ada")
    key = (await list_ways(api, ada))["push_key"]

    async with receiving() as service, notifier_at_work(api, database):
        browser = Subscription(f"{service.url}/push/1")
        way = await add_browser(ada, browser.to)
        greeting = await answer(api, browser, await service.next())
        await expect(ada.post("/account/ways/tests", {"way": way["id"]}), 201)
        received = await service.next()

    token, public = (part.partition("=")[2] for part in received.headers["authorization"][len("vapid ") :].split(", "))
    known = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, decode_text(public))
    claims = jwt.decode(token, known, algorithms=["ES256"], audience=service.url)
    assert way["secret"] is None
    assert (greeting["text"], greeting["path"]) == (GREETING, "/account")
    assert public == key
    assert claims["sub"] == "http://spina.test"
    assert browser.open(received) == {"title": "Test", "text": "A test, as you asked for.", "path": "/account"}
    assert {name: received.headers[name] for name in ("content-encoding", "urgency")} == {
        "content-encoding": "aes128gcm",
        "urgency": "high",
    }
    assert int(received.headers["ttl"]) > 0
    assert len(received.headers["topic"]) == 32


async def test_a_browser_that_has_not_answered_gets_its_challenge_alone(api: Api, database: Database) -> None:
    ada = await register(api, "Ada")

    async with receiving() as service, notifier_at_work(api, database):
        browser = Subscription(service.url)
        way = await add_browser(ada, browser.to)
        await expect(ada.post("/account/ways/tests", {"way": way["id"]}), 201)
        challenge = await service.next()
        while not (before := (await list_ways(api, ada))["items"][0])["failing_reason"]:
            pass
        pushed = len(service.received)
        await answer(api, browser, challenge)
        message = browser.open(await service.next())

    assert (before["is_proven"], before["failing_reason"]) == (False, "the browser has not answered yet")
    assert (pushed, message["title"]) == (1, "Test")


async def test_a_challenge_opens_its_own_way_alone(api: Api) -> None:
    ada = await register(api, "Ada")
    way = (await add_browser(ada, Subscription("http://127.0.0.1:1/").to))["id"]
    vault = api.parts.people.senders.vault
    keys = [vault.format_key("leave", way), vault.format_key("prove", str(uuid4())), way, f"{way}."]

    refused = [(await api.client.post("/v1/notices/answers", json={"key": key})).status_code for key in keys]

    assert refused == [409] * len(keys)
    assert [way["is_proven"] for way in (await list_ways(api, ada))["items"]] == [False]


@pytest.mark.parametrize("status", ["404 Not Found", "410 Gone"])
async def test_a_subscription_that_the_browser_gave_up_ends_its_way(api: Api, database: Database, status: str) -> None:
    ada = await register(api, "Ada")

    async with receiving() as service, notifier_at_work(api, database):
        service.answer = lambda _: status
        way = await add_browser(ada, Subscription(service.url).to)
        await expect(ada.post("/account/ways/tests", {"way": way["id"]}), 201)
        await service.next()
        while not (shown := (await list_ways(api, ada))["items"][0])["end_reason"]:
            pass

    assert shown["end_reason"] == f"the address answered {status[:3]}"
    assert shown["address"] is None


async def test_a_browser_that_was_signed_out_gets_nothing(api: Api, database: Database) -> None:
    ada = await register(api, "Ada")
    lost = {"name": "Lost phone", "scopes": ["read", "account"], "days": 90}
    token = await expect(ada.post("/account/tokens", lost), 201)

    async with receiving() as service:
        way = await add_browser(Player(api, token["token"]), Subscription(service.url).to)
        await api.execute("update spina.token set ends_at = now() where id = $1", token["id"])
        await expect(ada.post("/account/ways/tests", {"way": way["id"]}), 201)
        async with notifier_at_work(api, database):
            while not (shown := (await list_ways(api, ada))["items"][0])["end_reason"]:
                pass

    assert shown["end_reason"] == "the browser was signed out"
    assert service.received == []


@pytest.mark.parametrize(
    ("deadline", "life_s"),
    [
        (None, LIFE_S),
        ("2026-11-18T12:01:30.500Z", 90),
        ("2026-11-18T11:59:00.000Z", 0),
        ("2027-11-18T12:00:00.000Z", LIFE_S),
    ],
)
def test_a_browser_that_is_away_is_told_of_no_deadline_that_has_passed(deadline: str | None, life_s: int) -> None:
    told = Content(title="Your turn", text="", path="/games/1", data=NoticeData(deadline=deadline))

    assert find_life_s(told, now_s=NOON // 1_000) == life_s


@pytest.mark.parametrize(
    "wrong",
    [
        {"p256dh": "AAAA"},
        {"auth": "AAAA"},
        {"p256dh": "é"},
        {"url": "ftp://push.example/1"},
        {"url": "https://push.example/1 2"},
    ],
)
async def test_a_subscription_that_is_none_is_refused(api: Api, wrong: dict[str, str]) -> None:
    ada = await register(api, "Ada")

    refused = await add_browser(ada, {**Subscription("https://push.example/1").to, **wrong}, status=400)

    assert refused["type"] == "urn:spina:problem:invalid-input"
