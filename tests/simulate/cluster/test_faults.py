"""The waits of the simulated faults end: a cluster that does not heal is a violation, and no run without an end."""

import pytest

from simulate.cluster.checking import check
from simulate.cluster.faults import Journal, NotHealed
from simulate.cluster.simulation import Outcome
from tests.simulate.cluster.test_checking import FIRST, JOURNAL, SECOND, stored


async def test_play_that_does_not_go_on_is_told() -> None:
    with pytest.raises(NotHealed, match="expected an acknowledged command within 0 s, found none"):
        await Journal().wait_for_command(0.0, within_s=0.0)


def test_a_run_that_stopped_does_not_hold() -> None:
    checked = check(stored(FIRST, SECOND), JOURNAL)

    assert Outcome(faults=[], checked=checked, audit=0).is_held
    assert not Outcome(faults=[], checked=checked, audit=0, stopped="expected a new primary").is_held
