"""Timing side by side: candidates take turns in one run, so that a noisy machine is noisy for all of them."""

import gc
import time
from collections.abc import Callable, Mapping

from msgspec import Struct

# The best of so many rounds: the cost of the code on an undisturbed machine.
ROUNDS = 25


class Timed(Struct, frozen=True, kw_only=True):
    """The best time of one candidate, and its ratio to the first one named."""

    best_ms: float
    ratio: float


def time_side_by_side(candidates: Mapping[str, Callable[[], object]], *, rounds: int = ROUNDS) -> dict[str, Timed]:
    """Run every candidate once a round and keep the best of each."""
    best_s = dict.fromkeys(candidates, float("inf"))
    gc.collect()
    for _ in range(rounds):
        for name, run in candidates.items():
            started = time.perf_counter()
            run()
            best_s[name] = min(best_s[name], time.perf_counter() - started)
    first = next(iter(best_s.values()))
    return {name: Timed(best_ms=best * 1000, ratio=best / first) for name, best in best_s.items()}
