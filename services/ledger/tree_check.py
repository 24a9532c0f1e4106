"""Recomputes the tree from its stored entries: one flipped bit in them would make the ledger worthless."""

import asyncio

import structlog

from domain.ledger.leaf import hash_leaf
from domain.ledger.tile_hashes import GrowingTiles, partial_tiles_of
from domain.ledger.tiles import TILE_WIDTH, Tile
from infra.ledger_store import ENTRIES_MAX, Ledger, LedgerHead

log = structlog.get_logger()

# The leaves under one tile of level 1: a piece of some seconds that begins and ends with whole tiles below.
PIECE = TILE_WIDTH * TILE_WIDTH
# Checked before the first signature after a start: about ten seconds. Older leaves hang together by their tiles, and
# the tree check comes to them later.
START_LEAVES_MAX = 16 * PIECE
# Between a thousand leaves: the check of two million takes a quarter of an hour and a hundredth of a core.
PAUSE_S = 0.5
# Before it begins anew: a small ledger is checked in seconds.
IDLE_S = 60.0


class LedgerDamaged(Exception):
    """The stored ledger is not the signed one. Nothing may be signed until it is restored."""

    def __init__(self, place: str, *, expected: str, found: str) -> None:
        self.place = place
        super().__init__(f"{place} of the ledger: expected {expected}, found {found}")


async def check_after_start(ledger: Ledger, head: LedgerHead) -> None:
    """Check all leaves, of a large ledger the newest. Raises LedgerDamaged."""
    first = max(0, head.tree_size - START_LEAVES_MAX) // PIECE * PIECE
    for begin in range(first, max(head.tree_size, 1), PIECE):
        end = min(begin + PIECE, head.tree_size)
        check_head(await check_piece(ledger, begin, end), head)
        if end - begin == PIECE:
            log.info("ledger_checked", leaves=end, of=head.tree_size)


async def check_piece(ledger: Ledger, begin: int, end: int, *, pause_s: float = 0.0) -> GrowingTiles:
    """Recompute the tiles over some entries and compare each with the stored one. Returns the tree at the end."""
    assert begin % PIECE == 0, begin
    tree = GrowingTiles(begin, await _read_all(ledger, partial_tiles_of(begin)))
    for first in range(begin, end, ENTRIES_MAX):
        wanted = min(first + ENTRIES_MAX, end)
        entries = await ledger.read_entries(first, wanted)
        if len(entries) != wanted - first:
            raise LedgerDamaged(f"entry {first} and after", expected=f"{wanted - first}", found=f"{len(entries)}")
        await _compare(ledger, dict(tree.extend(hash_leaf(entry.leaf) for entry in entries)))
        await asyncio.sleep(pause_s)
    await _compare(ledger, dict(tree.partial()))
    return tree


async def scrub(ledger: Ledger, *, pause_s: float = PAUSE_S) -> None:
    """Check everything, over and over. Ends only by raising LedgerDamaged."""
    while True:
        head = await ledger.read_head()
        for begin in range(0, head.tree_size, PIECE):
            end = min(begin + PIECE, head.tree_size)
            check_head(await check_piece(ledger, begin, end, pause_s=pause_s), head)
        log.debug("ledger_scrubbed", leaves=head.tree_size)
        await asyncio.sleep(IDLE_S)


def check_head(tree: GrowingTiles, head: LedgerHead) -> None:
    """Compare a tree that has come to the size of a head with it; one that has not is left alone."""
    if tree.tree_size == head.tree_size and (tree.root(), edge_of(tree)) != (head.root, head.edge):
        raise LedgerDamaged("the head", expected=f"root {tree.root().hex()}", found=head.root.hex())


def edge_of(tree: GrowingTiles) -> tuple[bytes, ...]:
    """List the partial tiles of a tree as its head stores them."""
    partial = {tile.level: raw for tile, raw in tree.partial()}
    return tuple(partial.get(level, b"") for level in range(max(partial, default=-1) + 1))


async def _compare(ledger: Ledger, computed: dict[Tile, bytes]) -> None:
    stored = await _read_all(ledger, list(computed))
    for tile, raw in computed.items():
        if stored[tile] != raw:
            raise LedgerDamaged(f"{tile}", expected=f"{raw.hex()[:64]}…", found=f"{stored[tile].hex()[:64]}…")


async def _read_all(ledger: Ledger, tiles: list[Tile]) -> dict[Tile, bytes]:
    found = await ledger.read_tiles(tiles) if tiles else {}
    for tile in tiles:
        if tile not in found:
            raise LedgerDamaged(f"{tile}", expected=f"{tile.width} hashes", found="none, or fewer")
    return found
