"""The baseline of live push: a loop that sends the same bytes to every socket, and nothing else."""

from typing import Any

Scope = dict[str, Any]


class BareBroadcast:
    """An ASGI app: every socket is accepted and sent each broadcast."""

    def __init__(self) -> None:
        self._sends: set[Any] = set()

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        if scope["type"] != "websocket":
            return
        await receive()
        await send({"type": "websocket.accept", "subprotocol": None, "headers": []})
        self._sends.add(send)
        try:
            while (await receive())["type"] != "websocket.disconnect":
                pass
        finally:
            self._sends.discard(send)

    async def broadcast(self, texts: list[str]) -> None:
        for send in list(self._sends):
            for text in texts:
                await send({"type": "websocket.send", "text": text})
