"""The contract of the ledger's store. The tree is a function of the log.

Published leaves and checkpoints stay; the head moves forward only, from the place where its writer saw it.
"""

from typing import Protocol

from msgspec import Struct

from domain.ids import LineHash, LogPosition, StreamId, StreamVersion
from domain.ledger.leaf import Leaf
from domain.ledger.tiles import Tile

# One call may ask for so many: a few hundred kilobytes.
ENTRIES_MAX = 1_024


class LedgerHead(Struct, frozen=True, kw_only=True):
    """The tree as it stands, and how far of the log it holds."""

    tree_size: int
    root: bytes
    position: LogPosition
    # The hashes of the partial tiles, by level; b"" where a level has none.
    edge: tuple[bytes, ...]


class LedgerEntry(Struct, frozen=True, kw_only=True):
    position: LogPosition
    leaf: Leaf


class LedgerStream(Struct, frozen=True, kw_only=True):
    """Where a game stood when its newest line became a leaf."""

    version: StreamVersion
    head: LineHash
    leaf_key: bytes


class Growth(Struct, frozen=True, kw_only=True):
    """A step of the tree, all of which is stored or nothing."""

    before: LedgerHead
    after: LedgerHead
    entries: tuple[LedgerEntry, ...]
    # Those that became full.
    tiles: tuple[tuple[Tile, bytes], ...]
    moved: dict[StreamId, LedgerStream]


class StoredCheckpoint(Struct, frozen=True, kw_only=True):
    """The note as it was signed by the log, and the lines of witnesses that came later."""

    tree_size: int
    root: bytes
    note: bytes

    def __repr__(self) -> str:
        return f"StoredCheckpoint({self.tree_size}, {self.root.hex()})"


class HeadMoved(Exception):
    """Another process has grown the tree since it was read; nothing of this step was stored."""

    def __init__(self, before: LedgerHead) -> None:
        self.before = before
        super().__init__(f"the ledger no longer has {before.tree_size} leaves up to position {before.position}")


class CheckpointRefused(Exception):
    """The store knows another checkpoint of this size, or has fewer leaves: signing it would be a lie."""

    def __init__(self, origin: str, *, tree_size: int, reason: str) -> None:
        self.origin = origin
        self.tree_size = tree_size
        super().__init__(f"{origin} may not sign {tree_size} leaves: {reason}")


class Ledger(Protocol):
    """The part for every process. Every method raises `StoreUnavailable` when the store cannot be reached in time."""

    async def read_head(self) -> LedgerHead: ...

    async def read_entries(self, first: int, end: int) -> list[LedgerEntry]:
        """Entries from index `first` up to, without, `end`; at most ENTRIES_MAX."""

    async def read_tiles(self, tiles: list[Tile]) -> dict[Tile, bytes]:
        """Tiles as wide as asked for; missing ones are left out."""

    async def read_streams(self, streams: list[StreamId]) -> dict[StreamId, LedgerStream]:
        """Those that have leaves."""

    async def find_index(self, stream: StreamId, version: StreamVersion) -> int | None: ...

    async def find_checkpoint(self, origin: str) -> StoredCheckpoint | None:
        """Find the newest that was published."""

    async def find_checkpoints_after(self, origin: str, tree_size: int, *, limit: int) -> list[StoredCheckpoint]:
        """Those of more leaves, from the smallest on."""

    async def find_cosigned_after(
        self, origin: str, tree_size: int, *, witnesses: int, limit: int
    ) -> list[StoredCheckpoint]:
        """Find the same, of those that have the lines of at least so many witnesses."""

    async def list_origins(self) -> list[str]:
        """All under which this database has published."""

    async def cosign(self, origin: str, *, tree_size: int, witness: str, line: str) -> None:
        """Keep a witness's line under a checkpoint; the first one of a witness stays."""


class NotaryDesk(Protocol):
    """The part for the notary alone. Both methods raise `StoreUnavailable`, and then it may have been done or not."""

    async def grow(self, growth: Growth) -> None:
        """Return when the step is durable, or raise HeadMoved."""

    async def publish(self, origin: str, checkpoint: StoredCheckpoint) -> None:
        """Return when it is durable, also where it was before. Raises CheckpointRefused."""
