"""Wrappers of the whole app: HEAD answered wherever GET is, every answer counted, every command in a span."""

import time
from collections.abc import Callable, Sequence
from typing import Any

from litestar.enums import ScopeType
from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp, HTTPReceiveMessage, Message, Receive, Scope, Send, WebSocketReceiveMessage

from infra.metrics import OTHER
from infra.tracing import Tracer
from services.api.http.meters import Meters

TRACEPARENT = b"traceparent"


def answering_heads(app: ASGIApp) -> ASGIApp:
    """Return the app with HEAD asked of it as GET. The body is not sent, and a stream is ended."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP or scope["method"] != "HEAD":
            await app(scope, receive, send)
            return
        is_begun = False

        async def send_head(message: Message) -> None:
            nonlocal is_begun
            if message["type"] == "http.response.start":
                is_begun = True
                await send(message)
                await send({"type": "http.response.body", "body": b"", "more_body": False})

        async def receive_until_begun() -> HTTPReceiveMessage | WebSocketReceiveMessage:
            # A stream goes on until its reader has left, and here that is at once.
            return {"type": "http.disconnect"} if is_begun else await receive()

        await app({**scope, "method": "GET"}, receive_until_begun, send_head)

    return answer


def measured(app: ASGIApp, meters: Meters, *, now_s: Callable[[], float] = time.perf_counter) -> ASGIApp:
    """Return the app with every answer counted when it begins: a stream that goes on for hours is no slow answer."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await app(scope, receive, send)
            return
        begun_s = now_s()

        async def send_counted(message: Message) -> None:
            if message["type"] == "http.response.start":
                operation = operation_of(scope.get("route_handler"))
                meters.requests.add(operation, str(message["status"]))
                meters.request_seconds.observe(now_s() - begun_s, operation)
            await send(message)

        await app(scope, receive, send_counted)

    return answer


def list_operations(routes: Sequence[Any]) -> set[str]:
    """List the operations, by their names in the description."""
    return {operation_of(route) for route in routes} - {OTHER}


def operation_of(handler: Any) -> str:
    """Return the name of a handler's operation, as the description has it."""
    operation = handler.operation_id if isinstance(handler, HTTPRouteHandler) else None
    return operation if isinstance(operation, str) else OTHER


def traced(app: ASGIApp, tracer: Tracer) -> ASGIApp:
    """Return the app with its commands traced; reads are measured elsewhere, and a stream has no end."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP or scope["method"] != "POST":
            await app(scope, receive, send)
            return
        with tracer.request(_find_traceparent(scope)) as span:

            async def send_noted(message: Message) -> None:
                if message["type"] == "http.response.start":
                    span.rename(operation_of(scope.get("route_handler")))
                    span.note("http.response.status_code", message["status"])
                await send(message)

            await app(scope, receive, send_noted)

    return answer


def _find_traceparent(scope: Scope) -> str | None:
    return next((value.decode("latin-1") for name, value in scope["headers"] if name == TRACEPARENT), None)
