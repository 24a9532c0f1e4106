"""The Go program, built on this machine, and its answers kept for machines without Go (`vectors.json`).

Run as a module, it asks the program again and writes them.
"""

import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import pytest
from msgspec import Struct

from tests.absence import GO_NOT_RUN
from tests.clients.go.fixed_ledger import LOG_VKEY, WITNESS_KEY, Answer, build_dialogue, build_files, hold, serving

SOURCES = Path(__file__).parents[3] / "clients" / "go"
VECTORS = Path(__file__).parent / "vectors.json"
BUILD = Path(__file__).parents[3] / ".build" / "go"
# A cold cache compiles the HTTP package of Go's library as well.
BUILD_TIMEOUT_S = 300
READ_TIMEOUT_S = 60


class Vectors(Struct, frozen=True, kw_only=True):
    """`program` is the hash of its sources, so that answers of an older one are noticed."""

    program: str
    go: str
    read: dict[str, str | int]
    witness: tuple[Answer, ...]


class Verdict(Struct, frozen=True, kw_only=True):
    """The program's word on a bundle."""

    file: str
    broken: dict[str, str]


class GoFailed(Exception):
    """The program refused, with its own words."""


def hash_sources() -> str:
    return sha256(b"".join(path.read_bytes() for path in sorted(SOURCES.glob("*.go")))).hexdigest()


@cache
def build_program() -> Path:
    """Build the program, or skip the test and state so at the end of the run."""
    go = shutil.which("go")
    if go is None:
        pytest.skip(f"{GO_NOT_RUN}: this machine has no Go (Debian: apt-get install golang-go); vectors.json was read")
    BUILD.mkdir(parents=True, exist_ok=True)
    program = BUILD / f"spina-ledger-{hash_sources()[:16]}"
    if not program.exists():
        with TemporaryDirectory(dir=BUILD) as temporary:
            compile_program(go, Path(temporary) / "built")
            (Path(temporary) / "built").replace(program)
    return program


def compile_program(go: str, place: Path) -> None:
    """Compile with the x/mod that every Go release has among the sources of its own command: no network is needed."""
    root = subprocess.run([go, "env", "GOROOT"], capture_output=True, text=True, check=True).stdout.strip()  # noqa: S603  the compiler
    workspace = place.parent / "workspace"
    (workspace / "src").mkdir(parents=True)
    (workspace / "src" / "golang.org").symlink_to(Path(root) / "src" / "cmd" / "vendor" / "golang.org")
    subprocess.run(  # noqa: S603  the compiler, with our own sources
        [go, "build", "-o", place, "."],
        cwd=SOURCES,
        env=os.environ | {"GO111MODULE": "off", "GOPATH": str(workspace), "GOCACHE": str(BUILD / "cache")},
        check=True,
        timeout=BUILD_TIMEOUT_S,
    )


def read_log(url: str, *arguments: str, vkey: str = LOG_VKEY) -> dict[str, str | int]:
    """Let the program read a log. Raises GoFailed."""
    return msgspec.json.decode(run_program("read", "-log", url, "-vkey", vkey, *arguments), type=dict[str, str | int])


def check_bundles(vkey: str, files: Sequence[Path]) -> dict[str, dict[str, str]]:
    """Let the program check games; of each file, the checks that do not hold and why. Raises GoFailed."""
    said = run_program("check", "-vkey", vkey, *map(str, files))
    return {verdict.file: verdict.broken for verdict in msgspec.json.decode(said, type=list[Verdict])}


def run_program(*arguments: str) -> str:
    done = subprocess.run(  # noqa: S603  the program under test
        [build_program(), *arguments], capture_output=True, text=True, check=False, timeout=READ_TIMEOUT_S
    )
    if done.returncode != 0:
        raise GoFailed(done.stderr)
    return done.stdout


@contextmanager
def witnessing(folder: Path, *, vkey: str = LOG_VKEY, key: str = WITNESS_KEY) -> Iterator[str]:
    """Run the program as a witness, and yield its address."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "witness.key").write_text(key)
    program = subprocess.Popen(  # noqa: S603  the program under test
        [build_program(), "witness", "-vkey", vkey, "-key", folder / "witness.key", "-state", folder],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert program.stdout is not None
        yield program.stdout.readline().removeprefix("witness at ").strip()
    finally:
        program.kill()
        program.communicate()


def ask_program(folder: Path) -> Vectors:
    """Ask the program everything that the vectors hold."""
    with serving(build_files()) as url:
        read = read_log(url)
    with witnessing(folder) as url:
        answers = tuple(hold(url, step) for step in build_dialogue())
    version = subprocess.run(["go", "version"], capture_output=True, text=True, check=True).stdout  # noqa: S607  the compiler
    return Vectors(program=hash_sources(), go=version.strip(), read=read, witness=answers)


def main() -> None:
    with TemporaryDirectory() as folder:
        VECTORS.write_bytes(msgspec.json.format(msgspec.json.encode(ask_program(Path(folder))), indent=1) + b"\n")


if __name__ == "__main__":
    main()
