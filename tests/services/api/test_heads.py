"""HEAD: the same answer as GET, without its body."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from httpx import ASGITransport, AsyncClient
from litestar import Litestar, get
from litestar.response import Stream

from services.api.heads import answering_heads
from tests.services.api.player import expect, register
from tests.services.api.server import Api


def head_client(app: Litestar) -> AsyncClient:
    # The two packages write the same protocol with types of their own.
    transport = ASGITransport(app=answering_heads(app))  # type: ignore[arg-type]  # see above
    return AsyncClient(transport=transport, base_url="http://spina.test")


@pytest.mark.parametrize(
    "path",
    ["/", "/v1/health", "/v1/games", "/v1/openapi.json", "/v1/docs", "/web/game.js", "/nope", "/v1/ledger/policy"],
)
async def test_head_has_the_status_and_headers_of_get_and_no_body(api: Api, path: str) -> None:
    async with head_client(api.app) as client:
        asked = await client.head(path)
        whole = await client.get(path)

    assert (asked.status_code, asked.headers) == (whole.status_code, whole.headers)
    assert (asked.content, whole.content == b"") == (b"", False)


async def test_head_of_what_is_only_posted_to_is_refused(api: Api) -> None:
    ada = await register(api, "Ada", number=1)
    await expect(ada.open(), 201)

    async with head_client(api.app) as client:
        asked = await client.head(f"/v1/games/{ada.game}/seats")
        posted = await client.post("/v1/players", json={"name": "Bob"})

    assert asked.status_code == 405
    assert posted.status_code == 201


async def test_head_of_a_stream_ends_it() -> None:
    closed = asyncio.Event()

    async def go_on_for_ever() -> AsyncIterator[bytes]:
        try:
            while True:
                yield b": still there\n\n"
                await asyncio.Event().wait()
        finally:
            closed.set()

    @get("/live")
    async def follow() -> Stream:
        return Stream(go_on_for_ever(), media_type="text/event-stream")

    async with asyncio.timeout(5), head_client(Litestar([follow])) as client:
        asked = await client.head("/live")
        await closed.wait()

    assert (asked.status_code, asked.headers["content-type"]) == (200, "text/event-stream; charset=utf-8")
    assert asked.content == b""
