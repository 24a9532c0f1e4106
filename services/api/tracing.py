"""A span around every answer to a request that asks for something to be done, in the trace that the request names."""

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from infra.tracing import Tracer
from services.api.measuring import operation_of

TRACEPARENT = b"traceparent"


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
