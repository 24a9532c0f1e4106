"""The order of tests comes from a seed alone, and keeps modules together."""

from itertools import groupby
from operator import itemgetter

from tests.shuffle import shuffled

CASES = [(module, case) for module in "abcdefgh" for case in range(8)]
SEEDS = range(20)


def test_a_seed_draws_the_same_order_in_every_worker() -> None:
    once = [shuffled(CASES, itemgetter(0), seed=seed) for seed in SEEDS]

    again = [shuffled(iter(CASES), itemgetter(0), seed=seed) for seed in SEEDS]

    assert once == again
    assert len({tuple(order) for order in once}) == len(SEEDS)


def test_every_case_runs_once_and_beside_its_module() -> None:
    order = shuffled(CASES, itemgetter(0), seed=1)

    modules = [module for module, _ in groupby(order, itemgetter(0))]
    assert sorted(order) == CASES
    assert sorted(modules) == list("abcdefgh")
    assert modules != list("abcdefgh")
    assert [case for module, case in order if module == "a"] != list(range(8))
