"""The judgement on a run: a few failed tests are run once more alone, and those green then are red by chance.

As a plugin of pytest it writes the outcome of a run; `python -m tests.reruns OUTCOME LIST` judges it, and keeps the
list. A worker that crashed and a module that cannot be collected are never chance.
"""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from msgspec import Struct

# More of them at once are no chance, but a fault or a machine that cannot judge.
RERUNS_MAX = 3
RERUN = (sys.executable, "-m", "pytest", "-q", "-n", "0")


class Outcome(Struct, kw_only=True):
    """How a run ended: pytest's exit code, the tests that failed, and faults that are of no test."""

    exit_code: int
    seed: int
    failed: list[str]
    faults: list[str]


class Verdict(Struct, frozen=True, kw_only=True):
    """The end of it: green, or red for a reason; the tests that were red by chance stand in either."""

    red: str | None
    by_chance: tuple[str, ...] = ()


def judge(outcome: Outcome, *, is_green_alone: Callable[[str], bool]) -> Verdict:
    """Run a few failed tests again, each alone."""
    failed = outcome.failed
    if outcome.faults:
        return Verdict(red="; ".join(outcome.faults))
    if outcome.exit_code == pytest.ExitCode.OK:
        return Verdict(red=None)
    if outcome.exit_code != pytest.ExitCode.TESTS_FAILED or not failed:
        return Verdict(red=f"expected a run to its end, found pytest's exit code {outcome.exit_code}")
    if len(failed) > RERUNS_MAX:
        return Verdict(red=f"expected {RERUNS_MAX} failed tests at most, found {len(failed)}")
    by_chance = tuple(test for test in failed if is_green_alone(test))
    twice = [test for test in failed if test not in by_chance]
    return Verdict(red=f"failed twice: {', '.join(twice)}" if twice else None, by_chance=by_chance)


def describe(verdict: Verdict) -> str:
    """Word the verdict for the log of a run."""
    lines = [f"RED BY CHANCE, mend its cause: {test}" for test in verdict.by_chance]
    return "\n".join(["!" * 80, *lines, "!" * 80] * bool(lines) + ([f"RED: {verdict.red}"] * bool(verdict.red)))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--outcome", type=Path, required=True, help="the file that gets the outcome of the run")


def pytest_configure(config: pytest.Config) -> None:
    # Workers report to the process that owns the run.
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Recorder(config.getoption("--outcome")))


class Recorder:
    """Takes down failures as they are reported."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._outcome = Outcome(exit_code=0, seed=0, failed=[], faults=[])

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and report.nodeid not in self._outcome.failed:
            self._outcome.failed.append(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self._outcome.faults.append(f"cannot collect {report.nodeid}")

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: object, error: object) -> None:
        if error:
            self._outcome.faults.append(f"a worker crashed: {node}: {error}")

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        self._outcome.exit_code = int(exitstatus)
        self._outcome.seed = session.config.getoption("--seed")
        self._file.parent.mkdir(exist_ok=True)
        self._file.write_bytes(msgspec.json.encode(self._outcome))


def main() -> None:
    outcome_file, list_file = map(Path, sys.argv[1:])
    outcome = msgspec.json.decode(outcome_file.read_bytes(), type=Outcome)
    verdict = judge(outcome, is_green_alone=_is_green_alone)
    with list_file.open("a") as kept:
        kept.writelines(f"{test} --seed {outcome.seed}\n" for test in verdict.by_chance)
    sys.stdout.write(f"{describe(verdict)}\n")
    sys.exit(verdict.red is not None)


def _is_green_alone(test: str) -> bool:
    return subprocess.run([*RERUN, test], check=False).returncode == 0  # noqa: S603  our own tests


if __name__ == "__main__":
    main()
