"""Answers HEAD wherever GET is answered, with the same headers: wrapped around the whole app, not put into it."""

from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPReceiveMessage, Message, Receive, Scope, Send, WebSocketReceiveMessage


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
