"""Security headers of every answer, and a bound on the requests under way."""

import asyncio

import msgspec
from litestar.enums import ScopeType
from litestar.exceptions import HTTPException
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
# The longest quotation of a header in a message.
SHOWN_CHARS_MAX = 60
SECURITY_HEADERS = (
    # Answers are data: no browser may take them for a page, frame them, or guess a type.
    (b"x-content-type-options", b"nosniff"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
# Set here for all, as the framework's own CORS overwrites a route's headers.
VARY = (b"vary", b"accept, accept-encoding, authorization, origin")


async def add_security_headers(message: Message, _scope: Scope) -> None:
    """Add the headers that a route has not set itself; pages set a policy of their own."""
    if message["type"] == "http.response.start":
        # As plain pairs: through the framework's mapping this took a tenth of a command's time.
        headers = [each for each in message["headers"] if each[0].lower() != VARY[0]]
        given = {name.lower() for name, _ in headers}
        missing = [each for each in SECURITY_HEADERS if each[0] not in given]
        message["headers"] = [*headers, VARY, *missing]


def require_json(scope: Scope) -> None:
    """Refuse a body that says it is something else; one that says nothing is read as JSON.

    Asked by the middleware: for a guard, the framework copies the route's handler at every request.
    """
    if scope.get("method") != "POST":
        return
    header = next((value for name, value in scope["headers"] if name == b"content-type"), None)
    given = JSON if header is None else header.decode("latin-1").partition(";")[0].strip().lower()
    if given != JSON:
        raise HTTPException(status_code=415, detail=f"expected {JSON}, found {ascii(given)[:SHOWN_CHARS_MAX]}")


class RequestsUnderWay(ASGIMiddleware):
    """Refuses requests beyond the bound, or without JSON, at once; and a body that never ends, after a while."""

    scopes = (ScopeType.HTTP,)

    def __init__(self, count_max: int = UNDER_WAY_MAX, *, body_timeout_s: float = BODY_TIMEOUT_S) -> None:
        self._count_max = count_max
        self._body_timeout_s = body_timeout_s
        self._count = 0

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        if self._count >= self._count_max:
            await _refuse(send)
            return
        require_json(scope)
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
    """Return a `receive` that gives the whole body the time, not each piece; the messages after it have no limit."""
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
