"""The real server over a test's database: real rulesets, a real clock, HTTP on a free port of the loopback."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial

from msgspec.structs import replace

from domain.ruleset.kit import Kit
from domain.rulesets.released import KITS
from infra.boxes import Box
from infra.postgres.clock_book import timekeeper_book
from infra.postgres.connection import build_app_pool
from infra.postgres.kept_proofs import KeptProofs
from infra.postgres.queries import Queries
from infra.postgres.worker_signs import STEWARD_LOCK, checked_lock
from infra.settings import Settings
from services.api.app import Offered
from services.api.http.rates import RateTerms
from services.audits.bundles import Bundles
from services.audits.own_audits import OwnAudits
from services.node.addresses import Places
from services.node.building import Sources, built_parts
from services.node.http_server import Hooks, StopSignal, base_url, held_port, serve_http
from services.node.ledger import build_public_ledger
from services.node.live import built_live
from services.node.steady_clock import read_clock_ms
from services.node.workers import build_house_sources, build_steward_sources
from services.workers.house import build_house
from services.workers.standby import standing_by
from services.workers.steward_sources import build_steward
from services.workers.timekeeper import build_timekeeper
from tests.database import Database
from tests.services.api.lent_app import lent_app
from tests.services.api.server import KEY, PROBES, projector_at_work
from tests.services.heartbeats import no_beat


@asynccontextmanager
async def listening(
    database: Database,
    *,
    port: int = 0,
    kits: Sequence[Kit] = KITS,
    boxes: Sequence[Box] = (),
    now_ms: Callable[[], int] = read_clock_ms,
    house_thinks_s: float = 0.0,
) -> AsyncIterator[str]:
    """Serve until the block ends, and yield where. Nothing that waits outlasts it.

    Steward, timekeeper and house are at work.
    """
    places = Places(database_url=database.app_url, owner_url=database.owner_url, redis_url=None)
    ready, stop = asyncio.Event(), StopSignal()
    async with build_app_pool(places.database_url) as pool:
        rates, sources = RateTerms(per_s=0), Sources(kits=kits, boxes=boxes, now_ms=now_ms)
        built = built_parts(places, queries=Queries(pool), redis=None, key=KEY, rates=rates, sources=sources)
        async with (
            built as parts,
            built_live(parts, None) as live,
            projector_at_work(parts, database),
        ):

            async def on_stopping() -> None:
                parts.stopping.set()

            ledger = build_public_ledger(Settings(), Queries(pool), KEY)
            audits = OwnAudits(Bundles(store=parts.store, kept=KeptProofs(Queries(pool)), ledger=ledger))
            offered = Offered(live=live, ledger=ledger, audits=audits)
            stop.call_first(live.hub.stop)
            hooks = Hooks(on_ready=ready.set, on_stopping=on_stopping)
            with (
                lent_app(probes=PROBES, parts=parts, offered=offered) as app,
                held_port("127.0.0.1", port) as listener,
            ):
                workers = [
                    build_steward(build_steward_sources(parts), partial(checked_lock, database.app_url, STEWARD_LOCK)),
                    build_timekeeper(parts.games.arena, partial(timekeeper_book, database.app_url), parts.now_ms),
                    build_house(replace(build_house_sources(parts, app), think_s=house_thinks_s), database.app_url),
                ]
                async with standing_by(workers, no_beat), asyncio.TaskGroup() as serving:
                    serving.create_task(serve_http(app, listener, stop=stop, hooks=hooks))
                    await ready.wait()
                    try:
                        yield base_url(listener)
                    finally:
                        stop.give()
