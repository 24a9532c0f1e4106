"""Answers of other servers, read within a size and a time: a peer may send for ever, a byte at a time or packed."""

import asyncio
from collections.abc import Mapping

import httpx
from msgspec import Struct


class AnswerTooLarge(httpx.HTTPError):
    """The peer sent more than the answer may have."""


class Answer(Struct, frozen=True, kw_only=True):
    status: int
    headers: Mapping[str, str]
    content: bytes


async def send(
    client: httpx.AsyncClient, url: str, *, size_max: int, timeout_s: float, content: bytes | None = None
) -> Answer:
    """Send the content, or read without one. Raises httpx.HTTPError. Nothing is unpacked."""
    method, headers = ("GET" if content is None else "POST"), {"accept-encoding": "identity"}
    raw = bytearray()
    try:
        async with (
            asyncio.timeout(timeout_s),
            client.stream(method, url, content=content, headers=headers, timeout=timeout_s) as answer,
        ):
            async for piece in answer.aiter_raw():
                raw += piece
                if len(raw) > size_max:
                    raise AnswerTooLarge(f"expected at most {size_max} bytes from {url}, found more")
    except TimeoutError:
        raise httpx.ReadTimeout(f"expected the whole answer of {url} within {timeout_s:g} s") from None
    return Answer(status=answer.status_code, headers=answer.headers, content=bytes(raw))
