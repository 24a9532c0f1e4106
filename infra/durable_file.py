"""Small files that must survive a loss of power: replaced as a whole, on the disk before the caller goes on."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def replace_file(path: Path, raw: bytes) -> None:
    """Put new contents in the place of the old; a concurrent reader gets one or the other, whole."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    # One name a process: two that write at once do not write into each other's file.
    draft = path.with_name(f"{path.name}.{os.getpid()}.new")
    with draft.open("wb") as file:
        file.write(raw)
        file.flush()
        os.fsync(file.fileno())
    draft.rename(path)
    sync_folder(path.parent)


@contextmanager
def locked_file(path: Path) -> Iterator[None]:
    """Keep other processes out of the file meanwhile; the lock ends with the process."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    # A file beside it: the file itself is another one after each replacement.
    with path.with_name(f"{path.name}.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def sync_folder(folder: Path) -> None:
    """Make a rename in this folder survive a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        # The new name is in the folder, and the folder is a file of its own.
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
