"""Reading a tree's hashes from its tiles, and growing the tiles of a tree: memory stays at a tile a level.

A proof of a tree of any size reads about two tiles a level; which ones is known before any is loaded.
"""

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from domain.ledger.merkle import Span, Subtree, fold, perfect_root, subtrees_of
from domain.ledger.spelling import HASH_SIZE
from domain.ledger.tiles import (
    TILE_HEIGHT,
    TILE_WIDTH,
    Tile,
    check_tile_size,
    decode_tile,
    encode_tile,
    split_hashes,
    tile_width,
)


class TileMissing(LookupError):
    """A hash was asked of tiles that were not given."""

    def __init__(self, tile: Tile) -> None:
        self.tile = tile
        super().__init__(f"expected {tile}, found no such tile")


class _Place(Struct, frozen=True, kw_only=True):
    """Where a perfect subtree is: `count` hashes of a tile, from `first` on."""

    level: int
    index: int
    first: int
    count: int


def tiles_under(spans: Iterable[Span], *, tree_size: int) -> list[Tile]:
    """List the tiles to load for these spans of a tree of this size, each once, as wide as they are there."""
    places = [_locate(subtree) for span in spans for subtree in subtrees_of(span)]
    return [
        Tile(level=level, index=index, width=tile_width(level, index=index, tree_size=tree_size))
        for level, index in sorted({(place.level, place.index) for place in places})
    ]


class TileHashes:
    """A reader of hashes (`merkle.HashReader`) over tiles that have been loaded."""

    def __init__(self, tiles: Mapping[Tile, bytes]) -> None:
        """Take the contents of tiles. Raises Misspelt if one has not the size of its width."""
        for tile, raw in tiles.items():
            check_tile_size(raw, width=tile.width)
        self._contents = {(tile.level, tile.index): raw for tile, raw in tiles.items()}

    def __call__(self, subtree: Subtree) -> bytes:
        place = _locate(subtree)
        raw = self._contents.get((place.level, place.index), b"")
        end = place.first + place.count
        if len(raw) < HASH_SIZE * end:
            raise TileMissing(Tile(level=place.level, index=place.index, width=end))
        # Only the requested hashes are cut out of the tile: a proof needs a few of its hashes one by one.
        return perfect_root(split_hashes(raw[HASH_SIZE * place.first : HASH_SIZE * end]))


class GrowingTiles:
    """The right edge of a tree in tiles: takes leaves, gives tiles as they fill, keeps only partial ones."""

    def __init__(self, tree_size: int = 0, partial: Mapping[Tile, bytes] | None = None) -> None:
        """Go on from the partial tiles of a tree of this size, which are all that need be loaded."""
        self._tree_size = tree_size
        loaded = partial or {}
        wanted = partial_tiles_of(tree_size)
        assert sorted(loaded) == wanted, f"expected {wanted}, found {sorted(loaded)}"
        height = max((tile.level + 1 for tile in wanted), default=0)
        self._edge: list[list[bytes]] = [[] for _ in range(height)]
        for tile, raw in loaded.items():
            self._edge[tile.level] = decode_tile(raw, width=tile.width)

    @property
    def tree_size(self) -> int:
        return self._tree_size

    def extend(self, leaves: Iterable[bytes]) -> Iterator[tuple[Tile, bytes]]:
        """Add the hashes of leaves; give each tile that fills, with its contents. Nothing is added until asked for."""
        for leaf in leaves:
            if not self._edge:
                self._edge.append([])
            self._edge[0].append(leaf)
            self._tree_size += 1
            if len(self._edge[0]) == TILE_WIDTH:
                yield from self._carry()

    def partial(self) -> list[tuple[Tile, bytes]]:
        """List the partial tiles of the tree as it is, with their contents: at most one a level."""
        contents = {level: encode_tile(hashes) for level, hashes in enumerate(self._edge) if hashes}
        return [(tile, contents[tile.level]) for tile in partial_tiles_of(self._tree_size)]

    def root(self) -> bytes:
        """Find the root of the tree as it is. At most 255 hashes a level."""
        tops = []
        for level in reversed(range(len(self._edge))):
            hashes = self._edge[level]
            # Seen from its own level, the edge of a tree is a tree of fewer than 256 leaves.
            tops += [
                perfect_root(hashes[subtree.index << subtree.level : (subtree.index + 1) << subtree.level])
                for subtree in subtrees_of(Span(first=0, end=len(hashes)))
            ]
        return fold(tops)

    def _carry(self) -> Iterator[tuple[Tile, bytes]]:
        level = 0
        while len(self._edge[level]) == TILE_WIDTH:
            full = self._edge[level]
            self._edge[level] = []
            if level + 1 == len(self._edge):
                self._edge.append([])
            self._edge[level + 1].append(perfect_root(full))
            index = (self._tree_size >> TILE_HEIGHT * (level + 1)) - 1
            yield Tile(level=level, index=index, width=TILE_WIDTH), encode_tile(full)
            level += 1


def partial_tiles_of(tree_size: int) -> list[Tile]:
    """List the tiles of a tree of this size that are not full."""
    counts = [tree_size >> TILE_HEIGHT * level for level in range(tree_size.bit_length() // TILE_HEIGHT + 1)]
    return [
        Tile(level=level, index=count // TILE_WIDTH, width=count % TILE_WIDTH)
        for level, count in enumerate(counts)
        if count % TILE_WIDTH
    ]


def _locate(subtree: Subtree) -> _Place:
    level, height = divmod(subtree.level, TILE_HEIGHT)
    index, first = divmod(subtree.index << height, TILE_WIDTH)
    return _Place(level=level, index=index, first=first, count=1 << height)
