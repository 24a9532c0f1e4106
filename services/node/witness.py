"""The whole witness of one process: it answers logs that ask and looks at the one it watches, until it is stopped."""

import asyncio
from collections.abc import Callable

import httpx2

from services.ledger.watching import RemoteLog, watch
from services.ledger.witness import Witness
from services.ledger.witness_app import build_witness_app
from services.node.http_server import Hooks, StopSignal, base_url, held_port, serve_http


async def serve_witness(witness: Witness, *, url: str, host: str, port: int, on_ready: Callable[[str], None]) -> None:
    """Run until SIGINT or SIGTERM. Raises PortRefused."""
    stop = StopSignal()
    with held_port(host, port) as listener, stop.heeded():
        address = base_url(listener)
        async with httpx2.AsyncClient() as client:
            log = RemoteLog(client, url)
            watching = asyncio.create_task(watch(witness, log))
            try:
                app, hooks = build_witness_app(witness, log), Hooks(on_ready=lambda: on_ready(address))
                await serve_http(app, listener, stop=stop, hooks=hooks)
            finally:
                watching.cancel()
                await asyncio.gather(watching, return_exceptions=True)
