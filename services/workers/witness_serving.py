"""The whole witness of one process: it answers logs that ask and looks at the one it watches, until it is stopped."""

import asyncio
from collections.abc import Callable

import httpx

from services.http_server import StopSignal, health_url, held_port, serve_http
from services.workers.watching import watch
from services.workers.witness import Witness, build_witness_app

HEALTH_PATH = "/v1/health"


async def serve_witness(witness: Witness, *, url: str, host: str, port: int, on_ready: Callable[[str], None]) -> None:
    """Run until SIGINT or SIGTERM. Raises PortRefused."""
    stop = StopSignal()
    with held_port(host, port) as listener, stop.heeded():
        address = health_url(listener).removesuffix(HEALTH_PATH)
        async with httpx.AsyncClient() as client:
            watching = asyncio.create_task(watch(witness, client, url))
            try:
                app = build_witness_app(witness)
                await serve_http(app, listener, stop=stop, proxies=(), on_ready=lambda: on_ready(address))
            finally:
                watching.cancel()
                await asyncio.gather(watching, return_exceptions=True)
