"""Biome, the formatter and linter of the browser's code, as `make check` and `make format` run it.

    python -m tests.services.web.biome ci --error-on-warnings
    python -m tests.services.web.biome check --write

`biome.json` at the root has the rules; `docs/decisions/pages.md` has the reason of each exception.
"""

import os
import platform
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.services.web.npm_packages import Package, PackageUnavailable, installed

ROOT = Path(__file__).parents[3]
VERSION = "2.6.8"
# One program for each kind of machine, without any dependency.
PROGRAMS = {
    ("Linux", "x86_64"): Package(
        name="@biomejs/cli-linux-x64",
        version=VERSION,
        sha512="XIk3pLQT56I6Tti+u0DF8FtSNXjCMTPbxVTzfJ9cS2t1ImVKvrqV5b52GuEaJg6/wuiXvz0sjfb5saB4TPRjzA==",
    ),
    ("Linux", "aarch64"): Package(
        name="@biomejs/cli-linux-arm64",
        version=VERSION,
        sha512="0Bjim8lKwnrvXUHoI4k3Tb51BjoiLEwDnovCI8nSzkk6wj3dShiuAjrx6+X0Hjf4ejR1sRZgTQiSDHlpy9vB7w==",
    ),
}
TIMEOUT_S = 120


def run(arguments: Sequence[str], root: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run Biome below a `biome.json`. Raises PackageUnavailable where this machine has none."""
    machine = (platform.system(), platform.machine())
    if machine not in PROGRAMS:
        raise PackageUnavailable(f"expected Biome for one of {sorted(PROGRAMS)}, found {machine}")
    program = installed(PROGRAMS[machine]) / "biome"
    program.chmod(0o755)
    # Biome writes escapes of colours into a pipe too, unless it is told not to.
    command = [str(program), *arguments, "--colors=off"]
    return subprocess.run(command, check=False, cwd=root, capture_output=True, text=True, timeout=TIMEOUT_S)  # noqa: S603  a pinned program and this project's own arguments


def main() -> int:
    try:
        done = run(sys.argv[1:])
    except PackageUnavailable as missing:
        print(f"the browser's code was not looked at: {missing}")  # noqa: T201  its output is its purpose
        return 1 if os.environ.get("CI") else 0
    print(done.stdout, done.stderr, sep="")  # noqa: T201  its output is its purpose
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
