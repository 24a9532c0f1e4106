"""The API of one process as it is measured: its real parts on a real port, without a limit on requests."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from infra.keys import MasterKey
from infra.postgres.connection import build_app_pool
from infra.redis.announcer import build_redis
from services.api.app import Offered, build_app
from services.api.health import READY, Check, Probes
from services.api.live import Live
from services.api.rates import RateTerms
from services.node.building import Sources, built_parts
from services.node.connection_urls import Places
from services.node.http_server import Hooks, StopSignal, held_port, serve_http
from services.node.live import built_live

HOST = "127.0.0.1"


@asynccontextmanager
async def served_api(app_url: str, redis_url: str, key: bytes, sources: Sources) -> AsyncIterator[tuple[Live, int]]:
    """Serve on a free port; yield the hub and the port."""
    places = Places(database_url=app_url, owner_url=app_url, redis_url=redis_url)
    async with build_app_pool(app_url) as pool, build_redis(redis_url) as redis, AsyncExitStack() as stack:
        built = built_parts(
            places, pool=pool, redis=redis, key=MasterKey(key), rates=RateTerms(per_s=0), sources=sources
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
        serving = asyncio.create_task(serve_http(app, listener, stop=stop, proxies=(), hooks=Hooks(on_ready=ready.set)))
        await ready.wait()
        try:
            yield listener.getsockname()[1]
        finally:
            stop.give()
            await serving


async def _is_ready() -> Check:
    return READY


_PROBES = Probes(postgres=_is_ready, redis=_is_ready, migrations=_is_ready)
