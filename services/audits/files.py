"""Files of strangers: found, and read within limits, whole or piece by piece."""

import os
from collections.abc import Sequence
from pathlib import Path


class StoredFile:
    """The bytes of a file that may be larger than memory, read piece by piece, in any process."""

    def __init__(self, path: Path, *, size_max: int) -> None:
        """Raise OSError for a larger file, and for one that is not regular: a pipe can be read but once."""
        if not path.is_file():
            raise OSError(f"expected a file at {path}, found none")
        self._path = path
        self._begun = path.stat()
        check_size(path, self._begun.st_size, size_max)

    def __len__(self) -> int:
        return self._begun.st_size

    def __getitem__(self, piece: slice) -> bytes:
        """Return the bytes, or raise OSError where the file was changed meanwhile: pieces of two are no file."""
        start, stop, _ = piece.indices(len(self))
        size = max(0, stop - start)
        with self._path.open("rb", buffering=0) as file:
            file.seek(start)
            raw = file.read(size)
            found = os.fstat(file.fileno())
        if len(raw) < size or not os.path.samestat(found, self._begun) or found.st_mtime_ns != self._begun.st_mtime_ns:
            raise OSError(f"expected {self._path.name} as it was when its reading began, found it changed")
        return raw


def find_files(paths: Sequence[Path]) -> list[Path]:
    """List the given files, and every zip below the given folders."""
    found = [file for path in paths for file in (sorted(path.rglob("*.zip")) if path.is_dir() else [path])]
    return list(dict.fromkeys(found))


def read_file(path: Path, *, size_max: int) -> bytes:
    """Read a file of at most so many bytes. Raises OSError, before anything is read of a larger one."""
    check_size(path, path.stat().st_size, size_max)
    with path.open("rb") as file:
        # A pipe has no size.
        raw = file.read(size_max + 1)
    if len(raw) > size_max:
        raise OSError(f"expected at most {size_max} bytes in {path.name}, found more")
    return raw


def check_size(path: Path, size: int, size_max: int) -> None:
    if size > size_max:
        raise OSError(f"expected at most {size_max} bytes in {path.name}, found {size}")
