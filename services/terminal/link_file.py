"""A chain of links in a file that only its owner can read, for a player at a shell.

The file is one line of canonical JSON: `{"count":1024,"disclosed":3,"last":"9f02…"}`. `last` is the secret.
"""

import os
import secrets
import stat
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from domain.canonical import encode
from domain.ids import Hex32Field
from domain.links import build_links
from domain.log.events import LINKS_MAX

FILE_MODE = 0o600
# One line with two numbers and 64 digits.
FILE_BYTES_MAX = 1024
SECRET_BYTES = 32


class LinkFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`disclosed` links have been shown; 0 is the anchor."""

    count: Annotated[int, Meta(ge=1, le=LINKS_MAX)]
    disclosed: Annotated[int, Meta(ge=0, le=LINKS_MAX)]
    last: Hex32Field

    def __repr__(self) -> str:
        return f"LinkFile(count={self.count}, disclosed={self.disclosed})"

    @property
    def links(self) -> tuple[str, ...]:
        return build_links(bytes.fromhex(self.last), self.count)


class LinksRefused(Exception):
    """The file cannot be made or used as asked."""


def create_links(path: Path, count: int) -> str:
    """Make a chain and return its anchor. Never overwrites: a lost chain cannot be played on. Raises LinksRefused."""
    made = LinkFile(count=count, disclosed=0, last=secrets.token_hex(SECRET_BYTES))
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE_MODE)
    except FileExistsError:
        raise LinksRefused(f"{path} exists; links are never overwritten, as a seat is lost without them") from None
    with os.fdopen(descriptor, "wb") as file:
        file.write(encode(made) + b"\n")
        file.flush()
        os.fsync(file.fileno())
    return made.links[0]


def disclose_next(path: Path) -> str:
    """Return the next link and note that it was disclosed. Raises LinksRefused."""
    found = read_links(path)
    return _disclose(path, found, found.disclosed + 1)


def disclose_after(path: Path, link: str) -> str:
    """Return the link after the last one in the game; `disclosed` of the file follows it."""
    found = read_links(path)
    if link not in found.links:
        raise LinksRefused(f"expected a link of {path}, found another one")
    return _disclose(path, found, found.links.index(link) + 1)


def read_links(path: Path) -> LinkFile:
    """Read a file that only its owner can read. Raises LinksRefused."""
    try:
        mode = stat.S_IMODE(path.stat().st_mode)
        if mode & 0o077:
            raise LinksRefused(f"{path} can be read by others (mode {mode:03o}); expected 600: chmod 600 {path}")
        with path.open("rb") as file:
            return msgspec.json.decode(file.read(FILE_BYTES_MAX), type=LinkFile)
    except FileNotFoundError:
        raise LinksRefused(f"there are no links at {path}; `spina links {path}` makes them") from None
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise LinksRefused(f"{path} holds no links") from None


def _disclose(path: Path, found: LinkFile, place: int) -> str:
    if place > found.count:
        raise LinksRefused(f"expected a link of {path} that is left, found all {found.count} disclosed")
    unfinished = path.with_name(f"{path.name}.new")
    descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, FILE_MODE)
    with os.fdopen(descriptor, "wb") as file:
        file.write(encode(msgspec.structs.replace(found, disclosed=place)) + b"\n")
    unfinished.replace(path)
    return found.links[place]
