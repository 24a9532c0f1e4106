"""What every answer carries and every request passes: security headers, and a bound on what is under way at once."""

import asyncio
from typing import Any

import msgspec
from litestar.connection import ASGIConnection
from litestar.datastructures import MutableScopeHeaders, State
from litestar.enums import ScopeType
from litestar.exceptions import HTTPException
from litestar.handlers import BaseRouteHandler
from litestar.middleware import ASGIMiddleware
from litestar.types import (
    ASGIApp,
    HTTPReceiveMessage,
    Message,
    Receive,
    Scope,
    Send,
    WebSocketReceiveMessage,
)

from services.api.problems import TYPE_PREFIX, Problem

# A process answers some thousand requests a second, so this many are about a second of work; more would only wait.
UNDER_WAY_MAX = 1_000
# The largest body comes within a second over any line; who sends a byte at a time to hold a place is sent away.
BODY_TIMEOUT_S = 20.0
JSON = "application/json"
# What a message repeats of a header.
SHOWN_CHARS_MAX = 60
SECURITY_HEADERS = {
    # Answers are data: nobody may take them for a page, frame them, or guess a type.
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
}
# Set here for all, as the framework's own CORS puts its word in the place of what a route has said.
VARY = "accept, accept-encoding, authorization, origin"

AnyConnection = ASGIConnection[Any, Any, Any, State]


async def add_security_headers(message: Message, _scope: Scope) -> None:
    """Add what a route has not set itself; pages set a policy of their own."""
    if message["type"] == "http.response.start":
        headers = MutableScopeHeaders(message)
        headers["vary"] = VARY
        for name, value in SECURITY_HEADERS.items():
            headers.setdefault(name, value)


async def require_json(connection: AnyConnection, _handler: BaseRouteHandler) -> None:
    """Refuse a body that says it is something else; one that says nothing is read as JSON.

    Awaits nothing, and is a coroutine all the same: the framework hands any other guard to a thread.
    """
    given = connection.headers.get("content-type", JSON).partition(";")[0].strip().lower()
    if connection.scope.get("method") == "POST" and given != JSON:
        raise HTTPException(status_code=415, detail=f"expected {JSON}, found {ascii(given)[:SHOWN_CHARS_MAX]}")


class RequestsUnderWay(ASGIMiddleware):
    """Refuses what comes on top of the bound at once, and a body that never ends after a while."""

    scopes = (ScopeType.HTTP,)

    def __init__(self, count_max: int = UNDER_WAY_MAX, *, body_timeout_s: float = BODY_TIMEOUT_S) -> None:
        self._count_max = count_max
        self._body_timeout_s = body_timeout_s
        self._count = 0

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        if self._count >= self._count_max:
            await _refuse(send)
            return
        self._count += 1
        is_under_way = True

        async def send_counted(message: Message) -> None:
            # Once its answer has begun a request waits for nothing; a stream goes on for hours and has its own bound.
            nonlocal is_under_way
            if is_under_way and message["type"] == "http.response.start":
                is_under_way = False
                self._count -= 1
            await send(message)

        try:
            await next_app(scope, _hurried(receive, timeout_s=self._body_timeout_s), send_counted)
        finally:
            self._count -= is_under_way


def _hurried(receive: Receive, *, timeout_s: float) -> Receive:
    """Return a `receive` that gives the whole body the time, not each piece; what comes after it may take for ever."""
    deadline_s = asyncio.get_running_loop().time() + timeout_s
    is_complete = False

    async def receive_in_time() -> HTTPReceiveMessage | WebSocketReceiveMessage:
        nonlocal is_complete
        if is_complete:
            return await receive()
        try:
            async with asyncio.timeout_at(deadline_s):
                message = await receive()
        except TimeoutError:
            detail = f"expected the whole body within {timeout_s:g} s, found a part of it"
            raise HTTPException(status_code=408, detail=detail) from None
        is_complete = not message.get("more_body", False)
        return message

    return receive_in_time


async def _refuse(send: Send) -> None:
    problem = Problem(
        type=TYPE_PREFIX + "unavailable",
        title="The server cannot answer now",
        status=503,
        detail="too many requests are under way; nothing was done, the same request may be sent again",
        may_send_again=True,
    )
    headers = [(b"content-type", b"application/problem+json"), (b"retry-after", b"1"), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": 503, "headers": headers})
    await send({"type": "http.response.body", "body": msgspec.json.encode(problem), "more_body": False})
