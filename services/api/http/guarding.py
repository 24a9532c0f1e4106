"""The guard of one process: bounds on requests before the app sees them, and security headers of every answer."""

import asyncio
from collections import Counter
from http import HTTPStatus

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

from infra.networks import UNKNOWN, Network, network_of
from services.api.http.busy_page import with_busy_page
from services.api.http.costs import begin_paying, find_debt
from services.api.http.head_bounds import find_excess
from services.api.http.health import HEALTH_PATH
from services.api.http.hosts import ANY_HOST, Hosts
from services.api.http.problems import KINDS, REQUEST_BYTES_MAX, TYPE_PREFIX, Problem, link_to
from services.api.http.rates import Rates, TooManyRequests
from services.notices.mails import LEAVE_PATH

# A process answers some thousand requests a second, so this many are about a second of work; more would only wait.
UNDER_WAY_MAX = 1_000
BUSY = "too many requests are under way; nothing was done, the same request may be sent again"
# The largest body comes within a second over any line; a caller that sends a byte at a time is sent away.
BODY_TIMEOUT_S = 10.0
# Bodies of one network that are under way; nearly every body comes with its head.
BODIES_MAX = 64
# A network over its limit gets its refusals no faster than this on each connection.
REFUSED_WAIT_S_MAX = 1.0
JSON = "application/json"
# The body of mail programs is not looked at: the secret in the address states all (RFC 8058).
TAKE_FORMS = frozenset({LEAVE_PATH})
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
REFUSAL_HEADERS = (
    (b"content-type", b"application/problem+json"),
    (b"cache-control", b"no-store"),
    VARY,
    *SECURITY_HEADERS,
)


def find_network(scope: Scope) -> Network:
    """Return the network of a caller: of the address that a trusted proxy forwards, or of the connection."""
    client = scope["client"]
    return UNKNOWN if client is None else network_of(client[0])


async def add_security_headers(message: Message, _scope: Scope) -> None:
    """Add the headers that a route has not set itself; pages set a policy of their own."""
    if message["type"] == "http.response.start":
        # As plain pairs: through the framework's mapping this took a tenth of a command's time.
        headers = [header for header in message["headers"] if header[0].lower() != VARY[0]]
        given = {name.lower() for name, _ in headers}
        missing = [header for header in SECURITY_HEADERS if header[0] not in given]
        message["headers"] = [*headers, VARY, *missing]


def require_json(scope: Scope) -> None:
    """Refuse a body that does not state it is JSON: a form of any page may send such a one, and asks no server before.

    Asked by the middleware: for a guard, the framework copies the route's handler at every request.
    """
    if scope.get("method") != "POST" or scope["path"] in TAKE_FORMS:
        return
    headers = dict(scope["headers"])
    has_body = headers.get(b"content-length", b"0") != b"0" or b"transfer-encoding" in headers
    given = headers.get(b"content-type", b"").decode("latin-1").partition(";")[0].strip().lower()
    if given != JSON and (given or has_body):
        found = ascii(given)[:SHOWN_CHARS_MAX] if given else "no content type"
        raise HTTPException(status_code=415, detail=f"expected {JSON}, found {found}")


class RequireJson(ASGIMiddleware):
    """Refuses a body that does not state it is JSON."""

    scopes = (ScopeType.HTTP,)

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        require_json(scope)
        await next_app(scope, receive, send)


class Guard:
    """The app behind the bounds of one process. A request counts once its whole body is here.

    Requests of a network wait for one another; health is answered to all.
    """

    def __init__(
        self,
        app: ASGIApp,
        rates: Rates,
        *,
        hosts: Hosts = ANY_HOST,
        under_way_max: int = UNDER_WAY_MAX,
        bodies_max: int = BODIES_MAX,
        body_timeout_s: float = BODY_TIMEOUT_S,
    ) -> None:
        self._app = app
        self._rates = rates
        self._hosts = hosts
        self._under_way_max = under_way_max
        self._bodies_max = bodies_max
        self._body_timeout_s = body_timeout_s
        self._under_way = 0
        # Bodies that are not whole yet, of each network.
        self._bodies: Counter[Network] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = self._hosts.find_refusal(scope)
        if refusal is not None:
            await _turn_away(scope, send, refusal)
            return
        excess = find_excess(scope)
        if excess is not None and scope["type"] != ScopeType.HTTP:
            await _turn_away(scope, send, excess)
            return
        if scope["type"] != ScopeType.HTTP or (scope["path"] == HEALTH_PATH and excess is None):
            await self._app(scope, receive, send)
            return
        network = find_network(scope)
        send = self._showing_room(network, with_busy_page(scope, send))
        try:
            await self._rates.pace(network, cost=begin_paying(scope))
            if excess is None and scope["method"] == "POST":
                receive = await self._read_body(network, scope, receive)
        except TooManyRequests as refused:
            await asyncio.sleep(min(refused.wait_s, REFUSED_WAIT_S_MAX))
            await _refuse(send, _Refused(429, str(refused)), retry_after_s=refused.wait_s)
        except _Refused as refused:
            await _refuse(send, refused)
        except _Left:
            return
        else:
            if excess is not None:
                await _refuse(send, _Refused(431, excess))
                return
            try:
                await self._answer(scope, receive, send)
            finally:
                self._rates.charge(network, cost=find_debt(scope))

    def _showing_room(self, network: Network, send: Send) -> Send:
        async def send_with_room(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *self._rates.list_headers(network)]
            await send(message)

        return send_with_room

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._under_way >= self._under_way_max:
            await _refuse(send, _Refused(503, BUSY, may_send_again=True))
            return
        self._under_way += 1
        is_under_way = True

        async def send_counted(message: Message) -> None:
            # Once its answer has begun a request waits for nothing; a stream goes on for hours and has its own bound.
            nonlocal is_under_way
            if is_under_way and message["type"] == "http.response.start":
                is_under_way = False
                self._under_way -= 1
            await send(message)

        try:
            await self._app(scope, receive, send_counted)
        finally:
            self._under_way -= is_under_way

    async def _read_body(self, network: Network, scope: Scope, receive: Receive) -> Receive:
        """Return a `receive` that has the whole body, or so much of it that it is refused as too large."""
        length = next((value for name, value in scope["headers"] if name == b"content-length"), b"")
        if length.isdigit() and int(length) > REQUEST_BYTES_MAX:
            return receive
        if self._bodies[network] >= self._bodies_max:
            raise _Refused(503, "too many bodies of this network are not whole yet", may_send_again=True)
        self._bodies[network] += 1
        try:
            async with asyncio.timeout(self._body_timeout_s):
                body, is_whole = await _gather(receive)
        except TimeoutError:
            raise _Refused(408, f"expected the whole body within {self._body_timeout_s:g} s, found a part") from None
        finally:
            self._bodies[network] -= 1
            if not self._bodies[network]:
                del self._bodies[network]
        return _replay(body, receive, is_whole=is_whole)


def guarded(app: ASGIApp, rates: Rates, hosts: Hosts = ANY_HOST) -> ASGIApp:
    """Return the app behind a guard: wrapped around the whole app, so that a refusal costs no routing."""
    return Guard(app, rates, hosts=hosts)


class _Refused(Exception):
    def __init__(self, status: int, detail: str, *, may_send_again: bool = False) -> None:
        kind = KINDS[status]
        self.link = link_to(kind.slug).encode()
        self.problem = Problem(
            type=TYPE_PREFIX + kind.slug,
            title=kind.title,
            status=kind.status,
            detail=detail,
            may_send_again=may_send_again,
        )
        super().__init__(detail)


class _Left(Exception):
    """The caller has gone before its body was whole: there is no one to answer, and no fault of ours."""


async def _gather(receive: Receive) -> tuple[bytes, bool]:
    pieces, size, is_whole = [], 0, False
    while not is_whole and size <= REQUEST_BYTES_MAX:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise _Left
        assert message["type"] == "http.request", message["type"]
        pieces.append(message["body"])
        size += len(message["body"])
        is_whole = not message["more_body"]
    return b"".join(pieces), is_whole


def _replay(body: bytes, receive: Receive, *, is_whole: bool) -> Receive:
    is_given = False

    async def receive_body() -> HTTPReceiveMessage | WebSocketReceiveMessage:
        nonlocal is_given
        if is_given:
            return await receive()
        is_given = True
        return {"type": "http.request", "body": body, "more_body": not is_whole}

    return receive_body


def refuse_in_bytes(status: int, detail: str) -> bytes:
    """Write a refusal as it travels, for a connection that has no request yet. It is the last answer there."""
    body = msgspec.json.encode(_Refused(status, detail).problem)
    head = b"HTTP/1.1 %d %b\r\n" % (status, HTTPStatus(status).phrase.encode())
    fields = [*REFUSAL_HEADERS, (b"content-length", b"%d" % len(body)), (b"connection", b"close")]
    return head + b"".join(name + b": " + value + b"\r\n" for name, value in fields) + b"\r\n" + body


async def _turn_away(scope: Scope, send: Send, detail: str) -> None:
    if scope["type"] == ScopeType.HTTP:
        await _refuse(send, _Refused(403, detail))
    else:
        # Before it is accepted: answered with 403.
        await send({"type": "websocket.close", "code": 1008, "reason": None})


async def _refuse(send: Send, refused: _Refused, *, retry_after_s: int = 1) -> None:
    body = msgspec.json.encode(refused.problem)
    headers = [
        *REFUSAL_HEADERS,
        (b"content-length", b"%d" % len(body)),
        (b"link", refused.link),
        (b"retry-after", b"%d" % retry_after_s),
    ]
    await send({"type": "http.response.start", "status": refused.problem.status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})
