"""The notary: copies every committed event into the ledger, and signs a checkpoint about once a second.

Its order keeps it honest: store the leaves, remember the checkpoint beside the key, publish it. Wherever it is stopped,
the next notary finds stored leaves, and a checkpoint that covers no more than they do.
"""

from collections.abc import Callable
from typing import Protocol

from msgspec import Struct

from domain.ids import LogPosition
from domain.ledger.checkpoint import format_signed_checkpoint
from domain.ledger.leaf import hash_leaf
from domain.ledger.tile_hashes import GrowingTiles, partial_tiles_of
from infra.event_store import StoredEvent
from infra.ledger_keys import LogSigner
from infra.ledger_store import Growth, HeadMoved, Ledger, LedgerHead, NotaryDesk, StoredCheckpoint
from services.ledger.leaves import BrokenLog, LeafMaker, Leaves
from services.ledger.signed_memory import SignedMemory
from services.ledger.tree_check import LedgerDamaged, edge_of

# Events of one step: some ten milliseconds of hashing, in which the process answers no request.
STEP_EVENTS_MAX = 1_000
# Readers of tiled logs expect it by their specification.
CHECKPOINT_EVERY_S = 1.0


class EventLog(Protocol):
    """The log as the notary reads it."""

    async def read_log(self, *, after: LogPosition, limit: int) -> list[StoredEvent]: ...


class NotarySources(Struct, frozen=True, kw_only=True):
    """The parts of a notary. Its checkpoints hold no time, so no clock can make two of them disagree."""

    log: EventLog
    ledger: Ledger
    desk: NotaryDesk
    signer: LogSigner
    memory: SignedMemory
    monotonic_s: Callable[[], float]


class Notary:
    """One session at the desk. After any exception it is over, and another one begins from the store."""

    def __init__(self, sources: NotarySources, head: LedgerHead, *, published: StoredCheckpoint | None) -> None:
        self._sources = sources
        self._head = head
        self._tree = read_tree(head)
        self._leaves = LeafMaker(sources.ledger)
        self.published = published
        self._published_s: float | None = None

    @property
    def head(self) -> LedgerHead:
        return self._head

    async def step(self) -> int:
        """Take in the next events, publish when it is time, and state how many events there were."""
        count = await self.grow()
        if self._is_time():
            await self.publish()
        return count

    async def grow(self) -> int:
        """Store the leaves of the next events. Raises BrokenLog, HeadMoved, StoreUnavailable."""
        before = self._head
        events = await self._sources.log.read_log(after=before.position, limit=STEP_EVENTS_MAX)
        if not events:
            return 0
        leaves = await self._build(events)
        tiles = tuple(self._tree.extend(hash_leaf(entry.leaf) for entry in leaves.entries))
        after = LedgerHead(
            tree_size=self._tree.tree_size,
            root=self._tree.root(),
            position=leaves.entries[-1].position,
            edge=edge_of(self._tree),
        )
        growth = Growth(before=before, after=after, entries=leaves.entries, tiles=tiles, moved=leaves.moved)
        await self._sources.desk.grow(growth)
        self._leaves.keep(leaves.moved)
        self._head = after
        return len(events)

    async def publish(self) -> None:
        """Sign the stored tree, unless it was published already. Raises OlderLedger, CheckpointRefused."""
        head, sources = self._head, self._sources
        if self.published is not None and self.published.tree_size >= head.tree_size:
            return
        signed = sources.signer.sign(tree_size=head.tree_size, root=head.root)
        await sources.memory.remember(signed)
        stored = StoredCheckpoint(tree_size=head.tree_size, root=head.root, note=format_signed_checkpoint(signed))
        await sources.desk.publish(sources.signer.origin, stored)
        self.published = stored

    async def _build(self, events: list[StoredEvent]) -> Leaves:
        try:
            return await self._leaves.build(events, after=self._head.position)
        except BrokenLog:
            # Where games stand is read from the store, and a notary that was overtaken reads where they stood later.
            if await self._sources.ledger.read_head() != self._head:
                raise HeadMoved(self._head) from None
            raise

    def _is_time(self) -> bool:
        now_s = self._sources.monotonic_s()
        # A clock that was moved back is not waited for.
        if self._published_s is not None and 0 <= now_s - self._published_s < CHECKPOINT_EVERY_S:
            return False
        self._published_s = now_s
        return True


def read_tree(head: LedgerHead) -> GrowingTiles:
    """Go on from a stored head. Raises LedgerDamaged where its edge does not lead to its root."""
    wanted = partial_tiles_of(head.tree_size)
    partial = {tile: head.edge[tile.level] for tile in wanted if tile.level < len(head.edge)}
    if any(len(partial.get(tile, b"")) != 32 * tile.width for tile in wanted):
        widths = [len(raw) // 32 for raw in head.edge]
        raise LedgerDamaged("the edge", expected=f"{[tile.width for tile in wanted]} hashes", found=f"{widths}")
    tree = GrowingTiles(head.tree_size, partial)
    if tree.root() != head.root:
        raise LedgerDamaged("the head", expected=f"root {tree.root().hex()}", found=head.root.hex())
    return tree
