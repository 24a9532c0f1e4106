"""The parts of one process, built over its database and its Redis. Each is closed in reverse when the block ends."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

import asyncpg
from msgspec import Struct
from redis.asyncio import Redis

from domain.ruleset.catalogue import Catalogue
from domain.ruleset.kit import Kit
from domain.rulesets.released import KITS
from infra.boxes import Box
from infra.event_store import EventStore
from infra.hint_source import HintSource, MemoryHintSource
from infra.house_keys import HouseKeys
from infra.keys import MasterKey
from infra.ledger_keys import derive_log_signer
from infra.postgres.accounts import Accounts
from infra.postgres.appender import Appender
from infra.postgres.courses import Courses
from infra.postgres.declines import Declines
from infra.postgres.event_store import PostgresEventStore
from infra.postgres.kept_links import KeptLinks
from infra.postgres.notice_ways import NoticeWays
from infra.postgres.notices import Outbox
from infra.postgres.passkeys import Passkeys
from infra.postgres.projection_store import PostgresProjections
from infra.postgres.queries import Queries
from infra.postgres.tokens import Tokens
from infra.projection_store import Projections
from infra.redis.announcer import redis_announcer
from infra.redis.hint_source import RedisHintSource
from infra.redis.rate_limit import RedisRateLimit
from infra.ruleset_files import read_words
from infra.settings import Settings
from infra.tracing import NO_TRACER, Tracer
from services.api.games.rulesets import encode_rulesets
from services.api.http.known_tokens import KnownTokens
from services.api.http.meters import Meters
from services.api.http.parts import GameParts, Parts, PeopleParts, TournamentParts
from services.api.http.rates import Rates, RateTerms
from services.commands.arena import Arena
from services.commands.catalogue import build_catalogue
from services.commands.tournaments import Tournaments
from services.commands.vault import Vault
from services.commands.write_path import Announcer
from services.node.addresses import Places
from services.node.steady_clock import read_clock_ms, read_monotonic_us
from services.notices.mails import Mails
from services.notices.senders import SenderTerms
from services.notices.ways import WayVault
from services.reading.delayed import DelayedGames
from services.reading.histories import GameHistories
from services.reading.tournaments.histories import TournamentHistories
from services.reading.tournaments.kept_pages import KeptPages
from services.reading.tournaments.watches import TournamentWatches


class Sources(Struct, frozen=True, kw_only=True):
    """The sources of time and randomness, which tests replace."""

    now_ms: Callable[[], int] = read_clock_ms
    monotonic_us: Callable[[], int] = read_monotonic_us
    random_bytes: Callable[[int], bytes] = secrets.token_bytes
    kits: Sequence[Kit] = KITS
    boxes: Sequence[Box] = ()
    # The name of the ledger.
    origin: str = Settings().origin
    # Counts commands and appends, where metrics are served.
    meters: Meters | None = None
    tracer: Tracer = NO_TRACER
    mails: Mails | None = None
    # Lets notices be sent to this machine and its network: for tests alone.
    reaches_private: bool = False


class Stores(Struct, frozen=True, kw_only=True):
    """The log of the primary, and the stores that readers share; `pool` is the primary's."""

    log: EventStore
    store: EventStore
    projections: Projections
    pool: asyncpg.Pool
    announcer: Announcer
    hints: HintSource


@asynccontextmanager
async def built_parts(
    places: Places,
    *,
    queries: Queries,
    redis: Redis | None,
    key: MasterKey,
    rates: RateTerms,
    sources: Sources,
) -> AsyncIterator[Parts]:
    """Build the parts. Views and lists are read at replicas; decisions, accounts and writes keep to the primary."""
    async with AsyncExitStack() as stack:
        appender = await stack.enter_async_context(Appender(places.database_url))
        announcer, hints = await _open_hints(stack, places, redis)
        stores = Stores(
            log=PostgresEventStore(Queries(queries.primary), appender),
            store=PostgresEventStore(queries, appender),
            projections=PostgresProjections(queries),
            pool=queries.primary,
            announcer=announcer,
            hints=hints,
        )
        shared = None if redis is None else RedisRateLimit(redis)
        limits = Rates(rates, shared=shared, now_us=sources.monotonic_us)
        catalogue = await build_catalogue(stores.log, sources.kits, sources.boxes)
        parts = build_parts(stores, catalogue, key=key, rates=limits, sources=sources)
        if sources.meters is not None:
            appender.on_batch = sources.meters.note_batch
            parts.games.arena.on_handled = parts.tournaments.write_path.on_handled = sources.meters.note_command
        yield parts


def build_parts(stores: Stores, catalogue: Catalogue, *, key: MasterKey, rates: Rates, sources: Sources) -> Parts:
    stopping = asyncio.Event()
    tournaments = build_tournament_parts(stores, catalogue, key=key, stopping=stopping)
    games = build_game_parts(stores, catalogue, key=key, kits=sources.kits)
    games.arena.tracer = tournaments.write_path.tracer = sources.tracer
    return Parts(
        games=games,
        tournaments=tournaments,
        people=build_people_parts(stores.pool, games.house, key=key, sources=sources),
        log=stores.log,
        store=stores.store,
        projections=stores.projections,
        rates=rates,
        signer=derive_log_signer(key, sources.origin),
        now_ms=sources.now_ms,
        random_bytes=sources.random_bytes,
        stopping=stopping,
    )


def build_game_parts(stores: Stores, catalogue: Catalogue, *, key: MasterKey, kits: Sequence[Kit]) -> GameParts:
    vault, words = Vault(key), {kit.name: read_words(kit) for kit in kits}
    by_reference = {kit.reference: kit for kit in kits}
    histories = GameHistories(store=stores.store, catalogue=catalogue, vault=vault)
    return GameParts(
        arena=Arena(store=stores.log, announcer=stores.announcer, catalogue=catalogue, vault=vault),
        histories=histories,
        delayed=DelayedGames(stores.store, histories),
        catalogue=catalogue,
        words=words,
        kits=by_reference,
        rulesets=encode_rulesets(catalogue, words, by_reference),
        house=HouseKeys(key),
        hints=stores.hints,
    )


def build_tournament_parts(
    stores: Stores, catalogue: Catalogue, *, key: MasterKey, stopping: asyncio.Event
) -> TournamentParts:
    histories = TournamentHistories(stores.store)
    watches = TournamentWatches(histories, stores.hints, stopping=stopping)
    path = Tournaments(store=stores.log, announcer=stores.announcer, catalogue=catalogue, vault=Vault(key))
    path.on_written = watches.hear
    return TournamentParts(write_path=path, histories=histories, pages=KeptPages(), watches=watches)


def build_people_parts(pool: asyncpg.Pool, house: HouseKeys, *, key: MasterKey, sources: Sources) -> PeopleParts:
    tokens = Tokens(pool)
    return PeopleParts(
        accounts=Accounts(pool),
        tokens=tokens,
        known_tokens=KnownTokens(tokens, house=house.by_token, now_ms=sources.now_ms),
        passkeys=Passkeys(pool),
        courses=Courses(pool),
        declines=Declines(pool),
        kept_links=KeptLinks(pool, key),
        ways=NoticeWays(pool),
        outbox=Outbox(pool),
        senders=SenderTerms(vault=WayVault(key), mails=sources.mails, reaches_private=sources.reaches_private),
    )


async def _open_hints(stack: AsyncExitStack, places: Places, redis: Redis | None) -> tuple[Announcer, HintSource]:
    if places.redis_url is None or redis is None:
        own = MemoryHintSource()
        return own, own
    return await stack.enter_async_context(redis_announcer(places.redis_url)), RedisHintSource(redis)
