"""One process of the server as readers meet it: a real HTTP server over the test's own Postgres and Valkey.

Several of them in a test share nothing but those, as processes would.
"""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

from httpx2 import AsyncClient
from litestar import Litestar

from domain.ruleset.kit import Kit
from infra.postgres.connection import build_app_pool
from infra.postgres.queries import Queries
from infra.redis.client import build_redis
from services.api.app import Offered
from services.api.games.live import Live
from services.api.http.guarding import guarded
from services.api.http.parts import Parts
from services.api.http.rates import RateTerms
from services.api.http.wrapping import answering_heads
from services.live.frame_buffer import STEPS_MAX
from services.live.hub import Limits
from services.node.addresses import Places
from services.node.building import Sources, built_parts
from services.node.edge.connections import Bounds
from services.node.http_server import Hooks, StopSignal, held_port, serve_http
from services.node.live import Pace, built_live
from services.node.steady_clock import read_clock_ms
from tests.database import Database
from tests.services.api.lent_app import lent_app
from tests.services.api.server import KEY, PROBES, TORCHES

# Nothing here takes longer than a second or two on an idle machine.
PATIENCE_S = 30.0
# So that a hint alone can have come, where a test wants to know that it did.
NEVER_S = 3_600.0
SOON_S = 0.05


def pace(
    *,
    look_s: float = NEVER_S,
    beat_s: float = NEVER_S,
    steps_max: int = STEPS_MAX,
    readers_max: int = 100,
    **limits_of_one: int,
) -> Pace:
    limits = Limits(
        look_s=look_s, retry_s=SOON_S, steps_max=steps_max, readers_per_game_max=readers_max, **limits_of_one
    )
    return Pace(limits=limits, beat_s=beat_s, count_s=beat_s)


class Node:
    def __init__(self, parts: Parts, live: Live, listener: socket.socket, bounds: Bounds | None = None) -> None:
        self.parts = parts
        self.live = live
        self.hub = live.hub
        self.address = "{}:{}".format(*listener.getsockname())
        # Without the authorities of the machine, which take 20 ms to read and speak for no loopback.
        self.client = AsyncClient(base_url=f"http://{self.address}", timeout=PATIENCE_S, verify=False)
        self.stopped = asyncio.Event()
        self._stop = StopSignal()
        self._listener = listener
        self._bounds = bounds

    def stop(self) -> None:
        """Act as on the signal."""
        self._stop.give()

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[None]:
        with lent_app(probes=PROBES, parts=self.parts, offered=Offered(live=self.live)) as app:
            async with self._serving(app):
                yield

    @asynccontextmanager
    async def _serving(self, app: Litestar) -> AsyncIterator[None]:
        self._stop.call_first(self.hub.stop)
        ready = asyncio.Event()
        served = answering_heads(guarded(app, self.parts.rates))
        hooks = Hooks(on_ready=ready.set)
        serving = asyncio.create_task(
            serve_http(served, self._listener, stop=self._stop, hooks=hooks, bounds=self._bounds)
        )
        serving.add_done_callback(lambda _: self.stopped.set())
        async with asyncio.timeout(PATIENCE_S):
            await ready.wait()
        try:
            async with self.client:
                yield
        finally:
            self.stop()
            async with asyncio.timeout(PATIENCE_S):
                await serving


@asynccontextmanager
async def running_node(  # noqa: PLR0913  each is something that a test wants otherwise
    database: Database,
    redis_url: str | None,
    *,
    now_ms: Callable[[], int] = read_clock_ms,
    pace: Pace | None = None,
    send_buffer: int = 0,
    kits: Sequence[Kit] = (TORCHES,),
    port: int = 0,
    bounds: Bounds | None = None,
) -> AsyncIterator[Node]:
    """Run a node; a small send buffer lets a test see the fate of a reader that does not read."""
    places = Places(database_url=database.app_url, owner_url=database.owner_url, redis_url=redis_url)
    sources = Sources(now_ms=now_ms, kits=kits)
    async with AsyncExitStack() as stack:
        listener = stack.enter_context(held_port("127.0.0.1", port))
        if send_buffer:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, send_buffer)
        pool = await stack.enter_async_context(build_app_pool(places.database_url))
        redis = None if redis_url is None else await stack.enter_async_context(build_redis(redis_url))
        parts = await stack.enter_async_context(
            built_parts(places, queries=Queries(pool), redis=redis, key=KEY, rates=RateTerms(per_s=0), sources=sources)
        )
        live = await stack.enter_async_context(built_live(parts, redis, pace))
        node = Node(parts, live, listener, bounds)
        await stack.enter_async_context(node.serving())
        yield node
