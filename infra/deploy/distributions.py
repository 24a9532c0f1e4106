"""The distributions of the last commit, of server and client: `python -m infra.deploy.distributions FOLDER`.

The same files and the same time make the same bytes: order, modes, owners and times follow from them alone.
"""

import gzip
import io
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from infra.version import VERSION

NAME = f"spina-{VERSION}"
CLIENT = Path("clients", "python")
PIP_TIMEOUT_S = 120.0
FILE_MODE, PROGRAM_MODE, UMASK = 0o644, 0o755, 0o022
# Zip files know no earlier year than 1980.
EPOCH_MIN = 315_532_800


def pip(*arguments: str | Path, epoch: int = EPOCH_MIN) -> None:
    """Run pip without the settings and the package index of this machine."""
    command = [sys.executable, "-I", "-m", "pip", "--isolated", *map(str, arguments)]
    environment = os.environ | {"SOURCE_DATE_EPOCH": str(epoch)}
    subprocess.run(  # noqa: S603  our own arguments
        command, check=True, capture_output=True, timeout=PIP_TIMEOUT_S, env=environment, umask=UMASK
    )


def build_wheel(root: Path, files: Iterable[Path], folder: Path, *, epoch: int = EPOCH_MIN) -> Path:
    """Build the wheel of a project from copies of its files: a build leaves others beside its sources."""
    with TemporaryDirectory() as place:
        source, made = Path(place) / "source", Path(place) / "made"
        for file in files:
            copy = source / file.relative_to(root)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, copy)
            copy.chmod(_mode_of(file))
        pip("wheel", "--no-index", "--no-deps", "--no-build-isolation", "--wheel-dir", made, source, epoch=epoch)
        (built,) = made.glob("*.whl")
        return Path(shutil.move(built, folder / built.name))


def build_sdist(root: Path, files: Iterable[Path], wheel: Path, *, epoch: int = EPOCH_MIN) -> Path:
    """Pack the files of the project, with the metadata of its wheel, beside that."""
    metadata = zipfile.ZipFile(wheel).read(f"{NAME}.dist-info/METADATA")
    contents = {file.relative_to(root).as_posix(): (_mode_of(file), file.read_bytes()) for file in files}
    contents["PKG-INFO"] = FILE_MODE, metadata
    path = wheel.parent / f"{NAME}.tar.gz"
    path.write_bytes(pack_archive(NAME, contents, epoch=epoch))
    return path


def pack_archive(top: str, contents: Mapping[str, tuple[int, bytes]], *, epoch: int) -> bytes:
    """Pack files, each with its mode, into a tarball below one folder."""
    raw = io.BytesIO()
    with (
        gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=epoch) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive,
    ):
        for name, (mode, text) in sorted(contents.items()):
            entry = tarfile.TarInfo(f"{top}/{name}")
            entry.size, entry.mode, entry.mtime = len(text), mode, epoch
            archive.addfile(entry, io.BytesIO(text))
    return raw.getvalue()


def _mode_of(file: Path) -> int:
    return PROGRAM_MODE if os.access(file, os.X_OK) else FILE_MODE


def _git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], check=True, capture_output=True, text=True).stdout  # noqa: S603, S607  the developer's git


def main() -> None:
    if len(sys.argv) != 2:  # noqa: PLR2004  the program's own name and the folder
        sys.exit("expected the folder to make, as in: python -m infra.deploy.distributions dist")
    folder = Path(sys.argv[1])
    if changed := _git("status", "--porcelain"):
        sys.exit(f"expected every change to be committed, found\n{changed}")
    if folder.exists():
        sys.exit(f"expected no folder {folder}, found one: remove it first")
    folder.mkdir(parents=True)
    epoch = int(_git("log", "-1", "--format=%ct"))
    files = [Path(name) for name in _git("ls-files", "-z").split("\0") if name]
    wheel = build_wheel(Path(), files, folder, epoch=epoch)
    sdist = build_sdist(Path(), files, wheel, epoch=epoch)
    client = build_wheel(CLIENT, [file for file in files if file.is_relative_to(CLIENT)], folder, epoch=epoch)
    sys.stdout.write(f"{wheel}\n{sdist}\n{client}\n")


if __name__ == "__main__":
    main()
