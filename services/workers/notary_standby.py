"""The notary as a process stands by for it: one session signs, the others remember its published checkpoints.

Nothing is signed before the stored ledger has been compared with every known signed checkpoint.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from pathlib import Path

import httpx2
from msgspec import Struct

from domain.ledger.checkpoint import parse_signed_checkpoint
from domain.ledger.policy import PolicyWitness
from infra.checkpoint_file import CheckpointFile, CheckpointFileDamaged
from infra.ledger_keys import LogSigner
from infra.ledger_store import CheckpointRefused, Ledger, NotaryDesk
from services.ledger.cosigning import LOOK_EVERY_S, Cosigning, ask_for_ever, fetch_latest
from services.ledger.leaves import BrokenLog
from services.ledger.notary import EventLog, Notary, NotarySources
from services.ledger.proofs import LedgerProofs
from services.ledger.signed_memory import OlderLedger, SignedMemory, signed_by_log_alone
from services.ledger.tree_check import LedgerDamaged, check_after_start, scrub
from services.workers.kinds import NOTARY
from services.workers.standby import Step, Worker

# A stored ledger that must not be signed over.
REFUSED = (OlderLedger, LedgerDamaged, BrokenLog, CheckpointRefused, CheckpointFileDamaged)


class UnknownOrigin(Exception):
    """The name is not the one under which this database's ledger is known to the world."""

    def __init__(self, origin: str, *, known: list[str]) -> None:
        super().__init__(
            f"SPINA_ORIGIN is {origin}, but this database's ledger was published as {', '.join(known)}: a verifier "
            "that trusts that name does not trust this one. `spina serve --new-origin` begins a new log under the new "
            "name"
        )


class NotaryParts(Struct, frozen=True, kw_only=True):
    """The parts of a process that its notary works with, acting or standing by."""

    # Yields None while another session is the notary.
    open_desk: Callable[[], AbstractAsyncContextManager[NotaryDesk | None]]
    log: EventLog
    ledger: Ledger
    signer: LogSigner
    # Where the checkpoint file is: beside the master key.
    folder: Path
    witnesses: tuple[PolicyWitness, ...] = ()
    ask_every_s: float = LOOK_EVERY_S
    # The origin may be one that this database has not published under.
    is_new_origin: bool = False
    monotonic_s: Callable[[], float] = time.monotonic
    # Asks the witnesses.
    build_client: Callable[[], httpx2.AsyncClient] = httpx2.AsyncClient

    def build_memory(self) -> SignedMemory:
        file = CheckpointFile(self.folder, self.signer.key)
        return SignedMemory(self.ledger, LedgerProofs(self.ledger), file)


async def check_not_older(parts: NotaryParts) -> None:
    """Compare the stored ledger with the signed checkpoints that this machine and its database know.

    Raises OlderLedger, UnknownOrigin, CheckpointFileDamaged.
    """
    known = await parts.ledger.list_origins()
    if known and parts.signer.origin not in known and not parts.is_new_origin:
        raise UnknownOrigin(parts.signer.origin, known=known)
    memory = parts.build_memory()
    await memory.check_file()
    published = await parts.ledger.find_checkpoint(parts.signer.origin)
    if published is not None:
        await memory.check(parse_signed_checkpoint(published.note).checkpoint, source="its own list of checkpoints")


def build_notary(parts: NotaryParts) -> Worker:
    return Worker(name=NOTARY.name, open=partial(_open_session, parts, parts.build_memory()), refusals=REFUSED)


@asynccontextmanager
async def _open_session(parts: NotaryParts, memory: SignedMemory) -> AsyncIterator[Step | None]:
    async with parts.open_desk() as desk:
        if desk is None:
            await remember_published(parts, memory)
            yield None
            return
        try:
            async with parts.build_client() as client, asyncio.TaskGroup() as tasks:
                proofs = LedgerProofs(parts.ledger)
                cosigning = Cosigning(
                    ledger=parts.ledger,
                    proofs=proofs,
                    client=client,
                    log_key=parts.signer.key,
                    ask_every_s=parts.ask_every_s,
                )
                asked = [witness for witness in parts.witnesses if witness.url is not None]
                notary = await open_notary(parts, desk, memory)
                await check_witnesses(cosigning, asked, memory)
                tasks.create_task(scrub(parts.ledger))
                for witness in asked:
                    tasks.create_task(ask_for_ever(cosigning, witness))
                yield notary.step
        except* Exception as group:  # noqa: BLE001 - raised again below, alone
            # The first exception has ended the other tasks.
            raise group.exceptions[0] from None


async def check_witnesses(cosigning: Cosigning, witnesses: Sequence[PolicyWitness], memory: SignedMemory) -> None:
    """Compare the stored ledger with the checkpoints that witnesses have seen. Raises OlderLedger."""
    for witness in witnesses:
        seen = await fetch_latest(cosigning, witness)
        if seen is not None:
            await memory.check(seen, source=f"witness {witness.name}")


async def open_notary(parts: NotaryParts, desk: NotaryDesk, memory: SignedMemory) -> Notary:
    """Check all that is stored and known, then take over from there."""
    await check_not_older(parts)
    head = await parts.ledger.read_head()
    sources = NotarySources(
        log=parts.log, ledger=parts.ledger, desk=desk, signer=parts.signer, memory=memory, monotonic_s=parts.monotonic_s
    )
    notary = Notary(sources, head, published=await parts.ledger.find_checkpoint(parts.signer.origin))
    await check_after_start(parts.ledger, head)
    return notary


async def remember_published(parts: NotaryParts, memory: SignedMemory) -> None:
    """Keep beside the key the checkpoints of a notary elsewhere: this machine may be the next one."""
    published = await parts.ledger.find_checkpoint(parts.signer.origin)
    if published is None:
        return
    await memory.remember(signed_by_log_alone(parse_signed_checkpoint(published.note), parts.signer.key))
