"""Whether the ledger over a log and the one its reader saw at another time are one ledger that only grew."""

from domain.audit.bundle import SINCE
from domain.audit.case import AnyLog
from domain.audit.findings import Held, Result, Unchecked, broken
from domain.audit.ledger import find_stranger, read_last
from domain.ledger.add_checkpoint import AddCheckpoint, parse_add_checkpoint
from domain.ledger.broken_proof import BrokenProof
from domain.ledger.checkpoint import Checkpoint
from domain.ledger.consistency import Consistency, check_consistency
from domain.ledger.spelling import Misspelt


def check_growth(case: AnyLog) -> Result:
    """Check that the smaller of two checkpoints, the bundle's and the one seen before, begins the larger."""
    if case.seen is None:
        return Unchecked(reason="no other checkpoint was given to compare with")
    proof = read_last(case)
    if isinstance(proof, Unchecked):
        return proof
    misfit = find_stranger(case, case.seen)
    if misfit is not None:
        return misfit
    seen, own = case.seen.checkpoint, proof.signed.checkpoint
    if seen.origin != own.origin:
        return broken(None, expected=f"a ledger named {seen.origin}, as the one seen before", found=own.origin)
    older, newer = sorted((seen, own), key=lambda checkpoint: checkpoint.tree_size)
    if older.tree_size == newer.tree_size:
        return _same_size(seen, own)
    return _extends(case, older, newer)


def _same_size(seen: Checkpoint, own: Checkpoint) -> Result:
    if seen.root != own.root:
        expected = f"the root {seen.root.hex()} that was seen with {seen.tree_size} leaves"
        return broken(None, expected=expected, found=own.root.hex())
    return Held(seen=f"the same {own.tree_size} leaves")


def _extends(case: AnyLog, older: Checkpoint, newer: Checkpoint) -> Result:
    wanted = f"from {older.tree_size} leaves to {newer.tree_size}"
    if older.tree_size == 0:
        return Held(seen="an empty ledger before, out of which every ledger grows")
    if case.bundle.since is None:
        return Unchecked(reason=f"the bundle has no {SINCE} that leads {wanted}")
    try:
        request = parse_add_checkpoint(case.bundle.since)
        _check_ends(request, older, newer)
        path = Consistency(old_size=older.tree_size, new_size=newer.tree_size, path=request.path)
        check_consistency(path, old_root=older.root, new_root=newer.root)
    except (Misspelt, BrokenProof) as error:
        return broken(None, expected=error.expected, found=error.found)
    return Held(seen=wanted)


def _check_ends(request: AddCheckpoint, older: Checkpoint, newer: Checkpoint) -> None:
    found = request.signed.checkpoint
    if (request.old_size, found) != (older.tree_size, newer):
        raise BrokenProof(
            expected=f"a proof from {older.tree_size} leaves to {newer.tree_size} with root {newer.root.hex()}",
            found=f"one from {request.old_size} to {found.tree_size} with root {found.root.hex()}",
        )
