"""Requests to one server, sent again where that is safe: after a lost answer, and when the server states so.

A command's bytes are made once, with its id in them, so that sending it again never does it twice.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from itertools import count
from typing import Any, TypeVar

import httpx
import msgspec
from msgspec import Struct

from spina_client.formats import encode
from spina_client.problems import AnswerUnreadable, NoServerThere, Refused, ServerUnreachable, SpinaError, read_problem

T = TypeVar("T")

# A reader may be kept waiting for some seconds; a server that needs this long for a whole answer is away.
ANSWER_TIMEOUT_S = 20.0
# Twice the boards of the longest game; a server that sends more is not believed.
ANSWER_BYTES_MAX = 16 * 1024 * 1024
CONNECT_TIMEOUT_S = 5.0
# Longer than each outage after which docs/operating.md promises that games go on: a failover of some 27 s, a machine
# that starts anew in two minutes. The server is asked every second, as clocks run on from its return.
AWAY_S_MAX = 150.0
# A URL at which no server has ever answered may be a wrong one, and is given up sooner.
UNMET_S_MAX = 20.0
AWAY_ATTEMPTS_MIN = 3
AWAY_PAUSE_S_MAX = 1.0
# A server that asks to come again is there: three minutes, so that a rush does not end a game.
BUSY_ATTEMPTS_MAX = 40
PAUSE_S_FIRST = 0.2
PAUSE_S_MAX = 5.0
# The longest pause that a server may ask for; one that asks for more counts as away.
RETRY_AFTER_S_MAX = 30.0
TOO_MANY_REQUESTS = 429
HEALTH_PATH = "/v1/health"
# After these nothing can have arrived.
NEVER_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)

Sleep = Callable[[float], Awaitable[None]]


class Request(Struct, frozen=True, kw_only=True):
    """`is_repeatable`: it may be sent again although it may have arrived."""

    method: str
    path: str
    token: str | None
    params: Mapping[str, str | int] = {}
    content: bytes = b""
    is_repeatable: bool = True

    def __repr__(self) -> str:
        return f"Request({self.method} {self.path})"


class ServerUrlRefused(SpinaError):
    """The text is no URL of a server."""

    def __init__(self, found: str) -> None:
        super().__init__(f"expected the URL of a server, such as http://127.0.0.1:8000, found {found}")


class Connection:
    """Shared by all accounts that play at one server from here. A server is waited for `away_s_max` seconds."""

    def __init__(
        self, http: httpx.AsyncClient, *, sleep: Sleep = asyncio.sleep, away_s_max: float = AWAY_S_MAX
    ) -> None:
        self._http = http
        self._sleep = sleep
        self._away_s_max = away_s_max
        self._has_answered = False

    @property
    def url(self) -> str:
        return str(self._http.base_url).rstrip("/")

    async def meet(self) -> None:
        """Ask once whether there is a server at all. Raises NoServerThere where nothing takes the connection."""
        try:
            await self._ask(Request(method="GET", path=HEALTH_PATH, token=None))
        except NEVER_SENT:
            raise NoServerThere(self.url) from None
        except httpx.TransportError:
            # The connection was taken, so a server is there; `send` repeats the request.
            return

    async def get(self, path: str, answer: type[T], *, token: str | None = None, **params: str | int) -> T:
        """Read a resource. Raises Refused, ServerUnreachable, AnswerUnreadable."""
        content = await self.send(Request(method="GET", path=path, token=token, params=params))
        return self._read(content, answer)

    async def post(self, path: str, answer: type[T], body: dict[str, Any], *, token: str) -> T:
        """Send a command in canonical JSON, as its action is sealed and signed, until it is answered."""
        content = await self.send(Request(method="POST", path=path, token=token, content=encode(body)))
        return self._read(content, answer)

    async def post_once(self, path: str, answer: type[T], body: dict[str, Any]) -> T:
        """Send a request without a command id; it is sent again only if it never arrived."""
        request = Request(method="POST", path=path, token=None, content=encode(body), is_repeatable=False)
        return self._read(await self.send(request), answer)

    async def send(self, request: Request) -> bytes:
        """Return the body of a good answer."""
        failures, busy, away_s, pause_s = 0, 0, 0.0, PAUSE_S_FIRST
        for attempt in count(1):
            asked_s = time.monotonic()
            try:
                response, content = await self._ask(request)
            except httpx.TransportError as error:
                wait_s, failures = min(pause_s, AWAY_PAUSE_S_MAX), failures + 1
                away_s += time.monotonic() - asked_s + wait_s
                is_repeatable = request.is_repeatable or isinstance(error, NEVER_SENT)
                if not is_repeatable or (away_s > self._waits_s_max and failures >= AWAY_ATTEMPTS_MIN):
                    raise ServerUnreachable(url=self.url, attempts=attempt, reason=type(error).__name__) from None
            else:
                self._has_answered = True
                if response.is_success:
                    return content
                failures, away_s, busy = 0, 0.0, busy + 1
                problem = read_problem(status=response.status_code, content=content)
                if not (problem.may_send_again or response.status_code == TOO_MANY_REQUESTS):
                    raise Refused(problem)
                if busy == BUSY_ATTEMPTS_MAX:
                    raise ServerUnreachable(url=self.url, attempts=attempt, reason=problem.code)
                wait_s = max(pause_s, _read_retry_after(response))
            await self._sleep(wait_s)
            pause_s = min(pause_s * 2, PAUSE_S_MAX)
        raise AssertionError("counting ends")

    @property
    def _waits_s_max(self) -> float:
        return self._away_s_max if self._has_answered else min(self._away_s_max, UNMET_S_MAX)

    async def _ask(self, request: Request) -> tuple[httpx.Response, bytes]:
        # Without an account, or with an empty token, only public resources are shown.
        headers = {"authorization": f"Bearer {request.token}"} if request.token else {}
        if request.content:
            headers["content-type"] = "application/json"
        params, content = dict(request.params), bytearray()
        try:
            async with (
                asyncio.timeout(ANSWER_TIMEOUT_S),
                self._http.stream(
                    request.method, request.path, params=params, content=request.content, headers=headers
                ) as response,
            ):
                async for piece in response.aiter_bytes():
                    content += piece
                    if len(content) > ANSWER_BYTES_MAX:
                        raise AnswerUnreadable(url=self.url, reason=f"more than {ANSWER_BYTES_MAX} bytes")
        except TimeoutError:
            raise httpx.ReadTimeout("the whole answer did not come in time") from None
        return response, bytes(content)

    def _read(self, content: bytes, answer: type[T]) -> T:
        try:
            return msgspec.json.decode(content, type=answer)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise AnswerUnreadable(url=self.url, reason=str(error)) from None


@asynccontextmanager
async def connected(
    url: str,
    *,
    transport: httpx.AsyncBaseTransport | None = None,
    sleep: Sleep = asyncio.sleep,
    away_s_max: float = AWAY_S_MAX,
) -> AsyncIterator[Connection]:
    """Connect to a server for the time of the block. With a transport of its own no proxy of the machine is used.

    A server that has answered is waited for `away_s_max` seconds whenever it is away.

    Raises ServerUrlRefused.
    """
    parsed = _parse_url(url)
    timeout = httpx.Timeout(ANSWER_TIMEOUT_S, connect=CONNECT_TIMEOUT_S)
    async with httpx.AsyncClient(base_url=parsed, transport=transport, timeout=timeout) as http:
        yield Connection(http, sleep=sleep, away_s_max=away_s_max)


def _parse_url(url: str) -> httpx.URL:
    try:
        parsed = httpx.URL(url)
    except httpx.InvalidURL as error:
        raise ServerUrlRefused(str(error)) from None
    if parsed.scheme not in ("http", "https") or not parsed.host or parsed.userinfo:
        raise ServerUrlRefused("another one")
    return parsed


def _read_retry_after(response: httpx.Response) -> float:
    """Return the seconds the server asks for; it gives whole ones, and a date, which it never sends, counts as none."""
    text = response.headers.get("retry-after", "")
    return min(float(text), RETRY_AFTER_S_MAX) if text.isdecimal() else 0.0
