"""Tiles: how a tree and its entries are cut into files that never change once they are full (C2SP tlog-tiles).

Which files a size needs, and which are new since another, follows from the sizes alone.
"""

import re
from collections.abc import Iterator

from msgspec import Struct

from domain.ledger.spelling import HASH_SIZE, NUMBER_MAX, Misspelt, quote

# Examples, of a tree of 70,000 leaves:
#
#     tile/0/x001/x234/067    tile 1,234,067 of level 0 (not in this tree), all of its 256 hashes
#     tile/0/273.p/112        tile 273 of level 0, of which 112 hashes are there
#     tile/1/001.p/17         tile 1 of level 1, 17 hashes: the roots of tiles 256 to 272 of level 0
#     tile/entries/273.p/112  the 112 entries under tile/0/273.p/112
#
#     path   = "tile/" level "/" place | "tile/entries/" place
#     level  = 0 to 63, without leading zeros
#     place  = ("x" three digits "/")* three digits [".p/" width]      the first group is 000 only if it is alone
#     width  = 1 to 255, without leading zeros; a place without it is full
#     tile   = the hashes of as many consecutive perfect subtrees of 256^level leaves, 32 bytes each
#     bundle = for each entry: its size as a big-endian uint16, its bytes
#
# Only full tiles have a hash in the level above; a tile of no hashes does not exist. Refused: other spellings of a
# path, contents that are not of exactly the width, entries of more than 65,535 bytes.

TILE_HEIGHT = 8
TILE_WIDTH = 1 << TILE_HEIGHT
TILE_LEVEL_MAX = 63
ENTRY_SIZE_MAX = 0xFFFF
# Entries of our ledgers have some hundred bytes; those of others are not read here.
BUNDLE_SIZE_MAX = TILE_WIDTH * 1_024

_SIZE_BYTES = 2
_GROUP = 1000
_TILE_PATH = re.compile("tile/(?:(?P<level>0|[1-9][0-9]?)|entries)/(?P<groups>(?:x[0-9]{3}/){0,6}[0-9]{3})(?P<part>.*)")
_PART = re.compile("[.]p/([1-9][0-9]{0,2})")


class Tile(Struct, frozen=True, kw_only=True, order=True):
    level: int
    index: int
    width: int


class Bundle(Struct, frozen=True, kw_only=True, order=True):
    """The entries under the tile of level 0 with the same index and width."""

    index: int
    width: int


def format_tile_path(tile: Tile) -> str:
    return f"tile/{tile.level}/{_format_place(tile.index, width=tile.width)}"


def format_bundle_path(bundle: Bundle) -> str:
    return f"tile/entries/{_format_place(bundle.index, width=bundle.width)}"


def parse_tile_path(path: str) -> Tile | Bundle:
    """Read the path of a tile or of a bundle, relative to the log's prefix."""
    match = _TILE_PATH.fullmatch(path)
    if match is None:
        raise _no_path(path)
    index = int(match["groups"].replace("x", "").replace("/", ""))
    part = _PART.fullmatch(match["part"])
    width = int(part[1]) if part else TILE_WIDTH
    found = (
        Bundle(index=index, width=width)
        if match["level"] is None
        else Tile(level=int(match["level"]), index=index, width=width)
    )
    written = format_bundle_path(found) if isinstance(found, Bundle) else format_tile_path(found)
    # Leading groups of zeros, a width of 256 and text behind the groups: only our own spelling comes back.
    if written != path or index > NUMBER_MAX or width > TILE_WIDTH or _level(found) > TILE_LEVEL_MAX:
        raise _no_path(path)
    return found


def tile_width(level: int, *, index: int, tree_size: int) -> int:
    """Count the hashes that a tile has in a tree of this size; 0 if it does not exist."""
    return max(0, min(TILE_WIDTH, (tree_size >> TILE_HEIGHT * level) - index * TILE_WIDTH))


def tiles_between(old_size: int, new_size: int) -> Iterator[Tile]:
    """List the tiles of a tree of `new_size` that one of `old_size` had not, or not so wide; level by level."""
    assert 0 <= old_size <= new_size, (old_size, new_size)
    level = 0
    while new_size >> TILE_HEIGHT * level:
        for index, width in _places(old_size >> TILE_HEIGHT * level, new_size >> TILE_HEIGHT * level):
            yield Tile(level=level, index=index, width=width)
        level += 1


def bundles_between(old_size: int, new_size: int) -> Iterator[Bundle]:
    """List the bundles of a log of `new_size` entries that one of `old_size` had not, or not so wide."""
    assert 0 <= old_size <= new_size, (old_size, new_size)
    for index, width in _places(old_size, new_size):
        yield Bundle(index=index, width=width)


def encode_tile(hashes: list[bytes]) -> bytes:
    assert 1 <= len(hashes) <= TILE_WIDTH, len(hashes)
    raw = b"".join(hashes)
    assert len(raw) == HASH_SIZE * len(hashes), "a hash of another size"
    return raw


def decode_tile(raw: bytes, *, width: int) -> list[bytes]:
    check_tile_size(raw, width=width)
    return split_hashes(raw)


def check_tile_size(raw: bytes, *, width: int) -> None:
    if len(raw) != HASH_SIZE * width:
        raise Misspelt(expected=f"{width} hashes, {HASH_SIZE * width} bytes", found=f"{len(raw)} bytes")


def split_hashes(raw: bytes) -> list[bytes]:
    return [raw[start : start + HASH_SIZE] for start in range(0, len(raw), HASH_SIZE)]


def encode_bundle(entries: list[bytes]) -> bytes:
    assert 1 <= len(entries) <= TILE_WIDTH, len(entries)
    assert max(map(len, entries)) <= ENTRY_SIZE_MAX, "an entry too large for its prefix"
    return b"".join(len(entry).to_bytes(_SIZE_BYTES, "big") + entry for entry in entries)


def decode_bundle(raw: bytes, *, width: int) -> list[bytes]:
    entries: list[bytes] = []
    place = 0
    while place < len(raw):
        start = place + _SIZE_BYTES
        place = start + int.from_bytes(raw[place:start], "big")
        entries.append(raw[start:place])
    if len(entries) != width or place != len(raw):
        raise Misspelt(expected=f"{width} whole entries", found=f"{len(entries)} in {len(raw)} of {place} bytes")
    return entries


def _places(old_count: int, new_count: int) -> Iterator[tuple[int, int]]:
    if old_count == new_count:
        return
    for index in range(old_count // TILE_WIDTH, -(-new_count // TILE_WIDTH)):
        yield index, min(TILE_WIDTH, new_count - index * TILE_WIDTH)


def _format_place(index: int, *, width: int) -> str:
    groups = [f"{index % _GROUP:03}"]
    while index := index // _GROUP:
        groups.append(f"x{index % _GROUP:03}")
    part = "" if width == TILE_WIDTH else f".p/{width}"
    return "/".join(reversed(groups)) + part


def _level(found: Tile | Bundle) -> int:
    return found.level if isinstance(found, Tile) else 0


def _no_path(path: str) -> Misspelt:
    return Misspelt(expected="tile/<level or entries>/<x-prefixed groups>[.p/<width>]", found=quote(path))
