"""The parts of one process, built over its database and its Redis. Each is closed in reverse when the block ends."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

from msgspec import Struct
from redis.asyncio import Redis

from domain.ruleset.kit import Kit
from domain.rulesets.released import KITS
from infra.hint_source import HintSource, MemoryHintSource
from infra.house_keys import HouseKeys
from infra.keys import MasterKey
from infra.ledger_keys import derive_log_signer
from infra.postgres.accounts import Accounts
from infra.postgres.appender import Appender
from infra.postgres.declines import Declines
from infra.postgres.event_store import PostgresEventStore
from infra.postgres.kept_links import KeptLinks
from infra.postgres.notice_ways import NoticeWays
from infra.postgres.notices import Outbox
from infra.postgres.passkeys import Passkeys
from infra.postgres.projection_store import PostgresProjections
from infra.postgres.queries import Queries
from infra.postgres.tokens import Tokens
from infra.redis.announcer import redis_announcer
from infra.redis.hint_source import RedisHintSource
from infra.redis.rate_limit import RedisRateLimit
from infra.ruleset_files import read_words
from infra.settings import Settings
from infra.tracing import NO_TRACER, Tracer
from services.api.games.rulesets import encode_rulesets
from services.api.http.known_tokens import KnownTokens
from services.api.http.meters import Meters
from services.api.http.parts import Parts
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
    # The name of the ledger.
    origin: str = Settings().origin
    # Counts commands and appends, where metrics are served.
    meters: Meters | None = None
    tracer: Tracer = NO_TRACER
    mails: Mails | None = None
    # Lets notices be sent to this machine and its network: for tests alone.
    reaches_private: bool = False


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
    pool, kits = queries.primary, {kit.reference: kit for kit in sources.kits}
    async with AsyncExitStack() as stack:
        appender = await stack.enter_async_context(Appender(places.database_url))
        log, store = PostgresEventStore(Queries(pool), appender), PostgresEventStore(queries, appender)
        announcer, hints = await _open_hints(stack, places, redis)
        catalogue = await build_catalogue(log, sources.kits)
        words = {kit.name: read_words(kit) for kit in sources.kits}
        vault, tokens, house = Vault(key), Tokens(pool), HouseKeys(key)
        histories = GameHistories(store=store, catalogue=catalogue, vault=vault)
        arena = Arena(store=log, announcer=announcer, catalogue=catalogue, vault=vault)
        tournaments = Tournaments(store=log, announcer=announcer, catalogue=catalogue, vault=vault)
        arena.tracer = tournaments.tracer = sources.tracer
        if sources.meters is not None:
            arena.on_handled, appender.on_batch = sources.meters.note_command, sources.meters.note_batch
            tournaments.on_handled = sources.meters.note_command
        tournament_histories, stopping = TournamentHistories(store), asyncio.Event()
        watches = TournamentWatches(tournament_histories, hints, stopping=stopping)
        tournaments.on_written = watches.hear
        yield Parts(
            arena=arena,
            histories=histories,
            tournaments=tournaments,
            tournament_histories=tournament_histories,
            tournament_pages=KeptPages(),
            tournament_watches=watches,
            log=log,
            store=store,
            accounts=Accounts(pool),
            projections=PostgresProjections(queries),
            delayed=DelayedGames(store, histories),
            tokens=tokens,
            passkeys=Passkeys(pool),
            declines=Declines(pool),
            kept_links=KeptLinks(pool, key),
            notice_ways=NoticeWays(pool),
            outbox=Outbox(pool),
            senders=SenderTerms(vault=WayVault(key), mails=sources.mails, reaches_private=sources.reaches_private),
            known_tokens=KnownTokens(tokens, house=house.by_token, now_ms=sources.now_ms),
            house=house,
            rates=Rates(rates, shared=None if redis is None else RedisRateLimit(redis), now_us=sources.monotonic_us),
            catalogue=catalogue,
            words=words,
            kits=kits,
            rulesets=encode_rulesets(catalogue, words, kits),
            hints=hints,
            now_ms=sources.now_ms,
            random_bytes=sources.random_bytes,
            signer=derive_log_signer(key, sources.origin),
            stopping=stopping,
        )


async def _open_hints(stack: AsyncExitStack, places: Places, redis: Redis | None) -> tuple[Announcer, HintSource]:
    if places.redis_url is None or redis is None:
        own = MemoryHintSource()
        return own, own
    return await stack.enter_async_context(redis_announcer(places.redis_url)), RedisHintSource(redis)
