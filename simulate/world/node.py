"""One node of the simulated installation: the parts of a server process, over wires that break.

The write path, the hub and the workers are those of the product. Clients call `serving` on it in place of the API.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from contextvars import Context, copy_context
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import httpx2
from msgspec import Struct

from domain.ledger.checkpoint import Checkpoint, SignedCheckpoint
from domain.ruleset.catalogue import Catalogue
from domain.rulesets.released import KITS
from domain.sentences.words import Words
from infra.checkpoint_file import CheckpointFile
from infra.keys import MasterKey
from infra.ledger_keys import LogSigner, derive_log_signer
from infra.postgres.appender import Appender
from infra.ruleset_files import read_words
from projections.released import PROJECTIONS
from services.audits.bundles import Bundles
from services.commands.arena import Arena
from services.commands.tournaments import Tournaments
from services.commands.vault import Vault
from services.ledger.proofs import LedgerProofs
from services.ledger.public_ledger import PublicLedger, build_policy
from services.ledger.signed_memory import SignedMemory
from services.live.hub import Hub, Limits, running_hub
from services.live.steps import StepSources
from services.notices.composing import Composer
from services.notices.finding import NoticeFinder
from services.notices.senders import SenderTerms
from services.notices.ways import WayVault
from services.reading.histories import GameHistories
from services.reading.tournaments.histories import TournamentHistories
from services.workers.archivist import ArchivistSources, build_archivist
from services.workers.notary_standby import NotaryParts, build_notary
from services.workers.notifier import NotifierSources, build_notifier
from services.workers.projector import ProjectorSources, build_projector
from services.workers.standby import Pace, Worker, standing_by
from services.workers.steward import StewardSources
from services.workers.steward_sources import build_steward, listing_lapsing, listing_running, listing_unfinished
from services.workers.timekeeper import build_timekeeper
from simulate.world.database import Remote, SimulatedDatabase, Wire, connect_to
from simulate.world.hints import Channel, NodeHints
from simulate.world.loop import HOST, Host
from simulate.world.mailbox import Mailbox

KEY = MasterKey(sha256(b"the master key of simulations").digest())
ORIGIN = "simulated.example/log"
SIGNER: LogSigner = derive_log_signer(KEY, ORIGIN)
WAY_VAULT = WayVault(KEY)
NOON_MS = 1_795_003_200_000
# Shorter than a server's, so that it runs out in some runs.
PATIENCE_S = 4.0
PACE = Pace(look_every_s=0.8, stand_by_s=1.2)
LIMITS = Limits(look_s=2.0, retry_s=0.5)


class MemoryCheckpointFile(CheckpointFile):
    """The file beside the key, on a disk that every node of the simulation has by itself."""

    def __init__(self, count_stored: Callable[[], int]) -> None:
        super().__init__(Path("simulated"), SIGNER.key)
        self.content: SignedCheckpoint | None = None
        # For the checkers: everything that stood in it, and whether signed before its leaves were stored.
        self.signed: list[Checkpoint] = []
        self.is_ahead = False
        self._count_stored = count_stored

    def read(self) -> SignedCheckpoint | None:
        return self.content

    def replace(self, signed: SignedCheckpoint, *, expected: SignedCheckpoint | None) -> bool:
        if self.content != expected:
            return False
        self.content = signed
        self.signed.append(signed.checkpoint)
        self.is_ahead = self.is_ahead or signed.checkpoint.tree_size > self._count_stored()
        return True


class SimulatedNotary(NotaryParts, frozen=True, kw_only=True):
    file: MemoryCheckpointFile

    def build_memory(self) -> SignedMemory:
        return SignedMemory(self.ledger, LedgerProofs(self.ledger), self.file)


class Parts(Struct, frozen=True, kw_only=True):
    """The parts of a node that runs, as clients ask them."""

    arena: Arena
    tournaments: Tournaments
    histories: GameHistories
    tournament_histories: TournamentHistories
    hub: Hub
    bundles: Bundles
    now_ms: Callable[[], int]


class Node:
    """A machine: it may run several times, one run after the other. Its disk has the checkpoint file."""

    def __init__(self, number: int, *, installation: "Installation") -> None:
        self.number = number
        self.file = MemoryCheckpointFile(lambda: len(installation.database.ledger.entries))
        self.offset_ms = 0
        self.parts: Parts | None = None
        self.host: Host | None = None
        self._installation = installation
        self._task: asyncio.Task[None] | None = None
        self._context: Context | None = None
        self._runs = 0

    @property
    def is_running(self) -> bool:
        return self.parts is not None

    def now_ms(self) -> int:
        return NOON_MS + round(asyncio.get_running_loop().time() * 1000) + self.offset_ms

    def start(self) -> None:
        if self.host is not None:
            return
        self._runs += 1
        self.host = Host(f"node {self.number}, run {self._runs}")
        self._context = copy_context()
        self._context.run(HOST.set, self.host)
        self._task = asyncio.get_running_loop().create_task(self._run(), context=self._context)

    def kill(self) -> None:
        """End the process at once, in the middle of a wait."""
        if self.host is not None:
            self.host.is_dead = True
            self._installation.lose_sessions(self.number)
        self._forget()

    async def stop(self) -> None:
        """Ask the process to end, and wait for it."""
        task = self._task
        if task is not None and self.parts is not None:
            self.parts.hub.stop()
            task.cancel()
            await asyncio.wait([task], timeout=5.0)
        self.kill()

    def call(self, work: Callable[[Parts], Awaitable[Any]]) -> "asyncio.Task[Any] | None":
        """Carry a request out in this node's process, if one runs."""
        if self.parts is None or self._context is None:
            return None
        task = asyncio.get_running_loop().create_task(_carry_out(work, self.parts), context=self._context.copy())
        # Its client may have left.
        task.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
        return task

    def _forget(self) -> None:
        self.parts, self.host, self._task = None, None, None
        self._installation.channel.ends.pop(self.number, None)

    async def _run(self) -> None:
        async with running_parts(self, self._installation) as parts:
            self.parts = parts
            await asyncio.Event().wait()


async def _carry_out(work: Callable[[Parts], Awaitable[Any]], parts: Parts) -> Any:
    return await work(parts)


class Installation(Struct, frozen=True, kw_only=True):
    """The parts that all nodes share. `lose_sessions` has the database notice the end of a node's process."""

    database: SimulatedDatabase
    channel: Channel
    catalogue: Catalogue
    open_wire: Callable[[int], Wire]
    lose_sessions: Callable[[int], None]
    numbers: Random
    mailbox: Mailbox


@asynccontextmanager
async def running_parts(node: Node, installation: Installation) -> AsyncIterator[Parts]:
    """Build the parts of one process in the order of the product, and run its hub and workers."""
    database, wire = installation.database, installation.open_wire(node.number)
    async with AsyncExitStack() as stack:
        appender = await stack.enter_async_context(
            Appender("", patience_s=PATIENCE_S, connect=connect_to(wire, database))
        )
        store: Any = Remote(wire, database.log)
        store.append = appender.append
        hints, vault, catalogue = NodeHints(node.number, installation.channel), Vault(KEY), installation.catalogue
        arena = Arena(store=store, announcer=hints, catalogue=catalogue, vault=vault)
        tournaments = Tournaments(store=store, announcer=hints, catalogue=catalogue, vault=vault)
        histories = GameHistories(store=store, catalogue=catalogue, vault=vault)
        hub = await stack.enter_async_context(
            running_hub(StepSources(histories=histories, store=store), hints, now_ms=node.now_ms, limits=LIMITS)
        )
        arena.on_written = hub.note_written
        ledger: Any = Remote(wire, database.ledger)
        public = PublicLedger(ledger=ledger, proofs=LedgerProofs(ledger), policy=build_policy(SIGNER, None))
        bundles = Bundles(store=store, kept=Remote(wire, database.kept), ledger=public)  # type: ignore[arg-type]  # a kept-proofs store in memory
        parts = Parts(
            arena=arena,
            tournaments=tournaments,
            histories=histories,
            tournament_histories=TournamentHistories(store),
            hub=hub,
            bundles=bundles,
            now_ms=node.now_ms,
        )
        workers = build_simulated_workers(node, installation, wire, parts, public)
        await stack.enter_async_context(standing_by(workers, _beat, PACE))
        yield parts


def build_simulated_workers(
    node: Node, installation: Installation, wire: Wire, parts: Parts, public: PublicLedger
) -> list[Worker]:
    """Build the workers of the product, each with sessions of the simulated database."""
    database, store = installation.database, parts.bundles.store

    @asynccontextmanager
    async def open_locked(name: str, desk: Any) -> AsyncIterator[Any]:
        async with wire.session() as session:
            has_lock = await Remote(wire, database, session).try_lock(session, name)
            yield Remote(wire, desk, session) if has_lock else None

    @asynccontextmanager
    async def open_lock(name: str) -> AsyncIterator[Callable[[], Awaitable[None]] | None]:
        async with open_locked(name, database) as held:
            yield None if held is None else held.is_there

    @asynccontextmanager
    async def open_desk() -> AsyncIterator[Any]:
        async with wire.session() as session:
            yield Remote(wire, database.desk_of(session), session)

    notary = SimulatedNotary(
        open_desk=partial(open_locked, "notary", database.ledger),
        log=store,
        ledger=public.ledger,
        signer=SIGNER,
        folder=Path("simulated"),
        monotonic_s=asyncio.get_running_loop().time,
        build_client=build_no_client,
        file=node.file,
    )
    return [
        build_notary(notary),
        build_archivist(build_archivist_sources(parts, public), partial(open_lock, "archivist")),
        build_timekeeper(parts.arena, partial(open_locked, "timekeeper", database.book), node.now_ms),
        build_steward(build_steward_sources(installation, wire, parts), partial(open_lock, "steward")),
        build_notifier(
            build_notifier_sources(installation, wire, parts), partial(open_locked, "notifier", database.notices)
        ),
        *build_projector(ProjectorSources(log=store, open_desk=open_desk, projections=PROJECTIONS)),
    ]


def build_archivist_sources(parts: Parts, public: PublicLedger) -> ArchivistSources:
    return ArchivistSources(
        kept=parts.bundles.kept,
        ledger=public,
        command=parts.arena.handle,
        command_tournament=parts.tournaments.handle,
        now_ms=parts.now_ms,
    )


def build_steward_sources(installation: Installation, wire: Wire, parts: Parts) -> StewardSources:
    projections: Any = Remote(wire, installation.database.projections)
    return StewardSources(
        tournaments=parts.tournaments,
        arena=parts.arena,
        store=parts.bundles.store,
        list_running=listing_running(projections, parts.now_ms),
        list_unfinished=listing_unfinished(projections, parts.now_ms),
        list_lapsing=listing_lapsing(projections, parts.now_ms),
        now_ms=parts.now_ms,
        random_bytes=installation.numbers.randbytes,
    )


def build_notifier_sources(installation: Installation, wire: Wire, parts: Parts) -> NotifierSources:
    notices: Any = Remote(wire, installation.database.notices)
    return NotifierSources(
        log=parts.bundles.store,
        build_finder=partial(NoticeFinder, parts.histories, parts.tournament_histories),
        composer=Composer(parts.histories, parts.arena.load, parts.tournament_histories, load_words()),
        outbox=notices,
        ways=notices,
        senders=SenderTerms(vault=WAY_VAULT),
        now_ms=parts.now_ms,
        open_senders=installation.mailbox.open,
    )


@cache
def load_words() -> Mapping[str, Words]:
    return {kit.name: read_words(kit) for kit in KITS}


def build_no_client() -> httpx2.AsyncClient:
    """Build a client of witnesses for a ledger that asks none."""
    return httpx2.AsyncClient(transport=httpx2.MockTransport(lambda _: httpx2.Response(503)), trust_env=False)


async def _beat(_worker: str) -> None:
    """Heartbeats are of the operator's page."""
