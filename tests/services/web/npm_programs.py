"""Native programs of the npm registry that `make check` runs: one package for each kind of machine."""

import os
import platform
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from tests.services.web.npm_packages import Package, PackageUnavailable, installed

ROOT = Path(__file__).parents[3]
TIMEOUT_S = 120
Run = subprocess.CompletedProcess[str]


class Program(Struct, frozen=True, kw_only=True):
    name: str
    # In its package.
    path: str
    packages: Mapping[tuple[str, str], Package]


def run_program(program: Program, arguments: Sequence[str], root: Path) -> Run:
    """Run a program in the folder. Raises PackageUnavailable where this machine has none."""
    machine = (platform.system(), platform.machine())
    if machine not in program.packages:
        raise PackageUnavailable(f"expected {program.name} for one of {sorted(program.packages)}, found {machine}")
    path = installed(program.packages[machine]) / program.path
    path.chmod(0o755)
    command = [str(path), *arguments]
    return subprocess.run(command, check=False, cwd=root, capture_output=True, text=True, timeout=TIMEOUT_S)  # noqa: S603  a pinned program and this project's own arguments


def report(check: Callable[[], Run]) -> int:
    """Print the output of a check and return its status; without the program, only CI fails."""
    try:
        done = check()
    except PackageUnavailable as missing:
        print(f"the browser's code was not looked at: {missing}")  # noqa: T201  its output is its purpose
        return 1 if os.environ.get("CI") else 0
    print(done.stdout, done.stderr, sep="", end="")  # noqa: T201  its output is its purpose
    return done.returncode
