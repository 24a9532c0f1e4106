"""Headers that every answer carries, and the rights of a page of another origin."""

import asyncio
from collections.abc import AsyncIterator
from itertools import islice
from typing import Any

import pytest
from httpx2 import ASGITransport, AsyncClient, Response
from litestar import Litestar, get, post
from litestar.exceptions import HTTPException
from litestar.params import RawBody

from infra.networks import Network, network_of
from services.api.app import build_app
from services.api.http.guarding import BODIES_MAX, SECURITY_HEADERS, Guard
from services.api.http.health import HEALTH_PATH
from services.api.http.hosts import Hosts
from services.api.http.problems import REQUEST_BYTES_MAX, on_http_exception
from services.api.http.rates import Rates, RateTerms, TooManyRequests
from tests.services.api.lent_app import lent_app
from tests.services.api.server import PROBES, memory_parts
from tests.services.api.test_problems import problem_of

SCOPE: Any = {
    "type": "http", "path": "/", "query_string": b"", "method": "GET", "client": ("192.0.2.1", 4000), "headers": [],
}  # fmt: skip
NO_CALLER: Any = None
FREE = Rates(RateTerms(per_s=0), shared=None, now_us=lambda: 0)
ORIGIN = "https://circus.example"
ELSEWHERE = "https://elsewhere.example"


def client_of(app: Litestar | Guard, *, host: str = "192.0.2.1") -> AsyncClient:
    # The two packages write the same protocol with types of their own.
    transport = ASGITransport(app=app, raise_app_exceptions=False, client=(host, 4000))  # type: ignore[arg-type]  # see above
    return AsyncClient(transport=transport, base_url="http://spina.test")


async def ask(path: str, *, origin: str, method: str = "GET", **headers: str) -> Response:
    app = build_app(probes=PROBES, parts=memory_parts(), cors_origins=(ORIGIN,))
    async with client_of(app) as client:
        return await client.request(method, path, headers={"origin": origin, **headers})


@pytest.mark.parametrize("path", ["/v1/health", "/v1/rulesets", "/v1/nothing", "/v1/games/x", "/v1/openapi.json"])
async def test_every_answer_carries_the_security_headers(path: str) -> None:
    with lent_app(probes=PROBES, parts=memory_parts()) as app:
        async with client_of(app) as client:
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


@pytest.mark.parametrize(
    ("host", "is_served"),
    [("127.0.0.1:8000", True), ("[::1]:8000", True), ("localhost", True), ("rebound.example:8000", False), ("", False)],
)
async def test_a_name_that_a_stranger_points_at_this_machine_is_no_name_of_its_server(
    host: str, *, is_served: bool
) -> None:
    async with client_of(Guard(ECHO, FREE, hosts=Hosts(is_local=True))) as client:
        answer = await client.post("/echo", content=b"said", headers={"host": host})

    assert (answer.status_code, is_served) in ((201, True), (403, False))


@pytest.mark.parametrize(
    ("origin", "is_refused"),
    [
        (None, False),
        ("http://spina.test", False),
        (ORIGIN, False),
        (ELSEWHERE, True),
        ("null", True),
        ("http://[", True),
    ],
)
def test_a_page_of_another_origin_opens_no_socket(origin: str | None, *, is_refused: bool) -> None:
    headers = [(b"host", b"spina.test"), *([] if origin is None else [(b"origin", origin.encode())])]

    scope: Any = {**SCOPE, "type": "websocket", "headers": headers}

    refusal = Hosts(origins=(ORIGIN,)).find_refusal(scope)

    assert (refusal is not None) == is_refused


async def test_a_cache_tells_answers_to_two_origins_and_two_tokens_apart() -> None:
    response = await ask("/v1/rulesets", origin=ORIGIN)

    varies = {name.strip().lower() for name in response.headers.get_list("vary", split_commas=True)}
    assert {"accept", "authorization", "origin"} <= varies


async def test_what_comes_on_top_of_the_bound_is_refused_at_once() -> None:
    go_on = asyncio.Event()

    @get("/slow")
    async def slow() -> str:
        await go_on.wait()
        return "done"

    app = Litestar([slow], openapi_config=None)
    async with client_of(Guard(app, FREE, under_way_max=3)) as client:
        slow_ones = [asyncio.ensure_future(client.get("/slow")) for _ in range(10)]
        async with asyncio.timeout(10):
            refused = [await future for future in islice(asyncio.as_completed(slow_ones), 7)]
        health = await client.get(HEALTH_PATH)
        go_on.set()
        finished = [response for response in await asyncio.gather(*slow_ones) if response not in refused]
        after = await client.get("/slow")

    assert {problem_of(response) for response in refused} == {(503, "unavailable")}
    assert {response.headers["retry-after"] for response in refused} == {"1"}
    assert [response.text for response in finished] == ["done"] * 3
    assert (health.status_code, after.text) == (404, "done")


async def test_half_bodies_take_no_place_of_whole_requests_and_few_of_their_own() -> None:
    guard = Guard(ECHO, FREE, under_way_max=1)
    async with client_of(guard) as client:
        halves = [asyncio.ensure_future(client.post("/echo", content=half_body())) for _ in range(BODIES_MAX)]
        await asyncio.sleep(0.1)
        refused = await client.post("/echo", content=half_body())
        other = await client_of(guard, host="192.0.2.2").post("/echo", content=b"all at once")
        for half in halves:
            half.cancel()
        await asyncio.wait(halves)
        again = await client.post("/echo", content=b"all at once")

    assert problem_of(refused) == (503, "unavailable")
    assert [other.content, again.content] == [b"all at once"] * 2


async def test_a_body_that_never_ends_is_sent_away() -> None:
    async with client_of(Guard(ECHO, FREE, body_timeout_s=0.05)) as client:
        slow = await client.post("/echo", content=half_body())
        quick = await client.post("/echo", content=b"all at once")

    assert problem_of(slow) == (408, "body-too-slow")
    assert quick.content == b"all at once"


@pytest.mark.parametrize("is_told", [True, False], ids=["told in its head", "in chunks"])
async def test_a_body_that_is_too_large_is_refused_before_the_rest_of_it_has_come(*, is_told: bool) -> None:
    async def pour() -> AsyncIterator[bytes]:
        yield bytes(REQUEST_BYTES_MAX + 1)
        await asyncio.Event().wait()

    headers = {"content-length": str(REQUEST_BYTES_MAX * 10)} if is_told else {}
    async with client_of(Guard(ECHO, FREE)) as client, asyncio.timeout(10):
        refused = await client.post("/echo", content=pour(), headers=headers)

    assert problem_of(refused) == (413, "body-too-large")


async def test_a_body_that_breaks_off_is_no_request() -> None:
    came: list[Any] = []

    async def app(*given: Any) -> None:
        came.append(given)

    messages = iter([{"type": "http.request", "body": b"{", "more_body": True}, {"type": "http.disconnect"}])

    async def receive() -> Any:
        return next(messages)

    scope: Any = {**SCOPE, "method": "POST"}
    await Guard(app, FREE)(scope, receive, NO_CALLER)

    assert came == []


async def test_a_network_over_its_pace_is_refused_and_no_other() -> None:
    rates = Rates(RateTerms(per_s=50), shared=None, now_us=lambda: 0)
    guard = Guard(ECHO, rates)
    while not isinstance(await spend_at_once(rates, network_of("192.0.2.1")), TooManyRequests):
        pass

    async with client_of(guard) as client:
        refused = await client.get("/echo")
        page = await client.get("/echo", headers={"accept": "text/html,*/*;q=0.8"})
        health = await client.get(HEALTH_PATH)
        other = await client_of(guard, host="192.0.2.2").get("/echo")

    assert problem_of(refused) == (429, "too-many-requests")
    assert (page.status_code, page.headers["content-type"]) == (429, "text/html; charset=utf-8")
    assert f"The page comes again by itself, in about {page.headers['retry-after']} s." in page.text
    assert (health.status_code, other.status_code) == (404, 405)


async def test_a_stream_that_has_begun_is_no_longer_under_way() -> None:
    begun, go_on = asyncio.Event(), asyncio.Event()
    statuses: list[int | None] = []

    async def stream(_scope: Any, _receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        begun.set()
        await go_on.wait()

    async def send(message: Any) -> None:
        statuses.append(message.get("status"))

    guard = Guard(stream, FREE, under_way_max=1)
    first = asyncio.create_task(guard(SCOPE, NO_CALLER, send))
    await begun.wait()
    second = asyncio.create_task(guard(SCOPE, NO_CALLER, send))
    go_on.set()
    await asyncio.gather(first, second)

    assert statuses == [200, 200]


@post("/echo")
async def echo(body: RawBody) -> bytes:
    return body


ECHO = Litestar(
    [echo],
    exception_handlers={HTTPException: on_http_exception},
    request_max_body_size=REQUEST_BYTES_MAX,
    openapi_config=None,
)


async def spend_at_once(rates: Rates, network: Network) -> object:
    """Take as much of a network's pace as one request may, without the wait for it."""
    spent = asyncio.ensure_future(rates.pace(network, cost=10))
    await asyncio.sleep(0)
    spent.cancel()
    await asyncio.wait({spent})
    return None if spent.cancelled() else spent.exception()


async def half_body() -> AsyncIterator[bytes]:
    yield b'{"name":'
    await asyncio.Event().wait()
