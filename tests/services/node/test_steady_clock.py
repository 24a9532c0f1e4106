"""The clock of a process: it counts on when the machine's clock is set, follows it slowly, and never goes back."""

import time

import pytest
from structlog.testing import capture_logs

from services.node.probes import clock_probe
from services.node.steady_clock import SLEW, SteadyClock

NOON_S = 1_900_000_000
HOUR_S = 3_600


class Machine:
    """A machine's clock, which can be set, and its counter, which cannot."""

    def __init__(self) -> None:
        self.clock_s = float(NOON_S)
        self.count_s = 7.0

    def build_clock(self) -> SteadyClock:
        return SteadyClock(lambda: round(self.clock_s * 1e9), lambda: round(self.count_s * 1e9))

    def wait(self, seconds: float) -> None:
        self.clock_s += seconds
        self.count_s += seconds


def test_a_clock_begins_with_the_machines_time_and_goes_with_it() -> None:
    machine = Machine()
    clock = machine.build_clock()

    machine.wait(60)

    assert clock.now_ms() == (NOON_S + 60) * 1000


@pytest.mark.parametrize("step_s", [HOUR_S, -HOUR_S])
def test_a_step_of_the_machines_clock_is_not_followed_at_once(step_s: int) -> None:
    machine = Machine()
    clock = machine.build_clock()

    machine.clock_s += step_s
    at_once_ms = clock.now_ms()
    machine.wait(10)

    assert at_once_ms == NOON_S * 1000
    assert abs(clock.now_ms() - (NOON_S + 10) * 1000) == 10 * 1000 // SLEW


@pytest.mark.parametrize("step_s", [0.3, -0.3])
def test_a_small_step_is_made_up_within_a_minute_and_without_going_back(step_s: float) -> None:
    machine = Machine()
    clock = machine.build_clock()
    machine.clock_s += step_s

    shown = []
    for _ in range(60):
        machine.wait(1)
        shown.append(clock.now_ms())

    assert shown == sorted(shown)
    assert shown[-1] == round(machine.clock_s * 1000)


def test_a_machine_that_slept_was_away_for_as_long() -> None:
    machine = Machine()
    clock = machine.build_clock()

    # Its counter counts on meanwhile.
    machine.wait(HOUR_S)

    assert clock.now_ms() == (NOON_S + HOUR_S) * 1000


@pytest.mark.parametrize(("step_s", "told"), [(HOUR_S, "3600 s ahead of"), (-HOUR_S, "3600 s behind")])
async def test_health_and_the_log_tell_of_a_step_until_it_is_undone(step_s: int, told: str) -> None:
    machine = Machine()
    clock = machine.build_clock()
    probe = clock_probe(clock)
    with capture_logs() as logged:
        before = await probe()
        machine.clock_s += step_s
        stepped = [await probe(), await probe()]
        machine.clock_s -= step_s
        after = await probe()

    assert (before.status, after.status) == ("ok", "ok")
    assert all(told in check.found for check in stepped)
    assert [(record["event"], record["ahead_s"]) for record in logged] == [("machine_clock_was_set", step_s)]


def test_the_machines_own_clock_and_counter_go_together() -> None:
    clock = SteadyClock()

    assert abs(clock.now_ms() - time.time_ns() // 1_000_000) < 1_000
    assert not clock.is_apart
