"""The whole API in the loop of a test, over the test's own database, with a clock and a chance that are the test's."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any, cast

import asyncpg
from httpx2 import ASGITransport, AsyncClient
from litestar import Litestar

from domain.accounts.account import Account
from domain.derived_ids import derive_command
from domain.game.clock import list_running
from domain.game.commands import GameCommand
from domain.game.events import ClockExpired
from domain.ids import GameId
from domain.log.actors import ByClock
from domain.ruleset.catalogue import Catalogue
from domain.ruleset.kit import Kit
from infra.hint_source import MemoryHintSource
from infra.keys import MasterKey
from infra.postgres.accounts import create_account
from infra.postgres.connection import build_app_pool
from infra.postgres.kept_proofs import KeptProofs
from infra.postgres.projection_store import projector_desk
from infra.postgres.queries import Queries, replicated_queries
from infra.redis.client import build_redis
from infra.settings import Settings
from services.api.app import Offered
from services.api.http.health import READY, Check, Probes
from services.api.http.parts import Parts
from services.api.http.rates import Rates, RateTerms
from services.audits.bundles import Bundles
from services.audits.own_audits import OwnAudits
from services.commands.vault import Vault
from services.node.addresses import Places
from services.node.building import Sources, Stores, build_parts, built_parts
from services.node.ledger import build_public_ledger
from services.node.steady_clock import read_monotonic_us
from services.notices.mails import Mails
from services.workers.projector import ProjectorSources, Session, build_projector
from services.workers.standby import standing_by
from simulate.stores.event_store import MemoryEventStore
from simulate.stores.projection_store import MemoryProjections
from tests.database import Database
from tests.domain.game.fake_ruleset_mug import Mug
from tests.domain.game.game_harness import CATALOGUE, NOON
from tests.domain.rulesets.fake_ruleset_torches import Torches
from tests.services.api.lent_app import lent_app
from tests.services.heartbeats import no_beat

KEY = MasterKey(bytes(range(32)))
VAULT = Vault(KEY)


def build_torches(components: Any) -> Torches:
    if set(components) != {"cards"}:
        raise ValueError(f"expected cards, found {sorted(components)}")
    return Torches(cards=components["cards"])


TORCHES = Kit(ruleset=Torches, build=build_torches, folder=str(Path(__file__).with_name("torches_box")))
MUGS = Kit(ruleset=Mug, build=build_torches, folder=TORCHES.folder)
# Of the catalogue of fake rulesets.
FAKE_KITS = (TORCHES, MUGS)


async def ready() -> Check:
    return READY


PROBES = Probes(postgres=ready, redis=ready, migrations=ready)


def memory_parts(
    store: Any = None,
    *,
    now_ms: int = NOON,
    per_s: int = 0,
    catalogue: Catalogue = CATALOGUE,
    kits: Sequence[Kit] = FAKE_KITS,
) -> Parts:
    """Parts without a database: a caller without a token may read the public content of a store in memory."""
    store, hints = store or MemoryEventStore(), MemoryHintSource()
    pool = cast("asyncpg.Pool", None)
    stores = Stores(log=store, store=store, projections=MemoryProjections(), pool=pool, announcer=hints, hints=hints)
    rates = Rates(RateTerms(per_s=per_s), shared=None, now_us=lambda: 0)
    sources = Sources(now_ms=lambda: now_ms, random_bytes=bytes, kits=kits)
    return build_parts(stores, catalogue, key=KEY, rates=rates, sources=sources)


def projecting(parts: Parts, database: Database) -> ProjectorSources:
    return ProjectorSources(log=parts.store, open_desk=lambda: projector_desk(database.app_url))


def projector_at_work(parts: Parts, database: Database) -> AbstractAsyncContextManager[None]:
    """Keep the projections while the block runs."""
    return standing_by(build_projector(projecting(parts, database)), no_beat)


async def project(parts: Parts, database: Database) -> None:
    """Bring every projection to the end of the log."""
    sources = projecting(parts, database)
    for projection in sources.projections:
        async with sources.open_desk() as desk:
            session = Session(sources, desk, projection)
            await session.begin()
            while not session.is_acting:
                await session.look_around()
            while await session.step():
                pass


class Clock:
    """Stands still until it is put forward."""

    def __init__(self) -> None:
        self.now_ms = NOON


class Api:
    """One process of the server, and how a test asks it."""

    def __init__(
        self, app: Litestar, parts: Parts, clock: Clock, database: Database, audits: OwnAudits, queries: Queries
    ) -> None:
        self.app = app
        self.parts = parts
        self.audits = audits
        self.queries = queries
        self.clock = clock
        self._database = database
        # The two packages write the same protocol with types of their own.
        transport = ASGITransport(app=app, raise_app_exceptions=False)  # type: ignore[arg-type]  # see above
        self.client = AsyncClient(transport=transport, base_url="http://spina.test")

    async def project(self) -> None:
        await project(self.parts, self._database)

    async def expire(self, game: GameId, seat: int) -> None:
        """Let the clock of a seat run out, as the timekeeper does."""
        running = list_running(await self.parts.games.arena.read_newest(game))
        clock = next(clock for clock in running if clock.seat == seat)
        self.clock.now_ms = clock.deadline_ms + 1
        await self.parts.games.arena.handle(
            GameCommand(
                id=derive_command(game, f"expiry of {clock.decision}"),
                stream=game,
                at_ms=self.clock.now_ms,
                actor=ByClock(),
                event=ClockExpired(seat=clock.seat, decision=clock.decision),
            )
        )

    async def create_account(self, account: Account) -> str:
        async with self._database.owned() as owner:
            return await create_account(owner, account)

    async def execute(self, statement: str, *values: object) -> None:
        """Do what the owner of the database can."""
        async with self._database.owned() as owner:
            await owner.execute(statement, *values)


@asynccontextmanager
async def running_api(  # noqa: PLR0913  each is a source that a test replaces
    database: Database,
    redis_url: str | None = None,
    *,
    replica_urls: tuple[str, ...] = (),
    kits: tuple[Kit, ...] = (TORCHES,),
    per_s: int = 0,
    random_bytes: Callable[[int], bytes] = lambda size: bytes(range(size)),
    key: MasterKey = KEY,
    monotonic_us: Callable[[], int] = read_monotonic_us,
    mails: Mails | None = None,
    reaches_private: bool = False,
) -> AsyncIterator[Api]:
    clock = Clock()
    places = Places(database_url=database.app_url, owner_url=database.owner_url, redis_url=redis_url)
    sources = Sources(
        now_ms=lambda: clock.now_ms,
        random_bytes=random_bytes,
        kits=kits,
        monotonic_us=monotonic_us,
        mails=mails,
        reaches_private=reaches_private,
    )
    async with (
        build_app_pool(places.database_url) as pool,
        replicated_queries(pool, replica_urls) as queries,
        build_redis(redis_url or "redis://127.0.0.1:1") as redis,
    ):
        built = built_parts(
            places,
            queries=queries,
            redis=redis if redis_url else None,
            key=key,
            rates=RateTerms(per_s=per_s),
            sources=sources,
        )
        async with built as parts:
            ledger = build_public_ledger(Settings(), queries, KEY)
            audits = OwnAudits(Bundles(store=parts.store, kept=KeptProofs(queries), ledger=ledger))
            with lent_app(probes=PROBES, parts=parts, offered=Offered(ledger=ledger, audits=audits)) as app:
                api = Api(app, parts, clock, database, audits, queries)
                async with api.client:
                    yield api
