"""The notary's speed through a log, and the cost of a proof and of memory as the ledger grows.

Needs a database of its own with the migrations applied: the measured rows stay in it.
"""

import resource
import tempfile
import time
from collections.abc import Iterator, Sequence
from functools import partial
from hashlib import sha256
from itertools import islice
from pathlib import Path
from random import Random
from uuid import UUID

import asyncpg

from bench.figures import Asked, Figures, Row, percentile
from bench.lines import build_line
from bench.served import new_servers
from domain.ids import LineHash, StreamId
from domain.ledger.inclusion import check_inclusion
from domain.ledger.leaf import hash_leaf
from domain.log.record import GENESIS
from infra.keys import MasterKey
from infra.ledger_keys import derive_log_signer
from infra.postgres.connection import build_app_pool
from infra.postgres.event_store import open_event_store
from infra.postgres.ledger_store import PostgresLedger, notary_desk
from infra.postgres.queries import Queries
from services.ledger.proofs import LedgerProofs
from services.workers.notary_standby import NotaryParts, open_notary

ORIGIN = "bench.invalid/log"
# Games that play at once; each line of one comes some hundred positions after the one before.
GAMES = 200
LINES_OF_GAME = 500
COPY_LINES = 20_000
PROOFS = 500
SEED = 20261118


async def measure(asked: Asked) -> list[Figures]:
    sizes = asked.size((10_000, 2_000_000), (2_000, 20_000))
    with tempfile.TemporaryDirectory(prefix="spina-bench-") as folder:
        async with new_servers() as urls:
            return [await measure_ledger(urls.owner_url, urls.database_url, Path(folder), sizes=sizes)]


async def measure_ledger(owner_url: str, app_url: str, folder: Path, *, sizes: Sequence[int]) -> Figures:
    """Grow one ledger from size to size; prove random leaves with nothing remembered, then with warm tiles."""
    rows: dict[str, Row] = {}
    lines = build_log(sizes[-1])
    before = 0
    async with open_event_store(app_url) as store, build_app_pool(app_url) as pool:
        ledger = PostgresLedger(Queries(pool))
        parts = NotaryParts(
            open_desk=partial(notary_desk, app_url),
            log=store,
            ledger=ledger,
            signer=derive_log_signer(MasterKey(bytes(32)), ORIGIN),
            folder=folder,
        )
        for size in sizes:
            await _copy(owner_url, lines, count=size - before)
            elapsed_s = await _notarise(parts)
            cold = await _time_proofs(ledger, size, tiles_max=0)
            warm = await _time_proofs(ledger, size, tiles_max=512)
            rows[f"{size:,} leaves"] = {
                "leaves a second": (size - before) / elapsed_s,
                "proof p50 ms": percentile(warm, 50),
                "proof p99 ms": percentile(warm, 99),
                "p50 without a cache": percentile(cold, 50),
                "peak MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
            }
            before = size
    return Figures(title="the ledger as it grows", rows=rows)


def build_log(count: int) -> Iterator[tuple[int, UUID, int, str, bytes, bytes]]:
    """Make rows of the event table: games that play side by side, each of them a chain."""
    heads: list[tuple[StreamId, int, LineHash]] = []
    for position in range(1, count + 1):
        place = position % GAMES
        if len(heads) < GAMES:
            heads.append(_new_game(position))
            place = len(heads) - 1
        elif heads[place][1] == LINES_OF_GAME:
            heads[place] = _new_game(position)
        game, version, prev = heads[place]
        body = build_line(game, version + 1, prev, **({} if version else {"leaf_key": "55" * 32}))
        hash_ = sha256(body).digest()
        heads[place] = game, version + 1, LineHash(hash_.hex())
        yield position, UUID(game), version + 1, "chariot_moved", hash_, body


async def _notarise(parts: NotaryParts) -> float:
    """Take in all there is, with a checkpoint a second, and state how long that took."""
    async with parts.open_desk() as desk:
        assert desk is not None
        notary = await open_notary(parts, desk, parts.build_memory())
        started = time.perf_counter()
        while await notary.step():
            pass
        await notary.publish()
        return time.perf_counter() - started


async def _time_proofs(ledger: PostgresLedger, size: int, *, tiles_max: int) -> list[float]:
    """Milliseconds of finding a leaf and proving it, ascending. Every tenth proof is checked."""
    random = Random(SEED)  # noqa: S311 - the same leaves each time
    proofs = LedgerProofs(ledger, tiles_max=tiles_max)
    root = await proofs.read_root(size)
    times = []
    for number in range(PROOFS):
        entry = (await ledger.read_entries(index := random.randrange(size), index + 1))[0]
        started = time.perf_counter()
        found = await ledger.find_index(entry.leaf.stream, entry.leaf.version)
        proof = await proofs.prove_inclusion(index=index, tree_size=size)
        times.append(1000 * (time.perf_counter() - started))
        assert found == index
        if number % 10 == 0:
            check_inclusion(proof, leaf=hash_leaf(entry.leaf), root=root)
    return sorted(times)


async def _copy(owner_url: str, rows: Iterator[tuple[int, UUID, int, str, bytes, bytes]], *, count: int) -> None:
    """As the owner, past the append function: the subject is the notary, not the appender."""
    columns = ["position", "stream", "version", "type", "hash", "body"]
    async with asyncpg.create_pool(owner_url, min_size=1, max_size=1) as owner:
        for done in range(0, count, COPY_LINES):
            records = list(islice(rows, min(count - done, COPY_LINES)))
            await owner.copy_records_to_table("event", schema_name="spina", columns=columns, records=records)
        await owner.execute("vacuum analyze")


def _new_game(position: int) -> tuple[StreamId, int, LineHash]:
    # Spread over the table's leaves as random ids are, and the same each time.
    return StreamId(str(UUID(bytes=sha256(b"game %d" % position).digest()[:16]))), 0, GENESIS
