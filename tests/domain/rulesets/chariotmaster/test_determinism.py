"""The same bytes in every process: under every seed of hash(), and on every Python that may run this."""

import sys

import pytest

from tests.domain.game.test_determinism import PROBE, find_interpreters, run
from tests.domain.rulesets.chariotmaster.random_races import digest

SEEDS = range(2)
RETELL = f"from tests.domain.rulesets.chariotmaster.random_races import digest; print(digest(range({len(SEEDS)})))"


@pytest.mark.parametrize("hash_seed", ["0", "4242"])
def test_another_process_with_another_hash_seed_writes_and_shows_the_same_bytes(hash_seed: str) -> None:
    assert run(sys.executable, RETELL, hash_seed=hash_seed) == (digest(SEEDS), True)


def test_every_python_that_is_here_writes_and_shows_the_same_bytes() -> None:
    able = [python for python in find_interpreters() if run(python, PROBE, hash_seed="0")[1]]

    told = {run(python, RETELL, hash_seed="0") for python in able}

    # The running Python alone is there where no other has the packages.
    assert told <= {(digest(SEEDS), True)}
