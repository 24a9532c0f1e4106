"""A witness: cosigns a checkpoint that extends the last one it saw, once it has read every entry under it.

A log that forked is refused for ever, and one that has a line twice as long as it has. The memory is stored before an
answer, and one log is decided about one request at a time.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

import structlog
from msgspec import Struct

from domain.ledger.add_checkpoint import AddCheckpoint
from domain.ledger.checkpoint import Checkpoint, SignedCheckpoint
from domain.ledger.note import NoteSignature
from domain.ledger.witness import Answer, Cosign, LogMemory, WatchedLog, decide_cosigning, refuse_entries
from infra.ledger_keys import WitnessSigner
from infra.witness_files import WitnessFiles, hash_origin

log = structlog.get_logger()


class Watcher(Struct, frozen=True, kw_only=True):
    """Judges the checkpoints of logs by its memory of them."""

    logs: Sequence[WatchedLog]
    files: WitnessFiles

    def find_log(self, origin: str) -> WatchedLog | None:
        return next((log for log in self.logs if log.origin == origin), None)

    def find_origin(self, origin_hash: str) -> str | None:
        return next((log.origin for log in self.logs if hash_origin(log.origin) == origin_hash), None)

    def recall(self, origin: str) -> LogMemory:
        return self.files.read_memory(hash_origin(origin))

    def foresee(self, request: AddCheckpoint) -> Answer:
        """Judge a request by the memory, and remember nothing of it."""
        origin = request.signed.checkpoint.origin
        watched = self.find_log(origin)
        memory = LogMemory() if watched is None else self.recall(origin)
        return decide_cosigning(watched, memory, request).answer

    def decide(self, request: AddCheckpoint) -> Answer:
        """Judge a request by the memory, and store the new memory before answering."""
        origin = request.signed.checkpoint.origin
        watched = self.find_log(origin)
        if watched is None:
            # No file for made-up names.
            return decide_cosigning(None, LogMemory(), request).answer
        name = hash_origin(origin)
        with self.files.held(name):
            memory = self.files.read_memory(name)
            verdict = decide_cosigning(watched, memory, request)
            if verdict.memory != memory:
                self.files.store_memory(name, verdict.memory)
        if verdict.memory.fork is not None:
            log.error("log_has_forked", origin=origin, evidence=str(self.files.evidence_path(name)))
        return verdict.answer


class Witness(Watcher, frozen=True, kw_only=True):
    """A watcher that signs its judgement."""

    signer: WitnessSigner
    now_s: Callable[[], int]

    def cosign(self, signed: SignedCheckpoint) -> NoteSignature:
        return self.signer.cosign(signed.note.text, time_s=self.now_s())


class EntriesRefused(Exception):
    """The entries of a log are not those of its checkpoint, or one is out of turn: no cosignature."""


class EntriesUnread(Exception):
    """The entries of a log cannot be read now: nothing speaks against them, and nothing for them."""


class Entries(Protocol):
    """The entries of the log that is watched."""

    async def check_entries(self, checkpoint: Checkpoint) -> None:
        """Read every entry up to a checkpoint, or raise EntriesRefused or EntriesUnread."""


async def judge(watcher: Watcher, log: Entries, request: AddCheckpoint) -> Answer:
    """Decide about a request; the entries that it would cosign are read first. Raises EntriesUnread."""
    answer = watcher.foresee(request)
    if isinstance(answer, Cosign):
        try:
            await log.check_entries(request.signed.checkpoint)
        except EntriesRefused as refused:
            return refuse_entries(str(refused))
    return watcher.decide(request)
