"""The type check of the browser's code by TypeScript's native compiler, as `make check` runs it.

    python -m tests.services.web.type_check

Types of the API are made from its OpenAPI document into `.build/types`. Service workers have other globals than pages,
and the client for programs (`clients/js`) those alone that pages share with Node.
"""

import re
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
PAGES, STRICT, WORKER, CLIENT = CONFIGURATIONS = (
    "services/web/types/tsconfig.json",
    "services/web/types/tsconfig.strict.json",
    "services/web/types/tsconfig.worker.json",
    "clients/js/tsconfig.json",
)
# Here a value may be null without a word of it. The list only gets shorter.
WITHOUT_NULLS = ("game/", "organiser/", "rulesets/", "tournament/")


def run(configuration: str, root: Path = ROOT) -> Run:
    """Check the sources of one configuration below a root. Raises PackageUnavailable where this machine has none."""
    ended = run_program(TYPESCRIPT, ["-p", configuration, "--pretty", "false"], root)
    if configuration != STRICT:
        return ended
    # The compiler follows imports into all rooms; an error's first line begins with its file, the others with a blank.
    errors = re.split(r"\n(?! )", ended.stdout.strip())
    kept = [error for error in errors if not error.startswith(tuple(f"services/web/{room}" for room in WITHOUT_NULLS))]
    said = "".join(f"{error}\n" for error in kept if error)
    return Run(ended.args, returncode=1 if said else 0, stdout=said, stderr=ended.stderr)


def write_api_types(root: Path = ROOT) -> None:
    folder = root / ".build" / "types"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "api.d.ts").write_text(describe_types(), encoding="utf-8")


if __name__ == "__main__":
    write_api_types()
    sys.exit(max(report(partial(run, name)) for name in CONFIGURATIONS))
