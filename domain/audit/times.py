"""The log's times against those of the witnesses, who have clocks of their own."""

from collections.abc import Callable

from domain.audit.case import AnyLog
from domain.audit.findings import Broken, Held, Result, Unchecked, broken
from domain.audit.ledger import find_entry, judge_last, judge_opening
from domain.game.events import SeatTaken
from domain.ledger.policy import Sighting, Standing, has_quorum
from domain.log.entry import Entry
from domain.log.record import parse_at
from domain.tournament.events import EntrantEntered

# A clock that is set by the network is within a second of the others, and a cosignature counts whole seconds.
CLOCKS_APART_S = 5
MS_PER_S = 1_000


def check_times(case: AnyLog) -> Result:
    """Check that a line is no younger than a cosignature over it, and a seat no older than that of a witnessed opening.

    Of the witnesses whose times allow it, as many must be left as the reader asks for.
    """
    last = judge_last(case)
    if not isinstance(last, Standing):
        return last if isinstance(last, Unchecked) else Unchecked(reason="the checkpoint is not signed as it says")
    if not case.entries:
        return Unchecked(reason="no line can be read")
    entry = case.entries[-1]
    at_s = parse_at(entry.line.at) // MS_PER_S
    misfit = _find_misfit(case, last, entry, lambda each: each.time_s + CLOCKS_APART_S >= at_s, "no later than")
    return misfit or _check_opening(case) or Held(seen=f"the times of {len(last.sightings)} witnesses")


def _check_opening(case: AnyLog) -> Result | None:
    opening, taken = judge_opening(case), find_entry(case, SeatTaken, EntrantEntered)
    if not isinstance(opening, Standing) or taken is None:
        return None
    at_s = parse_at(taken.line.at) // MS_PER_S
    return _find_misfit(case, opening, taken, lambda each: each.time_s - CLOCKS_APART_S <= at_s, "no earlier than")


def _find_misfit(
    case: AnyLog, standing: Standing, entry: Entry, allows: Callable[[Sighting], bool], bound: str
) -> Broken | None:
    assert case.policy is not None, "a standing is by a policy"
    if not standing.has_quorum or has_quorum(
        case.policy, {sighting.witness for sighting in standing.sightings if allows(sighting)}
    ):
        return None
    seen = ", ".join(f"{sighting.witness} {sighting.time_s} s" for sighting in standing.sightings)
    return broken(entry.line.version, expected=f"a time {bound} that of the witnesses: {seen}", found=entry.line.at)
