"""The whole server of one process, from settings to a clean stop. Parts are built in order and closed in reverse."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial

import asyncpg
import msgspec
import structlog
from litestar import Litestar
from litestar.types import ASGIApp
from msgspec import Struct

from domain.rulesets.released import KITS
from infra.embedded.servers import embedded_servers
from infra.keys import KeyRefused, MasterKey, create_key_file, read_given_key
from infra.ledger_keys import derive_log_signer
from infra.postgres.connection import build_app_pool, telling_unavailable
from infra.postgres.kept_proofs import KeptProofs
from infra.postgres.ledger_store import PostgresLedger, notary_desk
from infra.postgres.master_key_check import check_master_key, find_expected_key_id
from infra.postgres.migrations import migrate
from infra.postgres.queries import Queries, replicated_queries
from infra.postgres.worker_signs import Signs
from infra.redis.client import build_redis
from infra.settings import Settings
from infra.version import VERSION
from services.api.app import Offered, build_app
from services.api.games.live import LIVE_STATE, Live
from services.api.http.guarding import guarded
from services.api.http.health import HEALTH_PATH, SharedHealth
from services.api.http.hosts import Hosts, is_loopback
from services.api.http.packing import packing
from services.api.http.parts import PARTS_STATE, Parts
from services.api.http.rates import RateTerms
from services.api.http.wrapping import answering_heads, measured, traced
from services.audits.bundles import Bundles
from services.audits.own_audits import OwnAudits
from services.commands.boxes import load_boxes
from services.commands.records import use_record_of
from services.node.addresses import Places, given_places
from services.node.building import Sources, built_parts
from services.node.databases import DatabaseRefused, check_log, database_at
from services.node.edge.connections import UNBOUNDED
from services.node.ends import keeping_ends, restore_ends
from services.node.http_server import Hooks, StopSignal, base_url, held_port, serve_http
from services.node.ledger import build_public_ledger, read_ask_every_s
from services.node.live import built_live
from services.node.metrics import Vitals, build_measuring, build_metrics_page
from services.node.otlp import otlp_tracer
from services.node.probes import build_probes, workers_probe
from services.node.start import START_FLAGS, StartFlags, check_machine
from services.node.steady_clock import SteadyClock
from services.node.workers import build_workers
from services.notices.mails import find_mails
from services.workers.kinds import NOTARY
from services.workers.notary_standby import NotaryParts, check_not_older
from services.workers.standby import standing_by
from spina_client import ids
from spina_client.seen import Account
from spina_players.exhibition.exhibition import Exhibition, Venue

log = structlog.get_logger()

# A reader answers its end within a round trip. The server closes sockets without a word once it stops by itself.
FAREWELL_TIMEOUT_S = 2.0


class Built(Struct, frozen=True, kw_only=True):
    """The app over its parts, and the same as it is served: counted and traced."""

    app: Litestar
    served: ASGIApp


async def serve_until_stopped(
    settings: Settings, *, on_ready: Callable[[str], None], flags: StartFlags = START_FLAGS
) -> None:
    """Run until SIGINT or SIGTERM; `on_ready` gets the health URL. Raises the faults of its parts, in one sentence."""
    stop = StopSignal()
    if os.geteuid() == 0:
        log.warning("serving_as_root", advice="serve as an ordinary account")
    with held_port(settings.host, settings.port) as listener, stop.heeded():
        try:
            async with (
                built(settings, flags=flags) as built_app,
                exhibiting(settings, built_app.app.state[PARTS_STATE], base_url(listener)) as exhibition,
            ):
                app = built_app.app
                stop.call_first(app.state[LIVE_STATE].hub.stop)
                url = f"{base_url(listener)}{HEALTH_PATH}"

                def on_answering() -> None:
                    on_ready(url)
                    if exhibition is not None:
                        exhibition.begin()

                async def on_stopping() -> None:
                    parts: Parts = app.state[PARTS_STATE]
                    parts.stopping.set()
                    live: Live = app.state[LIVE_STATE]
                    await live.hub.wait_until_left(timeout_s=FAREWELL_TIMEOUT_S)
                    if exhibition is not None:
                        await exhibition.end()

                hooks = Hooks(on_ready=on_answering, on_stopping=on_stopping)
                # Without a limit on requests there is none on connections either: measurements come from one machine.
                bounds = None if settings.rate_per_s else UNBOUNDED
                await serve_http(
                    built_app.served, listener, stop=stop, hooks=hooks, proxies=settings.proxies, bounds=bounds
                )
                log.info("server_stopped", url=url)
        except asyncio.CancelledError:
            # A start that was asked to stop ends like any other stop.
            if not stop.is_given:
                raise


@asynccontextmanager
async def exhibiting(settings: Settings, parts: Parts, url: str) -> AsyncIterator[Exhibition | None]:
    """Yield an exhibition that has not begun, where the settings want one; it has ended after the block."""
    if not settings.has_exhibition:
        yield None
        return

    def find_venue() -> Venue:
        opener = parts.games.house.accounts[0]
        return Venue(url=url, opener=Account(id=ids.PlayerId(opener.id), name=opener.name, token=opener.token))

    exhibition = Exhibition(find_venue)
    try:
        yield exhibition
    finally:
        await exhibition.end()


@asynccontextmanager
async def built(
    settings: Settings, sources: Sources | None = None, *, flags: StartFlags = START_FLAGS
) -> AsyncIterator[Built]:
    """Build every part, in order. Nothing is left running after the block, or after a part that refused."""
    measuring = build_measuring(settings)
    async with AsyncExitStack() as stack:
        places = await stack.enter_async_context(build_places(settings))
        key = await build_schema(settings, places)
        clock = SteadyClock()
        sources = msgspec.structs.replace(
            sources or Sources(now_ms=clock.now_ms, boxes=load_boxes(settings.box_folder, KITS)),
            origin=settings.origin,
            meters=measuring.meters,
            mails=find_mails(settings.smtp_url, settings.url),
        )
        if flags.tracing is not None:
            tracer = await stack.enter_async_context(otlp_tracer(flags.tracing, version=VERSION))
            sources = msgspec.structs.replace(sources, tracer=tracer)
        with telling_unavailable():
            pool = await stack.enter_async_context(build_app_pool(places.database_url))
        reading = await stack.enter_async_context(replicated_queries(pool, settings.replica_urls))
        reading.on_read = measuring.meters.reads.add
        redis = await stack.enter_async_context(build_redis(places.redis_url)) if places.redis_url else None
        rates = RateTerms(per_s=settings.rate_per_s)
        parts = await stack.enter_async_context(
            built_parts(places, queries=reading, redis=redis, key=key, rates=rates, sources=sources)
        )
        signs = Signs(pool, settings.origin, key)
        ledger = build_public_ledger(settings, reading, key)
        workers = workers_probe(signs.read, parts.now_ms, ledger=ledger)
        probes = build_probes(
            pool=pool, redis=redis, arena=parts.games.arena, folder=settings.data, clock=clock, workers=workers
        )
        live = await stack.enter_async_context(built_live(parts, redis))
        notary = NotaryParts(
            open_desk=partial(notary_desk, places.database_url),
            log=parts.log,
            ledger=PostgresLedger(Queries(pool)),
            signer=derive_log_signer(key, settings.origin),
            folder=settings.ledger_folder,
            witnesses=ledger.policy.witnesses,
            ask_every_s=read_ask_every_s(settings, ledger.policy.logs[0].key),
            is_new_origin=flags.is_new_origin,
        )
        if NOTARY.name not in flags.without:
            await check_not_older(notary)
            await use_record(settings.origin, places, operator=flags.operator)
        await stack.enter_async_context(keeping_ends(pool, settings.ledger_folder))
        audits = OwnAudits(Bundles(store=parts.store, kept=KeptProofs(reading), ledger=ledger))
        vitals = Vitals(SharedHealth(probes), signs.read, now_ms=parts.now_ms)
        metrics = build_metrics_page(measuring, parts, live, vitals, reading.replicas)
        offered = Offered(live=live, ledger=ledger, audits=audits, metrics=metrics)
        app = build_app(probes=probes, parts=parts, offered=offered, cors_origins=settings.cors_origins)
        own = KeptProofs(Queries(pool))
        standing = build_workers(parts, notary, ledger, own, app, url=places.database_url, without=flags.without)
        await stack.enter_async_context(standing_by(standing, lambda name: signs.beat(name, parts.now_ms())))
        # Behind a proxy, the proxy knows the names.
        hosts = Hosts(is_local=is_loopback(settings.host) and not settings.proxies, origins=settings.cors_origins)
        guarded_app = guarded(traced(app, sources.tracer), parts.rates, hosts)
        yield Built(app=app, served=answering_heads(packing(measured(guarded_app, measuring.meters))))


async def use_record(origin: str, places: Places, *, operator: str) -> None:
    """Let the operators' record of the ledger of this name take the acts from now on."""
    async with database_at(places.owner_url, variable="SPINA_OWNER_DATABASE_URL") as owner:
        await use_record_of(owner, origin, operator=operator)


@asynccontextmanager
async def build_places(settings: Settings) -> AsyncIterator[Places]:
    """Take the given servers, else start the embedded ones. With a database given, none is started."""
    check_machine(settings)
    if settings.database_url is None:
        async with embedded_servers(settings.data) as urls:
            yield Places(database_url=urls.database_url, owner_url=urls.owner_url, redis_url=urls.redis_url)
        return
    # Before anything is asked of the database: a key is never made silently for one that others use too.
    read_given_key(settings)
    yield given_places(settings, database_url=settings.database_url)


async def build_schema(settings: Settings, places: Places) -> MasterKey:
    """Bring the database to this release's form, check that it is this master key's, and end again what had ended.

    Returns the root key.
    """
    async with database_at(places.database_url, variable="SPINA_DATABASE_URL"):
        pass
    async with database_at(places.owner_url, variable="SPINA_OWNER_DATABASE_URL") as owner:
        await check_log(owner, variable="SPINA_OWNER_DATABASE_URL")
        try:
            await migrate(places.owner_url)
        except asyncpg.InsufficientPrivilegeError as error:
            found = f"a login that does not own the schema ({error})"
            raise DatabaseRefused("SPINA_OWNER_DATABASE_URL", found) from error
        root = await check_master_key(owner, await build_key(settings, owner))
    await restore_ends(settings.ledger_folder, places)
    return root


async def build_key(settings: Settings, owner: asyncpg.Connection) -> MasterKey:
    """Read the master key; only an embedded database that never had one gets a new one."""
    path = settings.key_file
    if settings.has_embedded_servers and settings.master_key is None and not path.exists():
        expected = await find_expected_key_id(owner)
        if expected is not None:
            raise KeyRefused(f"there is no master key at {path}; this database was made with {expected}: bring it back")
        return create_key_file(path)
    return read_given_key(settings)
