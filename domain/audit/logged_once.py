"""Whether the ledger has each line of a log once, and no line that the log has not: by all of its entries."""

from domain.audit.case import AnyLog
from domain.audit.findings import Held, Result, Unchecked, broken
from domain.audit.ledger import find_stranger
from domain.ledger.entry_reader import LedgerRead
from domain.ledger.leaf import Leaf, build_leaf
from domain.ledger.receipt import LEDGER_DELAY_S
from domain.log.record import parse_at

MS_PER_S = 1_000


def check_logged_once(case: AnyLog) -> Result:
    """Compare the leaves of this stream in the whole ledger with the lines of the log."""
    read = case.trust.read
    if read is None or case.opened is None or case.stream is None:
        return Unchecked(reason="the entries of the ledger were not read")
    misfit = find_stranger(case, read.signed)
    if misfit is not None:
        return misfit
    origin = read.signed.checkpoint.origin
    if origin != case.opened.ledger:
        return Unchecked(reason=f"the ledger that was read is {origin}, and the first line names {case.opened.ledger}")
    if read.unread is not None:
        return Unchecked(reason=read.unread)
    if read.refusal is not None:
        return broken(None, expected=f"the entries under a checkpoint of {origin}", found=read.refusal)
    leaves = read.leaves.get(case.stream, ())
    return _find_misfit(case, leaves) or _compare_ends(case, leaves, read)


def _find_misfit(case: AnyLog, leaves: tuple[Leaf, ...]) -> Result | None:
    assert case.opened is not None
    assert case.stream is not None
    leaf_key = bytes.fromhex(case.opened.leaf_key)
    for version, leaf in enumerate(leaves, start=1):
        if leaf.version != version:
            expected = f"line {version} as leaf {version} of this log in the ledger"
            return broken(leaf.version, expected=expected, found=f"line {leaf.version}")
        if version > len(case.lines):
            continue
        line = case.lines[version - 1]
        if build_leaf(leaf_key, stream=case.stream, version=line.version, line=line.hash) != leaf:
            return broken(version, expected="this line in the ledger", found="another line of this version")
    return None


def _compare_ends(case: AnyLog, leaves: tuple[Leaf, ...], read: LedgerRead) -> Result:
    count, size = len(case.lines), read.signed.checkpoint.tree_size
    if len(leaves) > count:
        if case.disclosed is not None:
            return broken(
                count, expected="the last line in the ledger too", found=f"{len(leaves) - count} further ones"
            )
        return Unchecked(reason=f"the ledger has {len(leaves) - count} further lines, which the file has not")
    if len(leaves) < count:
        line = case.lines[len(leaves)]
        if line.line is None:
            return Unchecked(reason=f"line {line.version} cannot be read")
        if is_overdue(line.line.at, read):
            expected = f"line {line.version} in the ledger, {LEDGER_DELAY_S} s after {line.line.at} at the latest"
            return broken(line.version, expected=expected, found=f"none under the checkpoint of {size} leaves")
        return Unchecked(reason=f"line {line.version} is not in the ledger yet")
    return Held(seen=f"{count} of {size} leaves")


def is_overdue(at: str, read: LedgerRead) -> bool:
    """Return whether a line of this time must have been in the ledger when its entries were read."""
    return parse_at(at) + LEDGER_DELAY_S * MS_PER_S < read.read_s * MS_PER_S
