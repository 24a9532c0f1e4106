"""The record of ends of this machine, beside the last signed checkpoint: a restored database gets the ends from it.

    token 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 1795003200000000
    account 0199c0de-0000-7000-8000-0000000000a1 1795003201000000

A line has the kind, the hash of a secret or an id, and the time in microseconds. Lines are only added.
"""

import os
import re
from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from infra.durable_file import locked_file, sync_folder

FILE_NAME = "ends"
_LINE = re.compile(r"([a-z]{1,16}) ([0-9a-f-]{36,64}) ([0-9]{1,18})")


class EndsFileDamaged(Exception):
    """The file exists and cannot be read."""

    def __init__(self, path: Path, number: int) -> None:
        self.path = path
        super().__init__(f"{path} should hold an end in each line, and does not in line {number}")


class End(Struct, frozen=True, order=True):
    """`key` is the hash of a secret, or an id; an end is the same one in every copy of the database."""

    at_us: int
    kind: str
    key: str


class EndsFile:
    """One for a process; the processes of a machine add to one file."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE_NAME
        self._known: set[End] = set()
        # How much of the file was read: whole lines alone.
        self._size = 0
        self._lines = 0

    def read(self) -> frozenset[End]:
        """Return all ends. Raises EndsFileDamaged."""
        try:
            with self.path.open("rb") as file:
                file.seek(self._size)
                added = file.read()
        except FileNotFoundError:
            return frozenset()
        # A last line without its end was being written when the power went.
        whole = added[: added.rfind(b"\n") + 1]
        for line in whole.decode("ascii", "replace").splitlines():
            self._lines += 1
            match = _LINE.fullmatch(line)
            if match is None:
                raise EndsFileDamaged(self.path, self._lines)
            self._known.add(End(kind=match[1], key=match[2], at_us=int(match[3])))
        self._size += len(whole)
        return frozenset(self._known)

    def add(self, ends: Iterable[End]) -> int:
        """Add the ends that are missing, on the disk before this returns; return their count."""
        given = set(ends)
        if given <= self._known:
            return 0
        with locked_file(self.path):
            missing = sorted(given - self.read())
            if not missing:
                return 0
            is_new = not self.path.exists()
            with self.path.open("ab") as file:
                file.truncate(self._size)
                file.write("".join(f"{end.kind} {end.key} {end.at_us}\n" for end in missing).encode())
                file.flush()
                os.fsync(file.fileno())
            if is_new:
                sync_folder(self.path.parent)
            self.read()
            return len(missing)
