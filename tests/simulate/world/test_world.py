"""The simulated installation: sound code has no violation, planted faults are found, a seed is the same run twice."""

import subprocess
import sys
from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from simulate.world.faults import Fault
from simulate.world.planted import PLANTED, planting
from simulate.world.shrinking import SHORTEST_S, shrink
from simulate.world.world import Outcome, run_world

# Some faults of each kind among them; `spina simulate world` runs thousands.
SEEDS = range(1, 9)
# The seed that found it last, of those with few lines; `docs/simulation.md` has all of them.
FOUND_BY = {"answer-before-commit": 5, "signed-before-stored": 1, "resumed-too-far": 3}


@pytest.mark.parametrize("seed", SEEDS)
def test_a_simulated_installation_keeps_its_promises(seed: int) -> None:
    outcome = run_world(seed)

    assert outcome.violations == ()
    assert outcome.lines > 0


def test_a_seed_is_the_same_run_in_every_process() -> None:
    program = "from simulate.world.world import run_world; print(run_world(3).digest)"

    other = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)  # noqa: S603  a program of this test

    assert other.stdout.strip() == run_world(3).digest


@pytest.mark.parametrize("name", FOUND_BY)
def test_a_planted_fault_is_found(name: str) -> None:
    with planting(name):
        outcome = run_world(FOUND_BY[name])

    assert f"check_{PLANTED[name].checker}" in outcome.checks


def test_a_failing_run_is_made_small() -> None:
    killed = Fault(kind="killed", node=0, from_s=4.0, for_s=2.0, share=1.0)
    harmless = replace(killed, kind="hints late")

    def run(seed: int, faults: Sequence[Fault]) -> Outcome:
        is_killed = any(fault.kind == "killed" for fault in faults)
        violations = ("check_answers: one is lost",) if is_killed else ("check_errors: of another kind",)
        return Outcome(seed=seed, faults=tuple(faults), violations=violations, digest="", lines=1, virtual_s=1.0)

    smallest = shrink(run(1, (harmless, killed, harmless)), run)

    assert smallest.checks == {"check_answers"}
    assert smallest.faults == (replace(killed, for_s=SHORTEST_S),)
