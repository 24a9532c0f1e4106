"""The order of tests: drawn from a printed seed, so that a test which leans on the ones before it is found out.

Tests of one module stay together, as they share what the module made once.
"""

from collections.abc import Callable, Hashable, Iterable
from itertools import chain
from random import Random
from typing import TypeVar

Case = TypeVar("Case")
SEEDS = 2**32


def draw_seed() -> int:
    return Random().randrange(SEEDS)  # noqa: S311  an order is no secret


def shuffled(cases: Iterable[Case], module_of: Callable[[Case], Hashable], *, seed: int) -> list[Case]:
    """Return the modules in an order of the seed, and the cases of each as well."""
    modules: dict[Hashable, list[Case]] = {}
    for case in cases:
        modules.setdefault(module_of(case), []).append(case)
    random = Random(seed)  # noqa: S311  the same
    order = list(modules.values())
    random.shuffle(order)
    for module in order:
        random.shuffle(module)
    return list(chain.from_iterable(order))
