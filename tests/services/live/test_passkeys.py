"""Passkeys against attackers: another site's signature, a challenge used before or by another, and damaged bytes."""

from base64 import urlsafe_b64decode
from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest
from httpx2 import Response

from tests.database import Database
from tests.domain.game.game_harness import GAME
from tests.services.live.authenticator import Authenticator, encode
from tests.services.live.node import Node, running_node

PAGE = {"authorization": "Session player"}
HOST = "games.test"


@pytest.fixture
async def node(database: Database) -> AsyncIterator[Node]:
    async with running_node(database, None) as node:
        node.client.headers["host"] = HOST
        yield node


async def post(node: Node, path: str, body: Any, headers: dict[str, str] | None = None) -> Response:
    return await node.client.post(f"/v1{path}", json=body, headers=headers or PAGE)


async def sign_up(node: Node, name: str) -> dict[str, str]:
    made = await post(node, "/players", {"name": name}, {"authorization": ""})
    return {"authorization": f"Bearer {made.json()['token']}"}


async def challenge(node: Node, path: str, headers: dict[str, str] | None = None) -> str:
    begun = await post(node, f"{path}/options", {}, headers)
    assert begun.status_code == 201, begun.text
    return str(begun.json()["options"]["challenge"])


async def store(node: Node, authenticator: Authenticator, headers: dict[str, str]) -> Response:
    made = authenticator.make(await challenge(node, "/account/passkeys", headers))
    return await post(node, "/account/passkeys", {"credential": made}, headers)


async def test_a_signature_opens_one_session_of_its_own_account(node: Node) -> None:
    ada = await sign_up(node, "Ada")
    authenticator = Authenticator(HOST, f"https://{HOST}")
    stored = await store(node, authenticator, ada)
    signed = {"credential": authenticator.sign(await challenge(node, "/sessions/passkey"))}

    first, again = [await post(node, "/sessions/passkey", signed) for _ in range(2)]

    assert stored.status_code == 201, stored.text
    assert (first.status_code, first.json()["name"]) == (201, "Ada")
    assert again.status_code == 401


@pytest.mark.parametrize(("host", "origin"), [("evil.test", "https://games.test"), (HOST, "https://evil.test")])
async def test_a_signature_for_another_site_opens_nothing(node: Node, host: str, origin: str) -> None:
    ada = await sign_up(node, "Ada")
    authenticator = Authenticator(HOST, f"https://{HOST}")
    await store(node, authenticator, ada)
    authenticator._host, authenticator._origin = host, origin  # noqa: SLF001  the user was led to another site

    signed = authenticator.sign(await challenge(node, "/sessions/passkey"))

    assert (await post(node, "/sessions/passkey", {"credential": signed})).status_code == 401


async def test_a_passkey_is_stored_for_the_account_that_began_it_alone(node: Node) -> None:
    ada, bob = await sign_up(node, "Ada"), await sign_up(node, "Bob")
    authenticator = Authenticator(HOST, f"https://{HOST}")
    of_bob = await challenge(node, "/account/passkeys", bob)

    refused = await post(node, "/account/passkeys", {"credential": authenticator.make(of_bob)}, ada)
    stored = await store(node, authenticator, ada)
    taken = await store(node, authenticator, bob)

    assert [response.status_code for response in (refused, stored, taken)] == [401, 201, 401]


async def test_a_challenge_to_store_a_passkey_signs_no_account_in(node: Node) -> None:
    ada, bob = await sign_up(node, "Ada"), await sign_up(node, "Bob")
    authenticator = Authenticator(HOST, f"https://{HOST}")
    await store(node, authenticator, ada)

    signed = authenticator.sign(await challenge(node, "/account/passkeys", bob))

    assert (await post(node, "/sessions/passkey", {"credential": signed})).status_code == 401


async def test_a_challenge_opens_no_stream(node: Node) -> None:
    ada = await sign_up(node, "Ada")
    asked = urlsafe_b64decode(await challenge(node, "/account/passkeys", ada) + "==").decode()

    answer = await node.client.get(f"/v1/games/{GAME}/live", params={"ticket": asked})

    assert answer.status_code == 401


@pytest.mark.parametrize("name", ["clientDataJSON", "authenticatorData", "signature"])
async def test_a_damaged_signature_opens_nothing_and_fails_nothing(node: Node, name: str) -> None:
    ada = await sign_up(node, "Ada")
    authenticator = Authenticator(HOST, f"https://{HOST}")
    await store(node, authenticator, ada)
    codes = set()
    for place in range(0, 64, 9):
        signed = authenticator.sign(await challenge(node, "/sessions/passkey"))
        whole = bytearray(urlsafe_b64decode(signed["response"][name] + "=="))
        whole[place % len(whole)] ^= 1
        damages: Sequence[Any] = (encode(bytes(whole)), encode(bytes(whole[:place])), None, [], "é")
        for damaged in damages:
            signed["response"][name] = damaged
            codes.add((await post(node, "/sessions/passkey", {"credential": signed})).status_code)

    assert codes == {401}
