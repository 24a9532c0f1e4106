"""Servers that are measured: embedded ones in a folder that goes away, and the API of one process on a real port.

Run as `python -m bench.served` it serves the smallest ruleset; orders on standard input, whose end is its own.
"""

import asyncio
import secrets
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import uvloop
from msgspec import Struct

from bench.child import SERVER_PROCESSOR, HiddenOrders, read_orders, running_child, say, until_told
from bench.connections import HOST
from bench.tally import TALLY
from infra.embedded.servers import ServerUrls, embedded_servers
from infra.keys import MasterKey
from infra.logging import configure_logging
from infra.postgres.connection import build_app_pool
from infra.postgres.migrations import migrate
from infra.postgres.queries import Queries
from infra.redis.client import build_redis
from services.api.app import Offered, build_app
from services.api.games.live import Live
from services.api.http.health import READY, Check, Probes
from services.api.http.rates import RateTerms
from services.node.addresses import Places
from services.node.building import Sources, built_parts
from services.node.edge.connections import UNBOUNDED
from services.node.http_server import Hooks, StopSignal, held_port, serve_http
from services.node.live import built_live


class ServerOrders(HiddenOrders, frozen=True, kw_only=True):
    database_url: str
    redis_url: str
    master_key: bytes


class Serving(Struct, frozen=True, kw_only=True):
    port: int


@asynccontextmanager
async def new_servers() -> AsyncIterator[ServerUrls]:
    """Start embedded servers, even where others are given: a measurement fills the database it runs on."""
    with tempfile.TemporaryDirectory(prefix="spina-bench-") as folder:
        async with embedded_servers(Path(folder) / "data") as urls:
            await migrate(urls.owner_url)
            yield urls


@asynccontextmanager
async def running_server(urls: ServerUrls) -> AsyncIterator[int]:
    """Serve the smallest ruleset in a process on a processor of its own; yield the port."""
    orders = ServerOrders(database_url=urls.database_url, redis_url=urls.redis_url, master_key=secrets.token_bytes(32))
    async with running_child("bench.served", orders, processor=SERVER_PROCESSOR) as server:
        yield (await server.read(Serving)).port


@asynccontextmanager
async def served_api(app_url: str, redis_url: str, key: bytes, sources: Sources) -> AsyncIterator[tuple[Live, int]]:
    """Serve in this process on a free port, without a limit on requests; yield the hub and the port."""
    places = Places(database_url=app_url, owner_url=app_url, redis_url=redis_url)
    async with build_app_pool(app_url) as pool, build_redis(redis_url) as redis, AsyncExitStack() as stack:
        built = built_parts(
            places, queries=Queries(pool), redis=redis, key=MasterKey(key), rates=RateTerms(per_s=0), sources=sources
        )
        parts = await stack.enter_async_context(built)
        live = await stack.enter_async_context(built_live(parts, redis))
        app = build_app(probes=_PROBES, parts=parts, offered=Offered(live=live))
        yield live, await stack.enter_async_context(served(app, live.hub.stop))


@asynccontextmanager
async def served(app: Any, on_stop: Callable[[], None]) -> AsyncIterator[int]:
    """Serve as the server does; yield the port."""
    stop, ready = StopSignal(), asyncio.Event()
    stop.call_first(on_stop)
    with held_port(HOST, 0) as listener:
        hooks = Hooks(on_ready=ready.set)
        serving = asyncio.create_task(serve_http(app, listener, stop=stop, hooks=hooks, bounds=UNBOUNDED))
        await ready.wait()
        try:
            yield listener.getsockname()[1]
        finally:
            stop.give()
            await serving


async def _is_ready() -> Check:
    return READY


_PROBES = Probes(postgres=_is_ready, redis=_is_ready, migrations=_is_ready)


async def _serve(orders: ServerOrders) -> None:
    sources = Sources(kits=(TALLY,))
    async with served_api(orders.database_url, orders.redis_url, orders.master_key, sources) as (_, port):
        say(Serving(port=port))
        await until_told()


if __name__ == "__main__":
    configure_logging("error")
    uvloop.run(_serve(read_orders(ServerOrders)))
