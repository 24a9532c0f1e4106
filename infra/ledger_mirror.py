"""A mirror: the files of another ledger in a folder, at the paths of C2SP tiled logs, for any web server to show again.

`checkpoint` is written last, and vouches for the files below its size alone. Those of earlier checkpoints stay until
their tile is full, which a reader then takes instead.
"""

from collections.abc import Iterator
from pathlib import Path

from domain.ledger.checkpoint import SignedCheckpoint, format_signed_checkpoint, parse_signed_checkpoint
from domain.ledger.leaf import Leaf, parse_leaf
from domain.ledger.merkle import leaf_hash
from domain.ledger.spelling import Misspelt
from domain.ledger.tile_hashes import GrowingTiles, partial_tiles_of
from domain.ledger.tiles import (
    TILE_WIDTH,
    Bundle,
    Tile,
    bundles_between,
    decode_bundle,
    format_bundle_path,
    format_tile_path,
)
from infra.durable_file import replace_file
from infra.witness_files import MemoryDamaged


class LedgerMirror:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._checkpoint = folder / "checkpoint"

    @property
    def tree_size(self) -> int:
        found = self.find_checkpoint()
        return 0 if found is None else found.checkpoint.tree_size

    def find_checkpoint(self) -> SignedCheckpoint | None:
        """Return the checkpoint of the whole mirror. Raises MemoryDamaged."""
        try:
            return parse_signed_checkpoint(self._checkpoint.read_bytes())
        except FileNotFoundError:
            return None
        except Misspelt as error:
            raise MemoryDamaged(self._checkpoint, str(error)) from error

    def read_bundle(self, bundle: Bundle) -> bytes | None:
        """Return a bundle that the checkpoint vouches for."""
        if bundle.index * TILE_WIDTH + bundle.width > self.tree_size:
            return None
        return self._bundle_path(bundle).read_bytes()

    def store_bundle(self, bundle: Bundle, raw: bytes) -> None:
        """Put a bundle there; nothing vouches for it before `keep`."""
        self._write(self._bundle_path(bundle), raw)

    async def read_tiles(self, tiles: list[Tile]) -> dict[Tile, bytes]:
        """Read tiles of the mirrored tree (`services.ledger.proofs.TileReader`)."""
        return {tile: self._tile_path(tile).read_bytes() for tile in tiles}

    def read_leaves(self, first: int, end: int) -> Iterator[Leaf]:
        for bundle in bundles_between(first, end):
            entries = decode_bundle(self._bundle_path(bundle).read_bytes(), width=bundle.width)
            for entry in entries[max(0, first - bundle.index * TILE_WIDTH) :]:
                yield parse_leaf(entry)

    def keep(self, signed: SignedCheckpoint) -> None:
        """Vouch for the stored bundles up to a checkpoint, whose root they have; add the tiles over them."""
        old_size, size = self.tree_size, signed.checkpoint.tree_size
        old_tiles = partial_tiles_of(old_size)
        tree = GrowingTiles(old_size, {tile: self._tile_path(tile).read_bytes() for tile in old_tiles})
        for bundle in bundles_between(old_size, size):
            entries = decode_bundle(self._bundle_path(bundle).read_bytes(), width=bundle.width)
            new = entries[max(0, old_size - bundle.index * TILE_WIDTH) :]
            for tile, raw in tree.extend(map(leaf_hash, new)):
                self._write(self._tile_path(tile), raw)
        assert tree.root() == signed.checkpoint.root, "the bundles were compared with the checkpoint"
        for tile, raw in tree.partial():
            self._write(self._tile_path(tile), raw)
        replace_file(self._checkpoint, format_signed_checkpoint(signed))
        self._forget(old_tiles, partial_tiles_of(size))

    def _forget(self, old: list[Tile], new: list[Tile]) -> None:
        """Remove the partial files of tiles that are full, and those that no checkpoint vouched for."""
        for tile in {*old, *new}:
            vouched = {str(each.width) for each in new if _is_same(each, tile)}
            if vouched:
                # A reader may be on its way under an earlier checkpoint, and has no full tile to take instead.
                vouched |= {str(width) for each in old if _is_same(each, tile) for width in range(1, each.width + 1)}
            for folder in {path.parent for path in self._partial_paths(tile)}:
                for path in folder.iterdir() if folder.exists() else ():
                    if path.name not in vouched:
                        path.unlink()

    def _partial_paths(self, tile: Tile) -> list[Path]:
        """List the files of a partial tile: of the lowest level, also the bundle under it."""
        bundle = [self._bundle_path(Bundle(index=tile.index, width=tile.width))] if tile.level == 0 else []
        return [self._tile_path(tile), *bundle]

    def _write(self, path: Path, raw: bytes) -> None:
        # Not by `replace_file`, whose folders are private: a web server of another user shows these.
        path.parent.mkdir(parents=True, exist_ok=True)
        # On the disk before the checkpoint that vouches for it.
        replace_file(path, raw)

    def _bundle_path(self, bundle: Bundle) -> Path:
        return self.folder / format_bundle_path(bundle)

    def _tile_path(self, tile: Tile) -> Path:
        return self.folder / format_tile_path(tile)


def _is_same(one: Tile, other: Tile) -> bool:
    """Return whether two tiles are one at two widths."""
    return (one.level, one.index) == (other.level, other.index)
