"""The same bytes in every process: whatever the seed of hash(), and on every Python that may run this."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.domain.game.random_play import digest

ROOT = Path(__file__).parents[3]
SEEDS = range(12)
OLDEST = (3, 11)
RETELL = f"from tests.domain.game.random_play import digest; print(digest(range({len(SEEDS)})))"
# What an interpreter needs in order to run the domain; it also says which version it is.
PROBE = "import sys, msgspec, cryptography; print(*sys.version_info[:2])"
TIMEOUT_S = 60


def run(python: str, code: str, *, hash_seed: str) -> str | None:
    """Return what the code prints, or None where this interpreter cannot run it."""
    ran = subprocess.run(  # noqa: S603 # interpreters of this machine, code from above
        [python, "-c", code],
        env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    return ran.stdout.strip() if ran.returncode == 0 else None


def find_interpreters() -> list[str]:
    """Return the other Pythons on the path and beside the running one, of a version that is new enough."""
    minors = range(OLDEST[1], OLDEST[1] + 10)
    on_path = [shutil.which(f"python3.{minor}") for minor in minors]
    siblings = sorted(Path(sys.base_prefix).resolve().parent.glob("*/bin/python3"))
    return [*filter(None, on_path), *map(str, siblings)]


@pytest.mark.parametrize("hash_seed", ["0", "1", "4242"])
def test_another_process_with_another_hash_seed_writes_the_same_bytes(hash_seed: str) -> None:
    assert run(sys.executable, RETELL, hash_seed=hash_seed) == digest(SEEDS)


def test_every_python_that_is_here_writes_the_same_bytes(capsys: pytest.CaptureFixture[str]) -> None:
    expected, compared, unable = digest(SEEDS), [f"3.{sys.version_info.minor}"], []
    for python in find_interpreters():
        version = run(python, PROBE, hash_seed="0")
        if version is None:
            unable.append(python)
            continue
        name = version.replace(" ", ".")
        if name not in compared and tuple(map(int, version.split())) >= OLDEST:
            assert run(python, RETELL, hash_seed="0") == expected, python
            compared.append(name)

    # A machine may have one Python alone, or others without msgspec: whoever reads the run must see which were asked.
    with capsys.disabled():
        sys.stdout.write(f"\nthe same bytes: Python {', '.join(compared)}; could not run: {len(unable)} others\n")
    assert compared
