"""Forks: two checkpoints by one log of which one cannot be the other grown. The evidence needs no further trust."""

from collections.abc import Iterable

from msgspec import Struct

from domain.ledger.broken_proof import BrokenProof
from domain.ledger.checkpoint import SignedCheckpoint
from domain.ledger.consistency import fold_whole_path
from domain.ledger.note_key import NoteKey
from domain.ledger.signers import check_signed
from domain.ledger.spelling import HASH_SIZE

# Two kinds. Of the same size and with different roots: nothing else is needed. Of different sizes: a whole path (see
# consistency.py) that leads to the root of the larger one, and at the size of the smaller to another root than that
# one signed. A consistency proof that simply does not fit is no evidence, as every client may send one.


class Fork(Struct, frozen=True, kw_only=True):
    """Older and newer by size; `path` is empty if they are of the same size."""

    older: SignedCheckpoint
    newer: SignedCheckpoint
    path: tuple[bytes, ...]


def find_fork(seen: SignedCheckpoint, shown: SignedCheckpoint, *, path: tuple[bytes, ...]) -> Fork | None:
    """Build the evidence, if two checkpoints and perhaps a path to the larger one are such."""
    older, newer = sorted((seen, shown), key=lambda signed: signed.checkpoint.tree_size)
    same_size = older.checkpoint.tree_size == newer.checkpoint.tree_size
    fork = Fork(older=older, newer=newer, path=() if same_size else path)
    return fork if _contradicts(fork) else None


def check_fork(fork: Fork, keys: Iterable[NoteKey]) -> None:
    """Check that both were signed by the log and contradict each other; raises BrokenProof or why a note is refused."""
    log_keys = tuple(keys)
    for signed in (fork.older, fork.newer):
        check_signed(signed.note, log_keys)
    if not _contradicts(fork):
        raise BrokenProof(expected="two checkpoints that contradict each other", found="two that may both be true")


def _contradicts(fork: Fork) -> bool:
    older, newer = fork.older.checkpoint, fork.newer.checkpoint
    if older.origin != newer.origin or any(len(found) != HASH_SIZE for found in fork.path):
        return False
    if older.tree_size == newer.tree_size:
        return older.root != newer.root and not fork.path
    # Every tree grows out of the empty one.
    if not 0 < older.tree_size < newer.tree_size:
        return False
    try:
        old_root, new_root = fold_whole_path(fork.path, old_size=older.tree_size, new_size=newer.tree_size)
    except BrokenProof:
        return False
    return new_root == newer.root and old_root != older.root
