"""The judgement on a run: a few that fail once are red by chance, and all else is red."""

import pytest

from tests.reruns import RERUNS_MAX, Outcome, describe, judge

A, B = "tests/test_a.py::test_a", "tests/test_b.py::test_b"


def outcome(*failed: str, exit_code: int = 1, faults: tuple[str, ...] = ()) -> Outcome:
    return Outcome(exit_code=exit_code, seed=1, failed=list(failed), faults=list(faults))


def green(_test: str) -> bool:
    return True


def red(_test: str) -> bool:
    return False


def test_a_green_run_is_green_and_runs_nothing_again() -> None:
    verdict = judge(outcome(exit_code=0), is_green_alone=red)

    assert (verdict.red, verdict.by_chance, describe(verdict)) == (None, (), "")


def test_tests_that_are_green_alone_are_red_by_chance_and_named_loudly() -> None:
    verdict = judge(outcome(A, B), is_green_alone=green)

    assert (verdict.red, verdict.by_chance) == (None, (A, B))
    assert f"RED BY CHANCE, mend its cause: {B}" in describe(verdict)


def test_a_test_that_fails_twice_is_red_and_the_chance_beside_it_named() -> None:
    verdict = judge(outcome(A, B), is_green_alone=lambda test: test == A)

    assert (verdict.red, verdict.by_chance) == (f"failed twice: {B}", (A,))
    assert describe(verdict).endswith(f"RED: failed twice: {B}")


def test_as_many_as_may_be_are_run_again_and_one_more_is_red() -> None:
    tests = [f"tests/test_a.py::test_{number}" for number in range(RERUNS_MAX + 1)]

    few, many = judge(outcome(*tests[1:]), is_green_alone=green), judge(outcome(*tests), is_green_alone=green)

    assert (few.red, len(few.by_chance)) == (None, RERUNS_MAX)
    assert (many.red, many.by_chance) == ("expected 3 failed tests at most, found 4", ())


@pytest.mark.parametrize(
    "ended",
    [
        outcome(A, faults=("a worker crashed: gw0",)),
        outcome(exit_code=0, faults=("cannot collect tests/test_a.py",)),
        outcome(exit_code=1),
        *(outcome(A, exit_code=code) for code in (2, 3, 4, 5)),
    ],
)
def test_a_crash_a_module_that_is_not_collected_and_a_run_without_an_end_are_red(ended: Outcome) -> None:
    verdict = judge(ended, is_green_alone=green)

    assert verdict.red is not None
    assert verdict.by_chance == ()
