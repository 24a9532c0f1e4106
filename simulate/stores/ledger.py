"""The ledger in memory: the same contract as in Postgres, gone with the process."""

import hashlib
from itertools import pairwise

from domain.ids import LogPosition, StreamId, StreamVersion
from domain.ledger.tiles import Tile
from infra.ledger_store import (
    CheckpointRefused,
    Growth,
    HeadMoved,
    LedgerEntry,
    LedgerHead,
    LedgerStream,
    StoredCheckpoint,
)

EMPTY = LedgerHead(tree_size=0, root=hashlib.sha256(b"").digest(), position=LogPosition(0), edge=())


class MemoryLedger:
    """Also the notary's desk. No method waits, so each is one step to everyone else on the loop."""

    def __init__(self) -> None:
        self.entries: list[LedgerEntry] = []
        self.checkpoints: dict[str, dict[int, StoredCheckpoint]] = {}
        self._head = EMPTY
        self._tiles: dict[tuple[int, int], bytes] = {}
        self._streams: dict[StreamId, LedgerStream] = {}
        self._indexes: dict[tuple[StreamId, StreamVersion], int] = {}
        self._cosigned: dict[tuple[str, int], dict[str, str]] = {}

    async def read_head(self) -> LedgerHead:
        return self._head

    async def read_entries(self, first: int, end: int) -> list[LedgerEntry]:
        return self.entries[first:end]

    async def read_tiles(self, tiles: list[Tile]) -> dict[Tile, bytes]:
        found = {tile: self._find_tile(tile)[: 32 * tile.width] for tile in tiles}
        return {tile: raw for tile, raw in found.items() if len(raw) == 32 * tile.width}

    async def read_streams(self, streams: list[StreamId]) -> dict[StreamId, LedgerStream]:
        return {stream: self._streams[stream] for stream in streams if stream in self._streams}

    async def find_index(self, stream: StreamId, version: StreamVersion) -> int | None:
        return self._indexes.get((stream, version))

    async def find_checkpoint(self, origin: str) -> StoredCheckpoint | None:
        published = self.checkpoints.get(origin)
        return self._told(origin, published[max(published)]) if published else None

    async def find_checkpoints_after(self, origin: str, tree_size: int, *, limit: int) -> list[StoredCheckpoint]:
        published = self.checkpoints.get(origin, {})
        return [self._told(origin, published[size]) for size in sorted(published) if size > tree_size][:limit]

    async def find_cosigned_after(
        self, origin: str, tree_size: int, *, witnesses: int, limit: int
    ) -> list[StoredCheckpoint]:
        found = await self.find_checkpoints_after(origin, tree_size, limit=len(self.entries))
        return [finding for finding in found if len(self._lines(origin, finding.tree_size)) >= witnesses][:limit]

    async def list_origins(self) -> list[str]:
        return sorted(self.checkpoints)

    async def cosign(self, origin: str, *, tree_size: int, witness: str, line: str) -> None:
        if tree_size in self.checkpoints.get(origin, {}):
            self._cosigned.setdefault((origin, tree_size), {}).setdefault(witness, line)

    async def grow(self, growth: Growth) -> None:
        before = (self._head.tree_size, self._head.root, self._head.position)
        if before != (growth.before.tree_size, growth.before.root, growth.before.position):
            raise HeadMoved(growth.before)
        positions = [self._head.position, *(entry.position for entry in growth.entries)]
        assert all(one < other for one, other in pairwise(positions)), "positions ascend"
        for index, entry in enumerate(growth.entries, start=len(self.entries)):
            assert (entry.leaf.stream, entry.leaf.version) not in self._indexes, f"{entry.leaf} is a leaf already"
            self._indexes[entry.leaf.stream, entry.leaf.version] = index
        self.entries.extend(growth.entries)
        self._tiles.update({(tile.level, tile.index): raw for tile, raw in growth.tiles})
        for stream, moved in growth.moved.items():
            if stream not in self._streams or self._streams[stream].version < moved.version:
                self._streams[stream] = moved
        self._head = growth.after

    async def publish(self, origin: str, checkpoint: StoredCheckpoint) -> None:
        size = checkpoint.tree_size
        if size > len(self.entries):
            raise CheckpointRefused(origin, tree_size=size, reason=f"the ledger has not {size} leaves")
        if self.checkpoints.setdefault(origin, {}).setdefault(size, checkpoint).root != checkpoint.root:
            raise CheckpointRefused(origin, tree_size=size, reason=f"another root was signed for {size} leaves")

    def _find_tile(self, tile: Tile) -> bytes:
        full = self._tiles.get((tile.level, tile.index))
        if full is not None:
            return full
        is_edge = tile.index == self._head.tree_size >> 8 * (tile.level + 1) and tile.level < len(self._head.edge)
        return self._head.edge[tile.level] if is_edge else b""

    def _lines(self, origin: str, tree_size: int) -> dict[str, str]:
        return self._cosigned.get((origin, tree_size), {})

    def _told(self, origin: str, checkpoint: StoredCheckpoint) -> StoredCheckpoint:
        lines = self._lines(origin, checkpoint.tree_size)
        note = checkpoint.note + "".join(lines[witness] for witness in sorted(lines)).encode()
        return StoredCheckpoint(tree_size=checkpoint.tree_size, root=checkpoint.root, note=note)
