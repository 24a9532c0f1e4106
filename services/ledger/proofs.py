"""Roots and proofs of any size the ledger has or had, from its stored tiles: about two tiles a level are read.

Nothing here is signed or believed; the receiver of a proof checks it against a signed checkpoint.
"""

from collections import OrderedDict
from collections.abc import Iterable
from typing import Protocol

from domain.ledger.consistency import Consistency, consistency_spans, prove_consistency, prove_prefix
from domain.ledger.inclusion import Inclusion, inclusion_spans, prove_inclusion
from domain.ledger.merkle import HashReader, Span, Subtree, root_hash
from domain.ledger.tile_hashes import TileHashes, tiles_under
from domain.ledger.tiles import TILE_HEIGHT, TILE_WIDTH, Tile

# Full tiles never change, and the upper ones are in every proof: eight kilobytes each, four megabytes in all.
TILES_MAX = 512
# Nodes between the hashes of upper tiles: all there are over a million leaves, a megabyte or two.
NODES_MAX = 8_192


class TileReader(Protocol):
    """A source of tiles: our own store, or another log over HTTP."""

    async def read_tiles(self, tiles: list[Tile]) -> dict[Tile, bytes]:
        """Tiles as wide as asked for; missing ones are left out."""


class LedgerProofs:
    def __init__(self, reader: TileReader, *, tiles_max: int = TILES_MAX) -> None:
        self._reader = reader
        self._tiles_max = tiles_max
        self._full: OrderedDict[Tile, bytes] = OrderedDict()
        self._nodes: OrderedDict[tuple[int, int], bytes] = OrderedDict()

    async def read_root(self, tree_size: int) -> bytes:
        """Find the root that the tree has, or had, at this size."""
        span = Span(first=0, end=tree_size)
        return root_hash(await self._load((span,), tree_size=tree_size), tree_size)

    async def prove_inclusion(self, *, index: int, tree_size: int) -> Inclusion:
        read = await self._load(inclusion_spans(index=index, tree_size=tree_size), tree_size=tree_size)
        return prove_inclusion(read, index=index, tree_size=tree_size)

    async def prove_consistency(self, *, old_size: int, new_size: int) -> Consistency:
        read = await self._load(consistency_spans(old_size=old_size, new_size=new_size), tree_size=new_size)
        return prove_consistency(read, old_size=old_size, new_size=new_size)

    async def prove_prefix(self, *, old_size: int, new_size: int) -> tuple[bytes, ...]:
        """Make the path that shows the tree at the old size, independent of the root signed there."""
        spans = (*consistency_spans(old_size=old_size, new_size=new_size), Span(first=0, end=old_size))
        return prove_prefix(await self._load(spans, tree_size=new_size), old_size=old_size, new_size=new_size)

    async def _load(self, spans: Iterable[Span], *, tree_size: int) -> HashReader:
        wanted = tiles_under(spans, tree_size=tree_size)
        found = {tile: self._full[tile] for tile in wanted if tile in self._full}
        missing = [tile for tile in wanted if tile not in found]
        if missing:
            found.update(await self._reader.read_tiles(missing))
        for tile, raw in found.items():
            if tile.width == TILE_WIDTH:
                self._full[tile] = raw
                self._full.move_to_end(tile)
        while len(self._full) > self._tiles_max:
            self._full.popitem(last=False)
        return self._remembering(TileHashes(found))

    def _remembering(self, read: HashReader) -> HashReader:
        """Hash the levels above the lowest tiles once: a perfect subtree never changes, and many proofs pass it."""

        def read_once(subtree: Subtree) -> bytes:
            if subtree.level <= TILE_HEIGHT:
                return read(subtree)
            key = subtree.level, subtree.index
            if key not in self._nodes:
                self._nodes[key] = read(subtree)
            self._nodes.move_to_end(key)
            if len(self._nodes) > NODES_MAX:
                self._nodes.popitem(last=False)
            return self._nodes[key]

        return read_once
