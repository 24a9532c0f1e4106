"""Answers of other servers, read within a size and a time: a peer may send for ever, a byte at a time or packed."""

import asyncio
from collections.abc import Mapping

import httpx2
from msgspec import Struct

# Asks for bytes as they are: a small packed piece may unpack to any size.
UNPACKED = {"accept-encoding": "identity"}


class AnswerTooLarge(httpx2.HTTPError):
    """The peer sent more than the answer may have."""


class Answer(Struct, frozen=True, kw_only=True):
    status: int
    headers: Mapping[str, str]
    content: bytes


async def send(
    client: httpx2.AsyncClient, url: str, *, size_max: int, timeout_s: float, content: bytes | None = None
) -> Answer:
    """Send the content, or read without one. Raises httpx2.HTTPError. Nothing is unpacked."""
    method = "GET" if content is None else "POST"
    try:
        async with (
            asyncio.timeout(timeout_s),
            client.stream(method, url, content=content, headers=UNPACKED, timeout=timeout_s) as answer,
        ):
            raw = await read_raw(answer, size_max=size_max)
    except TimeoutError:
        raise httpx2.ReadTimeout(f"expected the whole answer of {url} within {timeout_s:g} s") from None
    return Answer(status=answer.status_code, headers=answer.headers, content=raw)


async def read_raw(answer: httpx2.Response, *, size_max: int) -> bytes:
    """Return the body as it was sent, also where it is packed. Raises AnswerTooLarge and other httpx2.HTTPErrors."""
    raw = bytearray()
    async for piece in answer.aiter_raw():
        raw += piece
        if len(raw) > size_max:
            raise AnswerTooLarge(f"expected at most {size_max} bytes from {answer.url}, found more")
    return bytes(raw)
