"""Keeps one notary at work however many processes run: whoever gets the lock is it, the others stand by and remember.

Nothing is signed before the stored ledger has been compared with everything that is known to have been signed.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import asyncpg
import httpx
import structlog
from msgspec import Struct, field

from domain.ledger.checkpoint import parse_signed_checkpoint
from domain.ledger.policy import PolicyWitness
from infra.checkpoint_file import CheckpointFile, CheckpointFileDamaged
from infra.ledger_keys import LogSigner
from infra.ledger_store import CheckpointRefused, HeadMoved, Ledger, NotaryDesk
from infra.postgres.connection import CONNECTION_LOST
from infra.postgres.ledger_store import notary_desk
from infra.store_faults import StoreUnavailable
from services.ledger.cosigning import Cosigning, ask_for_ever, fetch_latest
from services.ledger.leaves import BrokenLog
from services.ledger.notary import EventLog, Notary, NotarySources
from services.ledger.notary_state import NotaryState
from services.ledger.proofs import LedgerProofs
from services.ledger.signed_memory import OlderLedger, SignedMemory, signed_by_log_alone
from services.ledger.tree_check import LedgerDamaged, check_after_start, scrub
from services.workers.archivist import Archive, keep_archive
from services.workers.at_work import at_work

log = structlog.get_logger()

# An event is in the ledger about this much after its commit, and in a checkpoint a second later.
LOOK_EVERY_S = 0.2
# How long a notary that died is missed, and how often the others remember what it has published.
STAND_BY_S = 2.0
# What stops the ledger for good needs a person; asked again in case one has come.
REFUSED_PAUSE_S = 60.0

# What the world does: the next session begins from what is stored.
PASSING = (StoreUnavailable, HeadMoved, asyncpg.PostgresError, *CONNECTION_LOST)
# What must not be signed over.
REFUSED = (OlderLedger, LedgerDamaged, BrokenLog, CheckpointRefused, CheckpointFileDamaged)


class UnknownOrigin(Exception):
    """The name is not the one under which this database's ledger is known to the world."""

    def __init__(self, origin: str, *, known: list[str]) -> None:
        super().__init__(
            f"SPINA_ORIGIN is {origin}, but this database's ledger was published as {', '.join(known)}: whoever trusts "
            "that name would not trust this one. `spina serve --new-origin` begins a new log under the new name"
        )


class Office(Struct, frozen=True, kw_only=True):
    """What the notary of a process works with, whether or not it is its turn."""

    database_url: str
    log: EventLog
    ledger: Ledger
    signer: LogSigner
    # Where the checkpoint file is: beside the master key.
    folder: Path
    witnesses: tuple[PolicyWitness, ...] = ()
    # The origin may be one that this database has not published under.
    is_new_origin: bool = False
    # Without one, no proofs are kept with games, and no opening is witnessed.
    archive: Archive | None = None
    monotonic_s: Callable[[], float] = time.monotonic
    # What this process can tell of its notary.
    state: NotaryState = field(default_factory=NotaryState)

    def build_memory(self) -> SignedMemory:
        file = CheckpointFile(self.folder, self.signer.key)
        return SignedMemory(self.ledger, LedgerProofs(self.ledger), file)


async def check_not_older(office: Office) -> None:
    """Compare the stored ledger with what was signed, as far as this machine and its database know.

    Raises OlderLedger, UnknownOrigin, CheckpointFileDamaged.
    """
    known = await office.ledger.list_origins()
    if known and office.signer.origin not in known and not office.is_new_origin:
        raise UnknownOrigin(office.signer.origin, known=known)
    memory = office.build_memory()
    await memory.check_file()
    published = await office.ledger.find_checkpoint(office.signer.origin)
    if published is not None:
        await memory.check(parse_signed_checkpoint(published.note).checkpoint, source="its own list of checkpoints")


@asynccontextmanager
async def notary_at_work(office: Office) -> AsyncIterator[None]:
    """Keep the ledger while the block runs."""
    async with at_work(keep_ledger(office), name="notary"):
        yield


async def keep_ledger(office: Office, *, stand_by_s: float = STAND_BY_S) -> None:
    """Be the notary whenever nobody else is. Ends by being cancelled."""
    memory = office.build_memory()
    while True:
        pause_s = stand_by_s
        try:
            async with notary_desk(office.database_url) as desk:
                if desk is None:
                    await remember_published(office, memory)
                else:
                    await hold_office(office, desk, memory)
        except PASSING as fault:
            log.warning("notary_interrupted", reason=f"{type(fault).__name__}: {fault}")
        except REFUSED as refused:
            office.state.is_refusing = True
            log.error("notary_refused", origin=office.signer.origin, reason=str(refused))  # noqa: TRY400 - it says all
            pause_s = REFUSED_PAUSE_S
        except Exception:
            # The outermost loop: a bug of ours is told, and the next session begins from what is stored.
            log.exception("notary_failed", origin=office.signer.origin)
            pause_s = REFUSED_PAUSE_S
        finally:
            office.state.is_notary = False
        await asyncio.sleep(pause_s)


async def hold_office(office: Office, desk: NotaryDesk, memory: SignedMemory) -> None:
    """Be the notary until something goes wrong, and raise what."""
    async with httpx.AsyncClient() as client:
        cosigning = Cosigning(
            ledger=office.ledger, proofs=LedgerProofs(office.ledger), client=client, log_key=office.signer.key
        )
        asked = [witness for witness in office.witnesses if witness.url is not None]
        notary = await open_notary(office, desk, memory)
        await check_witnesses(cosigning, asked, memory)
        log.info("notary_started", origin=office.signer.origin, leaves=notary.head.tree_size)
        office.state.is_notary, office.state.is_refusing = True, False
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(scrub(office.ledger))
                if office.archive is not None:
                    tasks.create_task(keep_archive(office.archive))
                for witness in asked:
                    tasks.create_task(ask_for_ever(cosigning, witness))
                await _work(notary)
        except* Exception as group:  # noqa: BLE001 - raised again below, alone
            # Whatever came first has ended the others.
            raise group.exceptions[0] from None


async def check_witnesses(cosigning: Cosigning, witnesses: Sequence[PolicyWitness], memory: SignedMemory) -> None:
    """Compare the stored ledger with what witnesses have seen of it. Raises OlderLedger."""
    for witness in witnesses:
        seen = await fetch_latest(cosigning, witness)
        if seen is not None:
            await memory.check(seen, source=f"witness {witness.name}")


async def open_notary(office: Office, desk: NotaryDesk, memory: SignedMemory) -> Notary:
    """Check all that is stored and known, then take over from there."""
    await check_not_older(office)
    head = await office.ledger.read_head()
    sources = NotarySources(
        log=office.log,
        ledger=office.ledger,
        desk=desk,
        signer=office.signer,
        memory=memory,
        monotonic_s=office.monotonic_s,
    )
    notary = Notary(sources, head, published=await office.ledger.find_checkpoint(office.signer.origin))
    await check_after_start(office.ledger, head)
    return notary


async def remember_published(office: Office, memory: SignedMemory) -> None:
    """Keep beside the key what the notary elsewhere has published: this machine may be the next one."""
    published = await office.ledger.find_checkpoint(office.signer.origin)
    if published is None:
        return
    await memory.remember(signed_by_log_alone(parse_signed_checkpoint(published.note), office.signer.key))
    office.state.is_refusing = False


async def _work(notary: Notary) -> None:
    while True:
        count = await notary.step()
        if count == 0:
            await asyncio.sleep(LOOK_EVERY_S)
