"""Headers that every answer carries, and the rights of a page of another origin."""

import asyncio
from collections.abc import AsyncIterator
from itertools import islice
from typing import Any

import pytest
from httpx import ASGITransport, AsyncClient, Response
from litestar import Litestar, get, post
from litestar.exceptions import HTTPException
from litestar.params import RawBody

from services.api.app import build_app
from services.api.guarding import SECURITY_HEADERS, RequestsUnderWay
from services.api.problems import on_http_exception
from tests.services.api.server import PROBES, memory_parts
from tests.services.api.test_problems import problem_of

# Exempt from the guard.
SCOPE: Any = {"type": "http", "path": "/"}
NOBODY: Any = None
ORIGIN = "https://circus.example"
ELSEWHERE = "https://elsewhere.example"


def client_of(app: Litestar) -> AsyncClient:
    # The two packages write the same protocol with types of their own.
    transport = ASGITransport(app=app, raise_app_exceptions=False)  # type: ignore[arg-type]  # see above
    return AsyncClient(transport=transport, base_url="http://spina.test")


async def ask(path: str, *, origin: str, method: str = "GET", **headers: str) -> Response:
    app = build_app(probes=PROBES, parts=memory_parts(), cors_origins=(ORIGIN,))
    async with client_of(app) as client:
        return await client.request(method, path, headers={"origin": origin, **headers})


@pytest.mark.parametrize("path", ["/v1/health", "/v1/rulesets", "/v1/nothing", "/v1/games/x", "/v1/openapi.json"])
async def test_every_answer_carries_the_security_headers(path: str) -> None:
    async with client_of(build_app(probes=PROBES, parts=memory_parts())) as client:
        response = await client.get(path)

    expected = {name.decode(): value.decode() for name, value in SECURITY_HEADERS}
    assert {name: response.headers[name] for name in expected} == expected


async def test_a_page_of_an_origin_that_was_set_may_read_and_send() -> None:
    read = await ask("/v1/rulesets", origin=ORIGIN)
    asked = await ask(
        "/v1/players",
        origin=ORIGIN,
        method="OPTIONS",
        **{"access-control-request-method": "POST", "access-control-request-headers": "authorization"},
    )

    assert read.headers["access-control-allow-origin"] == ORIGIN
    assert "etag" in read.headers["access-control-expose-headers"]
    assert "POST" in asked.headers["access-control-allow-methods"]
    assert "access-control-allow-credentials" not in read.headers


async def test_a_page_of_any_other_origin_may_not() -> None:
    response = await ask("/v1/rulesets", origin=ELSEWHERE)

    assert "access-control-allow-origin" not in response.headers


async def test_a_cache_tells_answers_to_two_origins_and_two_tokens_apart() -> None:
    response = await ask("/v1/rulesets", origin=ORIGIN)

    varies = {each.strip().lower() for each in response.headers.get_list("vary", split_commas=True)}
    assert {"accept", "authorization", "origin"} <= varies


async def test_what_comes_on_top_of_the_bound_is_refused_at_once() -> None:
    go_on = asyncio.Event()

    @get("/slow")
    async def slow() -> str:
        await go_on.wait()
        return "done"

    app = Litestar([slow], middleware=[RequestsUnderWay(count_max=3)], openapi_config=None)
    async with client_of(app) as client:
        slow_ones = [asyncio.ensure_future(client.get("/slow")) for _ in range(10)]
        async with asyncio.timeout(10):
            refused = [await each for each in islice(asyncio.as_completed(slow_ones), 7)]
        go_on.set()
        finished = [each for each in await asyncio.gather(*slow_ones) if each not in refused]
        after = await client.get("/slow")

    assert {problem_of(each) for each in refused} == {(503, "unavailable")}
    assert {each.headers["retry-after"] for each in refused} == {"1"}
    assert [each.text for each in finished] == ["done"] * 3
    assert after.text == "done"


async def test_a_body_that_never_ends_is_sent_away() -> None:
    async def drip() -> AsyncIterator[bytes]:
        yield b'{"name":'
        await asyncio.Event().wait()

    @post("/echo")
    async def echo(body: RawBody) -> bytes:
        return body

    app = Litestar(
        [echo],
        middleware=[RequestsUnderWay(body_timeout_s=0.05)],
        exception_handlers={HTTPException: on_http_exception},
        openapi_config=None,
    )
    async with client_of(app) as client:
        slow = await client.post("/echo", content=drip())
        quick = await client.post("/echo", content=b"all at once")

    assert problem_of(slow) == (408, "body-too-slow")
    assert quick.content == b"all at once"


async def test_a_stream_that_has_begun_is_no_longer_under_way() -> None:
    guard, begun, go_on = RequestsUnderWay(count_max=1), asyncio.Event(), asyncio.Event()
    statuses: list[int | None] = []

    async def stream(_scope: Any, _receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        begun.set()
        await go_on.wait()

    async def send(message: Any) -> None:
        statuses.append(message.get("status"))

    first = asyncio.create_task(guard.handle(SCOPE, NOBODY, send, stream))
    await begun.wait()
    second = asyncio.create_task(guard.handle(SCOPE, NOBODY, send, stream))
    go_on.set()
    await asyncio.gather(first, second)

    assert statuses == [200, 200]
