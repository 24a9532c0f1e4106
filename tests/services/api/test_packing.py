"""Long JSON answers are packed for callers that take it, and are the same answers."""

import gzip
from hashlib import sha256
from typing import Any

import pytest
from httpx2 import ASGITransport, AsyncClient
from litestar import Litestar, Response, get
from litestar.response import Stream

from services.api.http.packing import PACKED_BYTES_MIN, packing
from services.api.http.wrapping import answering_heads

LONG = b"[" + b"1," * PACKED_BYTES_MIN + b"1]"
SHORT = b"[1]"
READY = gzip.compress(b"".join(sha256(bytes([place])).digest() for place in range(64)), mtime=0)


@get("/long")
async def answer_long() -> Response[bytes]:
    return Response(LONG, media_type="application/json", headers={"etag": '"1.public"'})


@get("/short")
async def answer_short() -> Response[bytes]:
    return Response(SHORT, media_type="application/json")


@get("/ready")
async def answer_ready() -> Response[bytes]:
    return Response(READY, media_type="application/json", headers={"content-encoding": "gzip"})


@get("/text")
async def answer_text() -> Response[bytes]:
    return Response(LONG, media_type="text/csv")


@get("/stream")
async def answer_stream() -> Stream:
    return Stream(iter([LONG, SHORT]), media_type="application/json")


APP = Litestar([answer_long, answer_short, answer_ready, answer_text, answer_stream], openapi_config=None)


async def ask(path: str, accepted: str, method: str = "GET") -> tuple[Any, bytes]:
    """Return an answer, and its body as it came."""
    # The two packages write the same protocol with types of their own.
    transport = ASGITransport(app=answering_heads(packing(APP)))  # type: ignore[arg-type]  # see above
    async with (
        AsyncClient(transport=transport, base_url="http://spina.test") as client,
        client.stream(method, path, headers={"accept-encoding": accepted}) as response,
    ):
        return response, b"".join([piece async for piece in response.aiter_raw()])


async def test_a_long_answer_is_packed_for_a_caller_that_takes_it_and_has_a_weak_tag() -> None:
    packed, body = await ask("/long", "br, gzip")
    plain, content = await ask("/long", "identity")

    assert (gzip.decompress(body), content) == (LONG, LONG)
    assert len(body) * 4 < len(LONG)
    assert (packed.headers["etag"], plain.headers["etag"]) == ('W/"1.public"', '"1.public"')
    assert int(packed.headers["content-length"]) == len(body)


@pytest.mark.parametrize(
    ("path", "content"),
    [("/short", SHORT), ("/ready", READY), ("/text", LONG), ("/stream", LONG + SHORT)],
)
async def test_every_other_answer_goes_as_it_is(path: str, content: bytes) -> None:
    answer, body = await ask(path, "gzip")

    assert body == content
    assert answer.headers.get("content-encoding") == ("gzip" if path == "/ready" else None)


async def test_head_tells_the_length_of_the_packed_answer() -> None:
    asked, nothing = await ask("/long", "gzip", "HEAD")
    whole, _ = await ask("/long", "gzip")

    assert (dict(asked.headers), nothing) == (dict(whole.headers), b"")
