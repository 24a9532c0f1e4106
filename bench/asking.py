"""Requests put to an app in its own process, without a connection, and the processor time of each."""

import time
from collections.abc import Coroutine, Generator, Mapping
from typing import Any

from litestar.types import ASGIApp
from msgspec import Struct

HOST = b"127.0.0.1"


class Answered(Struct, frozen=True, kw_only=True):
    status: int
    body: bytes
    # Of the processor, by the request itself: other tasks of the process are not counted.
    spent_s: float


class Metered:
    """A coroutine whose steps are measured as they are taken."""

    def __init__(self, inner: Coroutine[Any, Any, None]) -> None:
        self._inner = inner
        self.spent_s = 0.0

    def __await__(self) -> Generator[Any, Any, None]:
        value, fault = None, None
        while True:
            began_s = time.thread_time()
            try:
                waited = self._inner.send(value) if fault is None else self._inner.throw(fault)
            except StopIteration:
                return
            finally:
                self.spent_s += time.thread_time() - began_s
            value, fault = None, None
            try:
                value = yield waited
            except BaseException as error:  # noqa: BLE001  handed to the coroutine, which it is for
                fault = error


async def ask(
    app: ASGIApp, method: str, path: str, *, body: bytes = b"", heads: Mapping[str, str] | None = None
) -> Answered:
    """Ask once; the caller of a stream leaves when it has begun."""
    target, _, query = path.partition("?")
    fields = {"host": HOST.decode(), **(heads or {})}
    if body:
        fields |= {"content-type": "application/json", "content-length": str(len(body))}
    scope: Any = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": target,
        "raw_path": target.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(name.encode(), value.encode()) for name, value in fields.items()],
        "client": (HOST.decode(), 1),
        "server": (HOST.decode(), 80),
        "state": {},
    }
    status, parts, is_sent = 0, [], False

    async def receive() -> Any:
        nonlocal is_sent
        if is_sent:
            return {"type": "http.disconnect"}
        is_sent = True
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Any) -> None:
        nonlocal status
        if message["type"] == "http.response.start":
            status = message["status"]
        else:
            parts.append(message.get("body", b""))

    answering = Metered(app(scope, receive, send))  # type: ignore[arg-type]  # an app is a coroutine function here
    await answering
    return Answered(status=status, body=b"".join(parts), spent_s=answering.spent_s)
