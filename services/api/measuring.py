"""Counts every answer over HTTP, also those that no route gives: wrapped around the whole app, not put into it."""

import time
from collections.abc import Callable, Sequence
from typing import Any

from litestar.enums import ScopeType
from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from infra.metrics import OTHER
from services.api.meters import Meters


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
