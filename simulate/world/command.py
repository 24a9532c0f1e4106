"""`spina simulate world`: many runs of a simulated installation, and the smallest form of the first that fails."""

import gc
from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from typing import Annotated

import typer

from services.terminal.printing import say

First = Annotated[int, typer.Option("--first", min=0, help="The first seed.")]
Seeds = Annotated[int, typer.Option("--seeds", min=1, max=1_000_000, help="How many seeds, one after the other.")]
Planted = Annotated[str | None, typer.Option("--planted", help="A fault to be planted into the code, or all.")]
# A sign of life on standard error.
TOLD_EVERY = 100


def simulate_world(first: First = 1, seeds: Seeds = 100, planted: Planted = None) -> None:
    """Run whole installations in one process: nodes, workers, players and readers, and all that goes wrong for them.

    The exit code is 1 where a run fails; the same seed and commit fail again in the same way.

    Example: spina simulate world --seeds 1000 --first 1
    """
    from simulate.world.planted import PLANTED, planting
    from simulate.world.shrinking import shrink
    from simulate.world.world import load_rulesets, run_world

    if planted == "all":
        tell_planted(range(first, first + seeds))
        return
    if planted is not None and planted not in PLANTED:
        raise typer.BadParameter(f"expected a fault out of {', '.join(PLANTED)}, found {planted}")
    lines = 0
    load_rulesets()
    # Rules and code stay: the collector need not look at them in every run.
    gc.freeze()
    with nullcontext() if planted is None else planting(planted):
        for seed in range(first, first + seeds):
            outcome = run_world(seed)
            lines += outcome.lines
            if outcome.violations:
                is_same = run_world(seed) == outcome
                say(
                    f"seed {seed} fails, {'and again in the same way' if is_same else 'but NOT again in the same way'}:"
                )
                tell(outcome.violations)
                smallest = shrink(outcome, run_world)
                say(f"with {len(smallest.faults)} of its {len(outcome.faults)} faults:")
                tell(map(str, smallest.faults))
                tell(smallest.violations)
                raise typer.Exit(1)
            if (seed - first + 1) % TOLD_EVERY == 0:
                say(f"{seed - first + 1} of {seeds} seeds, {lines} lines", err=True)
    say(f"seeds {first} to {first + seeds - 1}: no violation, {lines} lines of logs")


def tell_planted(seeds: Sequence[int]) -> None:
    """Print the first seed at which the checker of each planted fault finds it: the table of the document."""
    from simulate.world.planted import PLANTED, planting
    from simulate.world.world import run_world

    is_missed = False
    for name, fault in PLANTED.items():
        with planting(name):
            seed = next((seed for seed in seeds if f"check_{fault.checker}" in run_world(seed).checks), None)
        is_missed = is_missed or seed is None
        say(f"| `{name}` | {fault.mistake} | {seed or 'none'} | {fault.checker} |")
    if is_missed:
        raise typer.Exit(1)


def tell(sentences: Iterable[str]) -> None:
    for sentence in sentences:
        say(f"  {sentence}")
