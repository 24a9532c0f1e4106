"""Servers killed under load: a short run."""

from pathlib import Path

from simulate.kills.simulation import simulate_kills
from simulate.load.run import Run


async def test_servers_that_are_killed_lose_nothing(tmp_path: Path) -> None:
    killed: list[None] = []

    run = Run(3, 10, lambda: killed.append(None))
    outcome = await simulate_kills(tmp_path, run, servers=2, tables=1, seed=1)

    assert (outcome.kills, len(killed)) == (3, 3)
    # A busy machine finishes no game in the time; that is a shortfall and no violation.
    assert min(outcome.acknowledged, outcome.streams, outcome.checkpoints) > 0, outcome.told
    assert outcome.violations == ()
