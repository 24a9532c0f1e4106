"""The clock of the game: no seat answered too late or was run out of time too early.

Where the server was away, it gave that time back to all alike.
"""

from domain.audit.case import Case
from domain.audit.deadlines import is_timed
from domain.audit.findings import Held, Result, Unchecked, broken
from domain.game.events import ClockExpired, ClockExtended, PauseEnded


def check_clocks(case: Case) -> Result:
    """Check each answer, expiry and time given back against the clocks that the lines before it make."""
    judged = case.walk.judged
    timed = returned = 0
    for entry in case.entries:
        event, version = entry.event, entry.line.version
        if not is_timed(entry):
            continue
        if case.opened is not None and case.opened.clock is None:
            if isinstance(event, ClockExpired | ClockExtended | PauseEnded):
                return broken(version, expected="nothing by a clock that the game has not", found=entry.line.type)
            continue
        if version not in judged:
            return Unchecked(reason=f"how the game stood at line {version} cannot be told")
        misfit = judged[version]
        if misfit is not None:
            return misfit
        if isinstance(event, ClockExtended):
            returned += event.ms
        elif not isinstance(event, PauseEnded):
            timed += 1
    seen = f"{timed} answers and expiries"
    return Held(seen=f"{seen}, {returned} ms of the server's absence given back" if returned else seen)
