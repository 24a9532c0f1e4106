"""Biome, the formatter and linter of the browser's code, as `make check` and `make format` run it.

    python -m tests.services.web.biome ci --error-on-warnings
    python -m tests.services.web.biome check --write

`biome.json` at the root has the rules; `docs/decisions/pages.md` has the reason of each exception.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

from tests.services.web.npm_packages import Package
from tests.services.web.npm_programs import ROOT, Program, Run, report, run_program

VERSION = "2.6.8"
BIOME = Program(
    name="Biome",
    path="biome",
    packages={
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
    },
)


def run(arguments: Sequence[str], root: Path = ROOT) -> Run:
    """Run Biome below a `biome.json`. Raises PackageUnavailable where this machine has none."""
    # Biome writes escapes of colours into a pipe too, unless they are turned off.
    return run_program(BIOME, [*arguments, "--colors=off"], root)


if __name__ == "__main__":
    sys.exit(report(lambda: run(sys.argv[1:])))
