"""HEAD: the same answer as GET, without its body. OPTIONS: all methods of a path."""

import asyncio
import re
from collections.abc import AsyncIterator

import pytest
from httpx2 import ASGITransport, AsyncClient
from litestar import Litestar, get
from litestar.handlers import HTTPRouteHandler
from litestar.response import Stream

from services.api.app import ROUTES
from services.api.http.wrapping import answering_heads
from tests.services.api.described import APP
from tests.services.api.server import Api


def list_methods() -> dict[str, set[str]]:
    """Collect the methods of every path, with a number in the place of each id."""
    found: dict[str, set[str]] = {}
    for route in ROUTES:
        if isinstance(route, HTTPRouteHandler):
            for path in route.paths:
                found.setdefault(re.sub(r"\{[^}]+\}", "1", path), set()).update(route.http_methods)
    return dict(sorted(found.items()))


METHODS = list_methods()


def head_client(app: Litestar) -> AsyncClient:
    # The two packages write the same protocol with types of their own.
    transport = ASGITransport(app=answering_heads(app))  # type: ignore[arg-type]  # see above
    return AsyncClient(transport=transport, base_url="http://spina.test")


@pytest.mark.parametrize(
    "path",
    ["/", "/v1/health", "/v1/games", "/v1/openapi.json", "/v1/docs", "/web/game/game.js", "/nope", "/v1/ledger/policy"],
)
async def test_head_has_the_status_and_headers_of_get_and_no_body(api: Api, path: str) -> None:
    async with head_client(api.app) as client:
        asked = await client.head(path)
        whole = await client.get(path)

    assert (asked.status_code, asked.headers) == (whole.status_code, whole.headers)
    assert (asked.content, whole.content == b"") == (b"", False)


@pytest.mark.parametrize("path", [path for path, methods in METHODS.items() if methods == {"POST"}])
async def test_head_of_a_path_without_get_is_refused(path: str) -> None:
    async with head_client(APP) as client:
        asked = await client.head(path)

    assert (asked.status_code, asked.headers["allow"]) == (405, "OPTIONS, POST")


@pytest.mark.parametrize(("path", "methods"), METHODS.items())
async def test_options_names_every_method_of_a_path(path: str, methods: set[str]) -> None:
    async with head_client(APP) as client:
        asked = await client.options(path)

    heads = {"HEAD"} if "GET" in methods else set()
    assert asked.status_code == 204
    assert asked.headers["allow"] == ", ".join(sorted({*methods, *heads, "OPTIONS"}))


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
