"""A transport that goes to some servers in turn, as a load balancer does."""

import asyncio
import time
from collections.abc import Sequence
from itertools import cycle

import httpx2

# Between two servers that are away.
PAUSE_S = 0.05
# As in infra/deploy/Caddyfile.
TRY_S = 5.0


class InTurn(httpx2.AsyncBaseTransport):
    """Sends each request to the next of some servers that takes the connection."""

    def __init__(self, addresses: Sequence[str]) -> None:
        self._servers = cycle([httpx2.URL(address) for address in addresses])
        self._network = httpx2.AsyncHTTPTransport()

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        until_s = time.monotonic() + TRY_S
        while True:
            server = next(self._servers)
            request.url = request.url.copy_with(host=server.host, port=server.port)
            request.headers["host"] = server.netloc.decode()
            try:
                return await self._network.handle_async_request(request)
            except httpx2.ConnectError:
                if time.monotonic() > until_s:
                    raise
            await asyncio.sleep(PAUSE_S)

    async def aclose(self) -> None:
        await self._network.aclose()
