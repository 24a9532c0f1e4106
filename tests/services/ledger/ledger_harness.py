"""A log and its ledger for tests: games that move, a notary that can be stopped anywhere."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import asyncpg

from domain.ids import LogPosition, StreamId, StreamVersion
from domain.ledger.checkpoint import parse_signed_checkpoint
from domain.ledger.leaf import build_leaf, hash_leaf
from domain.ledger.merkle import GrowingTree
from domain.ledger.policy import PolicyWitness
from infra.event_store import Append, StoredEvent
from infra.keys import MasterKey
from infra.ledger_keys import derive_log_signer
from infra.ledger_store import NotaryDesk
from infra.postgres.connection import build_app_pool
from infra.postgres.event_store import PostgresEventStore, open_event_store
from infra.postgres.ledger_store import PostgresLedger, notary_desk
from infra.postgres.queries import Queries
from services.ledger.notary import Notary
from services.workers.notary_standby import NotaryParts, open_notary
from tests.appends import LEAF_KEY, following, new_game, opening
from tests.database import Database

KEY = MasterKey(bytes(range(32)))
ORIGIN = "ledger.test/log"
PATIENCE_S = 20.0
ALL_NOTES = "select note from spina.ledger_checkpoint where origin = $1 order by tree_size"


class Rig:
    """One database, seen by one machine."""

    def __init__(self, url: str, store: PostgresEventStore, ledger: PostgresLedger, folder: Path) -> None:
        self.url = url
        self.store = store
        self.ledger = ledger
        self.folder = folder
        self.last: dict[StreamId, Append] = {}

    async def play(self, *, games: int = 3, lines: int = 4) -> None:
        """Let new games begin and each of all games move on."""
        for _ in range(games):
            await self.append(opening(new_game()))
        for game in list(self.last):
            await self.append(following(self.last[game], lines))

    async def append(self, append: Append) -> None:
        await self.store.append(append)
        self.last[append.stream] = append

    def notary_parts(
        self,
        *,
        folder: Path | None = None,
        origin: str = ORIGIN,
        is_new_origin: bool = False,
        witnesses: tuple[PolicyWitness, ...] = (),
        monotonic_s: Callable[[], float] = lambda: 0.0,
    ) -> NotaryParts:
        return NotaryParts(
            open_desk=partial(notary_desk, self.url),
            log=self.store,
            ledger=self.ledger,
            signer=derive_log_signer(KEY, origin),
            folder=folder or self.folder,
            witnesses=witnesses,
            is_new_origin=is_new_origin,
            monotonic_s=monotonic_s,
        )

    async def open_notary(self, desk: NotaryDesk, parts: NotaryParts | None = None) -> Notary:
        parts = parts or self.notary_parts()
        return await open_notary(parts, desk, parts.build_memory())

    async def notarise(self, parts: NotaryParts | None = None) -> None:
        """Take in everything there is, publish, and go home. The session of a killed notary ends a little after it."""
        async with asyncio.timeout(PATIENCE_S):
            while not await self._notarise_at_a_free_desk(parts):
                pass

    async def _notarise_at_a_free_desk(self, parts: NotaryParts | None) -> bool:
        async with notary_desk(self.url) as desk:
            if desk is not None:
                await drain(await self.open_notary(desk, parts))
            return desk is not None

    async def read_events(self) -> list[StoredEvent]:
        events: list[StoredEvent] = []
        while page := await self.store.read_log(after=events[-1].position if events else LogPosition(0), limit=5_000):
            events += page
        return events

    async def read_notes(self, origin: str = ORIGIN) -> list[bytes]:
        connection = await asyncpg.connect(self.url)
        try:
            return [row["note"].encode() for row in await connection.fetch(ALL_NOTES, origin)]
        finally:
            await connection.close()


async def drain(notary: Notary) -> None:
    while await notary.grow():
        pass
    await notary.publish()


@asynccontextmanager
async def open_rig(database: Database, folder: Path) -> AsyncIterator[Rig]:
    async with open_event_store(database.app_url) as store, build_app_pool(database.app_url) as pool:
        yield Rig(database.app_url, store, PostgresLedger(Queries(pool)), folder)


def roots_of(events: list[StoredEvent]) -> list[bytes]:
    """Compute the root at each size from the log alone, by other code than the notary's."""
    tree = GrowingTree()
    roots = [tree.root()]
    for event in events:
        leaf = build_leaf(
            bytes.fromhex(LEAF_KEY), stream=event.stream, version=StreamVersion(event.version), line=event.hash
        )
        tree.append(hash_leaf(leaf))
        roots.append(tree.root())
    return roots


def find_disagreements(notes: list[bytes], events: list[StoredEvent]) -> list[int]:
    """List the sizes at which something else was signed than what the log states."""
    roots = roots_of(events)
    checkpoints = [parse_signed_checkpoint(note).checkpoint for note in notes]
    return [checkpoint.tree_size for checkpoint in checkpoints if roots[checkpoint.tree_size] != checkpoint.root]
