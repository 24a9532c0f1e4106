"""Makes a failing run small: fewer faults, for shorter times, while the run still fails."""

from collections.abc import Callable, Iterator, Sequence

from msgspec.structs import replace

from simulate.world.faults import Fault
from simulate.world.world import Outcome

# So short a window hits a message or two.
SHORTEST_S = 0.2


def shrink(outcome: Outcome, run: Callable[[int, Sequence[Fault]], Outcome]) -> Outcome:
    """Return a run that fails at the same check, from which no fault can be taken, and none made half as long."""
    runs = (run(outcome.seed, faults) for faults in _list_smaller(outcome.faults))
    smaller = next((outcome_run for outcome_run in runs if outcome_run.checks & outcome.checks), None)
    return outcome if smaller is None else shrink(smaller, run)


def _list_smaller(faults: tuple[Fault, ...]) -> Iterator[tuple[Fault, ...]]:
    if len(faults) > 1:
        yield ()
    for place in range(len(faults)):
        yield faults[:place] + faults[place + 1 :]
    for place, fault in enumerate(faults):
        if fault.for_s > SHORTEST_S:
            shorter = replace(fault, for_s=round(max(SHORTEST_S, fault.for_s / 2), 1))
            yield (*faults[:place], shorter, *faults[place + 1 :])
