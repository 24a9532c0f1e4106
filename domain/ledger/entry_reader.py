"""The entries of a log, read in their order: hashed to the root of its tree, and the lines of each stream counted.

Every leaf of a stream stands behind the ones of its earlier versions: 1, 2, 3 and so on, each once.
"""

from collections.abc import Collection, Iterator

from msgspec import Struct

from domain.ids import StreamId, StreamVersion
from domain.ledger.checkpoint import SignedCheckpoint
from domain.ledger.leaf import Leaf, parse_leaf
from domain.ledger.merkle import GrowingTree, leaf_hash
from domain.ledger.tiles import TILE_WIDTH, Bundle, bundles_between, decode_bundle

# A ledger with a line twice, or out of turn, has two histories of one stream. Each leaf names its stream and version in
# the open, so every reader of the entries sees it, without a leaf key. The tree alone does not show it: both leaves are
# in it, and it only grew.


class OutOfTurn(Struct, frozen=True, kw_only=True):
    """The first leaf that is not the next one of its stream."""

    index: int
    leaf: Leaf
    expected_version: StreamVersion

    def __str__(self) -> str:
        return (
            f"entry {self.index} is line {self.leaf.version} of {self.leaf.stream}, whose next line is "
            f"{self.expected_version}"
        )


class LedgerRead(Struct, frozen=True, kw_only=True):
    """The leaves of some streams among all entries under a checkpoint, and when they were read, in seconds since 1970.

    `refusal` states why the entries are not those of the checkpoint, `unread` why they were not read to the end.
    """

    signed: SignedCheckpoint
    leaves: dict[StreamId, tuple[Leaf, ...]]
    read_s: int
    refusal: str | None = None
    unread: str | None = None


class EntryReader:
    """Reads on where it stands. `leaves` are those of the streams asked for, in the order of the ledger."""

    def __init__(self, streams: Collection[StreamId] = ()) -> None:
        self.leaves: dict[StreamId, list[Leaf]] = {stream: [] for stream in streams}
        self.fault: OutOfTurn | None = None
        self._tree = GrowingTree()
        self._versions: dict[StreamId, int] = {}

    @property
    def tree_size(self) -> int:
        return self._tree.tree_size

    def root(self) -> bytes:
        return self._tree.root()

    def list_missing(self, tree_size: int) -> Iterator[Bundle]:
        """List the bundles to read before a tree of this size is read."""
        return bundles_between(self.tree_size, max(tree_size, self.tree_size))

    def add(self, bundle: Bundle, raw: bytes) -> None:
        """Read the next bundle, or what is new of it. Raises Misspelt."""
        entries = decode_bundle(raw, width=bundle.width)
        for entry in entries[self.tree_size - bundle.index * TILE_WIDTH :]:
            self._add(parse_leaf(entry))
            self._tree.append(leaf_hash(entry))

    def _add(self, leaf: Leaf) -> None:
        expected = self._versions.get(leaf.stream, 0) + 1
        if leaf.version != expected and self.fault is None:
            self.fault = OutOfTurn(index=self.tree_size, leaf=leaf, expected_version=StreamVersion(expected))
        self._versions[leaf.stream] = max(expected, leaf.version)
        if leaf.stream in self.leaves:
            self.leaves[leaf.stream].append(leaf)
