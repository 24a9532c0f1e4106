"""Requests to one server, sent again where that is safe: after a lost answer, and when the server states so.

A command's bytes are made once, with its id in them, so that sending it again never does it twice.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing, asynccontextmanager
from typing import Any, TypeVar

import httpx2
import msgspec
from msgspec import Struct

from spina_client.formats import encode
from spina_client.patience import NEVER_SENT, Patience, Sleep
from spina_client.problems import AnswerUnreadable, NoServerThere, SpinaError
from spina_client.stream_events import EVENT_STREAM, OPENED, StreamEvent, parse_event

T = TypeVar("T")

# A reader may be kept waiting for some seconds; a server that needs this long for a whole answer is away.
ANSWER_TIMEOUT_S = 20.0
# Twice the boards of the longest game; a server that sends more is not believed.
ANSWER_BYTES_MAX = 16 * 1024 * 1024
# The file of a tournament has all of its games: 500 of Charioteer have 184 MB. The verifier reads as much.
FILE_BYTES_MAX = 512 * 1024 * 1024
FILE_TIMEOUT_S = 600.0
CONNECT_TIMEOUT_S = 5.0
# Longer than each outage after which docs/operating.md promises that games go on: a failover of some 27 s, a machine
# that starts anew in two minutes. The server is asked every second, as clocks run on from its return.
AWAY_S_MAX = 150.0
# A URL at which no server has ever answered may be a wrong one, and is given up sooner.
UNMET_S_MAX = 20.0
# A stream states something every fifteen seconds; after two of them missed the connection is dead.
SILENCE_S = 40.0
HEALTH_PATH = "/v1/health"


class Request(Struct, frozen=True, kw_only=True):
    """`is_repeatable`: it may be sent again although it may have arrived. `is_of_file`: of a tournament."""

    method: str
    path: str
    token: str | None
    params: Mapping[str, str | int] = {}
    content: bytes = b""
    is_repeatable: bool = True
    is_of_file: bool = False

    @property
    def bytes_max(self) -> int:
        return FILE_BYTES_MAX if self.is_of_file else ANSWER_BYTES_MAX

    def __repr__(self) -> str:
        return f"Request({self.method} {self.path})"


class ServerUrlRefused(SpinaError):
    """The text is no URL of a server."""

    def __init__(self, found: str) -> None:
        super().__init__(f"expected the URL of a server, such as http://127.0.0.1:8000, found {found}")


class Connection:
    """Shared by all accounts that play at one server from here. A server is waited for `away_s_max` seconds."""

    def __init__(
        self, http: httpx2.AsyncClient, *, sleep: Sleep = asyncio.sleep, away_s_max: float = AWAY_S_MAX
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
        except httpx2.TransportError:
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
        patience = Patience(self.url, self._sleep)
        while True:
            try:
                response, content = await self._ask(request)
            except httpx2.TransportError as error:
                patience.lose(error, waits_s_max=self._waits_s_max, is_repeatable=request.is_repeatable)
            else:
                self._has_answered = True
                if response.is_success:
                    return content
                patience.refuse(response, content)
            await patience.rest()

    async def follow(self, path: str, *, token: str | None, after: int | None) -> AsyncGenerator[StreamEvent, None]:
        """Yield the events of a stream, over every loss of the connection, until the server has no more.

        It begins after the id `after`, or with what the server sends first. Each connection begins with OPENED.
        """
        patience = Patience(self.url, self._sleep)
        while True:
            try:
                async with aclosing(self._read_stream(path, token, after)) as events:
                    async for event in events:
                        if event is not OPENED:
                            patience = Patience(self.url, self._sleep)
                        if event is not None:
                            after = after if event.id is None else event.id
                            yield event
                raise httpx2.RemoteProtocolError("the stream ended")
            except httpx2.TransportError as error:
                patience.lose(error, waits_s_max=self._waits_s_max)
            except _NotStreamed as answer:
                if answer.response.is_success:
                    return
                patience.refuse(answer.response, answer.content)
            await patience.rest()

    async def _read_stream(
        self, path: str, token: str | None, after: int | None
    ) -> AsyncGenerator[StreamEvent | None, None]:
        """Yield the events of one connection, None for a sign that keeps it. Raises _NotStreamed for another answer."""
        headers = {"accept": EVENT_STREAM, **_authorize(token)}
        asked = {} if after is None else {"after": after}
        timeout = httpx2.Timeout(SILENCE_S, connect=CONNECT_TIMEOUT_S)
        async with self._http.stream("GET", path, params=asked, headers=headers, timeout=timeout) as response:
            self._has_answered = True
            if not response.headers.get("content-type", "").startswith(EVENT_STREAM):
                raise _NotStreamed(response, await self._read_content(response))
            yield OPENED
            unread = b""
            async for piece in response.aiter_bytes():
                *texts, unread = (unread + piece).split(b"\n\n")
                if len(unread) > ANSWER_BYTES_MAX:
                    raise AnswerUnreadable(url=self.url, reason=f"more than {ANSWER_BYTES_MAX} bytes")
                for text in texts:
                    yield self._parse(text)

    def _parse(self, text: bytes) -> StreamEvent | None:
        try:
            return parse_event(text)
        except ValueError as error:
            raise AnswerUnreadable(url=self.url, reason=str(error)) from None

    @property
    def _waits_s_max(self) -> float:
        """How long a server is waited for that is away: one that was never met may not be there at all."""
        return self._away_s_max if self._has_answered else min(self._away_s_max, UNMET_S_MAX)

    async def _ask(self, request: Request) -> tuple[httpx2.Response, bytes]:
        headers = _authorize(request.token)
        if request.content:
            headers["content-type"] = "application/json"
        params = dict(request.params)
        try:
            async with (
                asyncio.timeout(FILE_TIMEOUT_S if request.is_of_file else ANSWER_TIMEOUT_S),
                self._http.stream(
                    request.method, request.path, params=params, content=request.content, headers=headers
                ) as response,
            ):
                return response, await self._read_content(response, request.bytes_max)
        except TimeoutError:
            raise httpx2.ReadTimeout("the whole answer did not come in time") from None

    async def _read_content(self, response: httpx2.Response, bytes_max: int = ANSWER_BYTES_MAX) -> bytes:
        content = bytearray()
        async for piece in response.aiter_bytes():
            content += piece
            if len(content) > bytes_max:
                raise AnswerUnreadable(url=self.url, reason=f"more than {bytes_max} bytes")
        return bytes(content)

    def _read(self, content: bytes, answer: type[T]) -> T:
        try:
            return msgspec.json.decode(content, type=answer)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise AnswerUnreadable(url=self.url, reason=str(error)) from None


class _NotStreamed(SpinaError):
    """The server answers a request for a stream once: a refusal, or that nothing more can come."""

    def __init__(self, response: httpx2.Response, content: bytes) -> None:
        super().__init__(response.status_code)
        self.response = response
        self.content = content


@asynccontextmanager
async def connected(
    url: str,
    *,
    transport: httpx2.AsyncBaseTransport | None = None,
    sleep: Sleep = asyncio.sleep,
    away_s_max: float = AWAY_S_MAX,
) -> AsyncIterator[Connection]:
    """Connect to a server for the time of the block. With a transport of its own no proxy of the machine is used.

    A server that has answered is waited for `away_s_max` seconds whenever it is away.

    Raises ServerUrlRefused.
    """
    parsed = _parse_url(url)
    timeout = httpx2.Timeout(ANSWER_TIMEOUT_S, connect=CONNECT_TIMEOUT_S)
    async with httpx2.AsyncClient(base_url=parsed, transport=transport, timeout=timeout) as http:
        yield Connection(http, sleep=sleep, away_s_max=away_s_max)


def _parse_url(url: str) -> httpx2.URL:
    try:
        parsed = httpx2.URL(url)
    except httpx2.InvalidURL as error:
        raise ServerUrlRefused(str(error)) from None
    if parsed.scheme not in ("http", "https") or not parsed.host or parsed.userinfo:
        raise ServerUrlRefused("another one")
    return parsed


def _authorize(token: str | None) -> dict[str, str]:
    """Without an account, or with an empty token, only public resources are shown."""
    return {"authorization": f"Bearer {token}"} if token else {}
