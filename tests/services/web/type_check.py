"""The type check of the browser's code by TypeScript's native compiler, as `make check` runs it.

    python -m tests.services.web.type_check

The types of the API are made from its OpenAPI document into `.build/types`; those of the pages stand in
`services/web/types`, beside the two configurations: service workers have other globals than pages.
"""

import sys
from functools import partial
from pathlib import Path

from tests.services.web.api_types import describe_types
from tests.services.web.npm_packages import Package
from tests.services.web.npm_programs import ROOT, Program, Run, report, run_program

VERSION = "7.0.2"
TYPESCRIPT = Program(
    name="TypeScript",
    path="lib/tsc",
    packages={
        ("Linux", "x86_64"): Package(
            name="@typescript/typescript-linux-x64",
            version=VERSION,
            sha512="EYdf2cNg7rgCWJnxCdJ+F3V39O8ihb37eHAu1LK8oAFizgTQbPOK7zHHXbPt8rX24COqODXeI3sIf0fCXG7H/A==",
        ),
        ("Linux", "aarch64"): Package(
            name="@typescript/typescript-linux-arm64",
            version=VERSION,
            sha512="Qh4eU4/y3yDjnfjjyPYihMj5/ODIlmt+Bzu17OI+fiSRDW57QmU5SiN63exPRNJPKUzcc1INa1NXdrJ+MqHjUQ==",
        ),
    },
)
CONFIGURATIONS = ("tsconfig.json", "tsconfig.worker.json")


def run(configuration: str, root: Path = ROOT) -> Run:
    """Check the sources of one configuration below a root. Raises PackageUnavailable where this machine has none."""
    return run_program(TYPESCRIPT, ["-p", f"services/web/types/{configuration}", "--pretty", "false"], root)


def write_api_types(root: Path = ROOT) -> None:
    folder = root / ".build" / "types"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "api.d.ts").write_text(describe_types(), encoding="utf-8")


if __name__ == "__main__":
    write_api_types()
    sys.exit(max(report(partial(run, name)) for name in CONFIGURATIONS))
