"""A stored game, or the operators' record, as a bundle, read from the database without a server."""

import asyncio
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from uuid import UUID

import asyncpg
from msgspec import Struct
from msgspec.structs import replace

from domain.audit.bundle import Bundle, LogBundle
from domain.audit.reading import LINES_MAX, read_opening
from domain.audit.record_bundle import build_howto
from domain.game.events import GameOpened
from domain.game.kind import GAMES
from domain.ids import UUID_PATTERN, GameId, PlayerId, StreamId, StreamVersion
from domain.ledger.policy import evaluate
from domain.log.record import parse_line
from domain.operators.events import GameExported, RecordOpened
from domain.operators.kind import RECORDS
from infra.keys import BoxDamaged, KeyRefused, WrongMasterKey, read_given_key
from infra.postgres.accounts import Accounts
from infra.postgres.appender import Appender
from infra.postgres.connection import borrowed, build_app_pool, telling_unavailable
from infra.postgres.event_store import PostgresEventStore
from infra.postgres.kept_proofs import KeptProofs
from infra.postgres.ledger_store import PostgresLedger
from infra.postgres.master_key_check import open_root_key
from infra.postgres.queries import Queries, replicated_queries
from infra.postgres.records import find_newest, list_records, read_record
from infra.settings import Settings
from services.audits.bundles import Bundles, is_finished
from services.commands.records import NoRecord
from services.ledger.public_ledger import PublicLedger
from services.node.addresses import find_database_url, name_source
from services.node.databases import check_log, database_at
from services.node.ledger import LedgerFileRefused, build_public_ledger
from services.node.records import announce_act, owner_of, read_words

# A game that has just ended is under a checkpoint within two seconds, where a notary is at work.
WAIT_S = 5.0
LOOK_EVERY_S = 0.2
# Bundles in memory at once: half a megabyte each in the usual case, twenty in the worst.
PAGE_STREAMS = 32

LIST_STREAMS = """
select id from stream where id > $1 order by id limit $2
"""


class ExportRefused(Exception):
    """There is nothing to export from, or no such game can exist."""


class Exported(Struct, frozen=True, kw_only=True):
    """`is_final`: the game is over and has the proofs that it will have for ever. `names` are of its players."""

    bundle: Bundle
    is_final: bool
    names: Mapping[PlayerId, str]


class Asked(Struct, frozen=True, kw_only=True):
    """The game, the database where it is not that of the settings, and by whom and why it is exported."""

    game: GameId
    by: str
    reason: str | None = None
    database_url: str | None = None


async def export_game(settings: Settings, asked: Asked, *, wait_s: float = WAIT_S) -> Exported:
    """Read a game from the given database, else from that of the settings, else from that of a running server.

    Waits for the proofs of a game that is over, for a while, where there is a ledger to get them from. Of a game that
    not all may read, the export stands in the operators' record before it is returned.
    """
    game, words = asked.game, read_words(asked.by, asked.reason)
    if not re.match(UUID_PATTERN, game):
        raise ExportRefused(f"expected the id of a game, a lower-case UUID, found {game!r}")
    async with bundles_of(settings, database_url=asked.database_url) as (queries, bundles):
        has_ledger = bool(await PostgresLedger(queries).list_origins())
        bundle = await _build(bundles, game, wait_s=wait_s if has_ledger else 0.0)
        if is_hidden(bundle):
            act = GameExported(game=game, lines=StreamVersion(bundle.log.count(b"\n")), **words)
            await announce_act(settings, act, shown=queries, database_url=asked.database_url)
        lines = (parse_line(raw) for raw in bundle.log.splitlines())
        players = {PlayerId(str(line.data["player"])) for line in lines if line.type == "seat_taken"}
        return Exported(
            bundle=bundle,
            is_final=is_finished(bundle) and bundle.last_proof is not None,
            names=await Accounts(queries.primary).find_names(players),
        )


async def export_record(
    settings: Settings, record: str | None = None, *, version: int | None = None
) -> tuple[StreamId, LogBundle]:
    """Return a record as its bundle, that in use if none is named; whole or one line of it, with its proofs.

    Raises NoRecord, or ExportRefused where there is no such record or line, or more lines than a verifier takes.
    """
    async with owner_of(settings) as owner:
        newest = await find_newest(owner)
        if newest is None:
            raise NoRecord
        records = await list_records(owner)
        wanted = newest if record is None else StreamId(record)
        if wanted not in records:
            raise ExportRefused(f"expected a record ({', '.join(records)}), found {record}")
        lines = await read_record(owner, wanted)
    if version is None and len(lines) > LINES_MAX:
        raise ExportRefused(f"expected at most {LINES_MAX} lines in a file, found {len(lines)}: name one of them")
    if version is not None:
        if not 1 < version <= len(lines):
            raise ExportRefused(f"expected a line from 2 to {len(lines)}, found {version}")
        lines = [lines[0], lines[version - 1]]
    bundle = LogBundle(log=b"".join(line + b"\n" for line in lines), howto=build_howto(wanted))
    # A former ledger's checkpoints are kept, and prove its record.
    opened: RecordOpened | None = read_opening(RECORDS, lines[0])
    assert opened is not None, "a stored record has its opening"
    async with bundles_of(replace(settings, origin=opened.ledger)) as (_, bundles):
        return wanted, await bundles.prove(wanted, bundle, since=None)


@asynccontextmanager
async def bundles_of(settings: Settings, *, database_url: str | None = None) -> AsyncIterator[tuple[Queries, Bundles]]:
    """Read bundles from the given database, else from that of the settings, else from that of a running server.

    The replicas of the settings are not used with a given one. Raises DatabaseRefused, also where its tables or its log
    are those of another build.
    """
    url, variable = find_database_url(settings, given=database_url), name_source(settings, given=database_url)
    replica_urls = settings.replica_urls if database_url is None else ()
    async with database_at(url, variable=variable) as reader:
        await check_log(reader, variable=variable)
        with telling_unavailable():
            pool = await build_app_pool(url)
        async with pool, replicated_queries(pool, replica_urls) as queries, Appender(url) as appender:
            store, ledger = PostgresEventStore(queries, appender), await _find_ledger(settings, pool, queries)
            yield queries, Bundles(store=store, kept=KeptProofs(queries), ledger=ledger)


def is_hidden(bundle: Bundle) -> bool:
    """Return whether some may not read all of a game: a private one ever, a delayed one before its end."""
    opened: GameOpened | None = read_opening(GAMES, bundle.log.partition(b"\n")[0])
    assert opened is not None, "a stored game has its opening"
    return opened.visibility == "private" or (opened.delay_s > 0 and not is_finished(bundle))


async def list_streams(queries: Queries, *, after: UUID) -> AsyncIterator[Sequence[StreamId]]:
    """Yield the ids of all stored streams after an id, in their order, a page at a time."""
    while rows := await queries.fetch(LIST_STREAMS, after, PAGE_STREAMS):
        yield [StreamId(str(row["id"])) for row in rows]
        after = rows[-1]["id"]


async def _build(bundles: Bundles, game: GameId, *, wait_s: float) -> Bundle:
    bundle = await bundles.build(game)
    for _ in range(int(wait_s / LOOK_EVERY_S)):
        if bundle.last_proof is not None or not is_finished(bundle):
            break
        await asyncio.sleep(LOOK_EVERY_S)
        bundle = await bundles.build(game)
    return bundle


async def _find_ledger(settings: Settings, pool: asyncpg.Pool, queries: Queries) -> PublicLedger | None:
    """Return the ledger that the master key signs, if it is here; games that are over have their proofs without it."""
    try:
        async with borrowed(pool) as connection:
            root = await open_root_key(connection, read_given_key(settings))
        ledger = build_public_ledger(settings, queries, root)
    except (KeyRefused, WrongMasterKey, BoxDamaged, LedgerFileRefused):
        return None
    newest = await ledger.find_checkpoint()
    # The key of another database signs nothing here.
    return ledger if newest is not None and evaluate(ledger.policy, newest).log is not None else None
