"""The decision of a witness: whether a log's checkpoint extends the last one it saw (C2SP tlog-witness).

A fork, once proven, is remembered for ever: that log gets no further cosignature. The new memory is stored before
an answer is signed, and no other request of that log is decided in between.
"""

from enum import IntEnum
from typing import TypeAlias

import msgspec
from msgspec import Struct

from domain.ledger.add_checkpoint import AddCheckpoint, format_witness_size
from domain.ledger.broken_proof import BrokenProof
from domain.ledger.checkpoint import SignedCheckpoint
from domain.ledger.consistency import Consistency, check_consistency
from domain.ledger.fork import Fork, find_fork
from domain.ledger.note_key import NoteKey
from domain.ledger.signers import BadSignature, NoKnownSigner, check_signed
from domain.ledger.spelling import Misspelt


class WatchedLog(Struct, frozen=True, kw_only=True):
    """A log that the witness's owner wants watched; its origin states which memory is its own."""

    origin: str
    keys: tuple[NoteKey, ...]


class LogMemory(Struct, frozen=True, kw_only=True):
    """All that a witness remembers of one log: its latest cosigned checkpoint, and the fork it was caught in."""

    latest: SignedCheckpoint | None = None
    fork: Fork | None = None


class RefusedBecause(IntEnum):
    """Reasons, each with its HTTP status."""

    MALFORMED = 400
    UNSIGNED = 403
    UNKNOWN_LOG = 404
    OTHER_SIZE = 409
    NOT_AN_EXTENSION = 422


class Cosign(Struct, frozen=True):
    """Sign `cosigned_message(signed.note.text, time_s=now)` and answer with that line alone."""

    signed: SignedCheckpoint


class Refuse(Struct, frozen=True):
    reason: RefusedBecause
    # For OTHER_SIZE the latest size, which the log reads; otherwise a sentence for the operator of the log.
    body: bytes


Answer: TypeAlias = Cosign | Refuse


class Verdict(Struct, frozen=True):
    """The memory to store, then the answer to give."""

    memory: LogMemory
    answer: Answer


def refuse_malformed(error: Misspelt) -> Refuse:
    """Answer bytes that are no request."""
    return _refuse(RefusedBecause.MALFORMED, str(error))


def refuse_entries(reason: str) -> Refuse:
    """Answer a log whose entries are not what its checkpoint states, or state a thing twice."""
    return _refuse(RefusedBecause.NOT_AN_EXTENSION, reason)


def decide_cosigning(log: WatchedLog | None, memory: LogMemory, request: AddCheckpoint) -> Verdict:
    """Judge a request by the memory of its log; `log` is None where the witness does not know the origin."""
    checkpoint = request.signed.checkpoint
    if log is None or log.origin != checkpoint.origin:
        return Verdict(memory, _refuse(RefusedBecause.UNKNOWN_LOG, f"{checkpoint.origin} is not watched here"))
    try:
        signed = _by_log(request.signed, log)
    except (BadSignature, NoKnownSigner) as error:
        return Verdict(memory, _refuse(RefusedBecause.UNSIGNED, str(error)))
    if memory.fork is None and memory.latest is not None:
        memory = msgspec.structs.replace(memory, fork=find_fork(memory.latest, signed, path=request.path))
    refusal = _find_refusal(memory, request)
    if refusal is not None:
        return Verdict(memory, refusal)
    return Verdict(msgspec.structs.replace(memory, latest=signed), Cosign(signed))


def _by_log(signed: SignedCheckpoint, log: WatchedLog) -> SignedCheckpoint:
    """Keep the log's own signatures alone: those by others are not remembered."""
    signers = check_signed(signed.note, log.keys)
    names = {(signer.key.name, signer.key.key_id) for signer in signers}
    lines = tuple(line for line in signed.note.signatures if (line.name, line.key_id) in names)
    return msgspec.structs.replace(signed, note=msgspec.structs.replace(signed.note, signatures=lines))


def _find_refusal(memory: LogMemory, request: AddCheckpoint) -> Refuse | None:
    checkpoint, latest = request.signed.checkpoint, memory.latest
    latest_size = 0 if latest is None else latest.checkpoint.tree_size
    if request.old_size > checkpoint.tree_size:
        return _refuse(RefusedBecause.MALFORMED, f"old {request.old_size} is beyond {checkpoint.tree_size}")
    # A log that could try again gets its answer; after a fork there is nothing to try.
    if request.old_size != latest_size:
        return Refuse(RefusedBecause.OTHER_SIZE, format_witness_size(latest_size))
    if memory.fork is not None:
        return _refuse(RefusedBecause.NOT_AN_EXTENSION, f"{checkpoint.origin} has forked")
    proof = Consistency(old_size=request.old_size, new_size=checkpoint.tree_size, path=request.path)
    # Before the first checkpoint there is no root; the proof from size 0 is the empty path for all roots.
    old_root = checkpoint.root if latest is None else latest.checkpoint.root
    try:
        check_consistency(proof, old_root=old_root, new_root=checkpoint.root)
    except BrokenProof as error:
        return _refuse(RefusedBecause.NOT_AN_EXTENSION, str(error))
    return None


def _refuse(reason: RefusedBecause, sentence: str) -> Refuse:
    return Refuse(reason, f"{sentence}\n".encode(errors="replace"))
