"""The form of a log: each line in its one spelling, each tied to the one before."""

from domain.audit.case import AnyLog
from domain.audit.findings import Held, Result, broken
from domain.log.record import BrokenChain, check_first, check_next


def check_form(case: AnyLog) -> Result:
    """Every line, also those after one that is refused; the first refused one is reported."""
    for line in case.lines:
        if line.line is None and line.refusal is not None:
            return broken(line.version, expected=line.refusal.expected, found=line.refusal.found)
    if case.ending_refusal is not None:
        found = case.ending_refusal.found
        return broken(max(1, len(case.lines)), expected=case.ending_refusal.expected, found=found)
    return Held(seen=f"{len(case.lines)} lines")


def check_chain(case: AnyLog) -> Result:
    """Each line against the bytes before it, independent of their meaning."""
    before = None
    for found in case.lines:
        if found.line is not None:
            try:
                if before is None:
                    check_first(found.line)
                elif before.line is not None:
                    check_next(found.line, before=before.line, head=before.hash)
            except BrokenChain as error:
                # The place in the file counts, not the versions that the lines before claim.
                return broken(found.version, expected=error.expected, found=error.found)
            # A line that cannot be read still has its hash.
            if before is not None and found.line.prev != before.hash:
                return broken(found.version, expected=f"prev {before.hash}", found=f"prev {found.line.prev}")
        before = found
    return Held(seen=f"{len(case.lines)} lines")
