"""The same bytes in every process: under every seed of hash(), and on every Python that may run this."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.domain.game.random_play import digest

ROOT = Path(__file__).parents[3]
SEEDS = range(12)
OLDEST = (3, 11)
RETELL = f"from tests.domain.game.random_play import digest; print(digest(range({len(SEEDS)})))"
# Prints the version of an interpreter, and fails where it lacks a module of the domain.
PROBE = "import sys; print(*sys.version_info[:2]); import msgspec, cryptography"
TIMEOUT_S = 60


def run(python: str, code: str, *, hash_seed: str) -> tuple[str, bool]:
    """Return the output of the code, and whether it ran to its end."""
    ran = subprocess.run(  # noqa: S603 # interpreters of this machine, code from above
        [python, "-c", code],
        env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    return ran.stdout.strip(), ran.returncode == 0


def find_interpreters() -> list[str]:
    """Return the other Pythons on the path and beside the running one."""
    # Of a path that was inherited some folders may be closed to this user: nothing can be run from there.
    folders = [Path(folder) for folder in os.get_exec_path() if os.access(folder, os.R_OK | os.X_OK)]
    on_path = [path for folder in folders for path in folder.glob("python3.[0-9]*")]
    siblings = Path(sys.base_prefix).resolve().parent.glob("*/bin/python3")
    return [str(sibling) for sibling in (*on_path, *sorted(siblings)) if is_candidate(sibling)]


def is_candidate(python: Path) -> bool:
    """Return whether it can be run, and is no version that its own or its folder's name states is too old."""
    named = re.search(r"3\.(\d+)", python.name) or re.search(r"^3\.(\d+)", python.parents[1].name)
    is_new = named is None or int(named[1]) >= OLDEST[1]
    return is_new and "-" not in python.name and os.access(python, os.X_OK)


@pytest.mark.parametrize("hash_seed", ["0", "1", "4242"])
def test_another_process_with_another_hash_seed_writes_the_same_bytes(hash_seed: str) -> None:
    assert run(sys.executable, RETELL, hash_seed=hash_seed) == (digest(SEEDS), True)


def test_every_python_that_is_here_writes_the_same_bytes(capsys: pytest.CaptureFixture[str]) -> None:
    running = (sys.version_info.major, sys.version_info.minor)
    compared: dict[tuple[int, ...], str] = {running: digest(SEEDS)}
    unable: set[tuple[int, ...]] = set()
    for python in find_interpreters():
        said, is_able = run(python, PROBE, hash_seed="0")
        version = tuple(map(int, said.split()[:2]))
        if version < OLDEST or version in compared:
            continue
        if is_able:
            compared[version], _ = run(python, RETELL, hash_seed="0")
        else:
            unable.add(version)

    # A machine may have one Python alone, or others without msgspec: the output must show which were asked.
    with capsys.disabled():
        sys.stdout.write(f"\nsame bytes asked of Python {sorted(compared)}, unable {sorted(unable - set(compared))}\n")
    assert set(compared.values()) == {digest(SEEDS)}
