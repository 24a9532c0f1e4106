"""The ledger's tree: RFC 6962 with SHA-256. Its root states which leaves there are, how many, and in which order.

No leaf is doubled and nothing is padded: a tree of n leaves has the shape that n gives it, and no other.
"""

from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256

from msgspec import Struct

from domain.ledger.spelling import HASH_SIZE

# Example, with five leaves a to e:
#
#     leaf hash   = SHA-256(0x00 || a)                     the bytes 0x00 and 0x01 keep leaves and nodes apart
#     node hash   = SHA-256(0x01 || left || right)
#     root of 0   = SHA-256("")
#     root of 5   = node(node(node(a,b), node(c,d)), e)    left of each node: the largest power of two below its count
#
#     level 2         2.0
#     level 1     1.0     1.1
#     level 0   0.0 0.1 0.2 0.3  0.4
#                a   b   c   d    e
#
# A perfect subtree of 2^level leaves is named by its level and its index there; it never changes once it is complete.
# The root of any tree, and each hash of any proof, folds a few of them from right to left.

EMPTY_ROOT = sha256(b"").digest()


class Subtree(Struct, frozen=True, kw_only=True):
    """A perfect subtree: the leaves from index * 2^level, as many as 2^level."""

    level: int
    index: int


class Span(Struct, frozen=True, kw_only=True):
    """The leaves from `first` up to, without, `end`; it begins where a node of the tree begins."""

    first: int
    end: int


# Gives the hash of a perfect subtree: from tiles, from a list of leaves, from wherever they are kept.
HashReader = Callable[[Subtree], bytes]


def leaf_hash(entry: bytes) -> bytes:
    return sha256(b"\x00" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    return sha256(b"\x01" + left + right).digest()


def left_count(count: int) -> int:
    """Count the leaves left of the root of a tree of `count` leaves, two or more."""
    assert count > 1, count
    return 1 << (count - 1).bit_length() - 1


def perfect_root(hashes: list[bytes]) -> bytes:
    """Hash 1, 2, 4, 8 … nodes of one level up to the one above all of them."""
    assert hashes, "no hashes"
    assert len(hashes) & (len(hashes) - 1) == 0, len(hashes)
    level = hashes
    while len(level) > 1:
        pairs = iter(level)
        # Written out instead of calling node_hash: this line is most of the work of a large tree.
        level = [sha256(b"\x01" + left + right).digest() for left, right in zip(pairs, pairs, strict=True)]
    return level[0]


def subtrees_of(span: Span) -> Iterator[Subtree]:
    """Split a span into perfect subtrees, from left to right: at most one of a level."""
    first = span.first
    while first < span.end:
        level = (span.end - first).bit_length() - 1
        assert first % (1 << level) == 0, span
        yield Subtree(level=level, index=first >> level)
        first += 1 << level


def span_hash(read: HashReader, span: Span) -> bytes:
    return fold(read(subtree) for subtree in subtrees_of(span))


def root_hash(read: HashReader, tree_size: int) -> bytes:
    return span_hash(read, Span(first=0, end=tree_size))


def fold(hashes: Iterable[bytes]) -> bytes:
    """Find the root above perfect subtrees that shrink from left to right; above none, that of the empty tree."""
    waiting = list(hashes)
    if not waiting:
        return EMPTY_ROOT
    root = waiting.pop()
    while waiting:
        root = node_hash(waiting.pop(), root)
    return root


class GrowingTree:
    """A tree that only grows and keeps one hash a level: all that is needed to go on, and for the root of now."""

    def __init__(self, tree_size: int = 0, peaks: Iterable[bytes] = ()) -> None:
        """Go on from the size and peaks of another one."""
        self._tree_size = tree_size
        self._peaks = list(peaks)
        assert len(self._peaks) == tree_size.bit_count(), (tree_size, len(self._peaks))
        assert all(len(peak) == HASH_SIZE for peak in self._peaks)

    @property
    def tree_size(self) -> int:
        return self._tree_size

    @property
    def peaks(self) -> tuple[bytes, ...]:
        """The hashes of the perfect subtrees of this tree, from left to right."""
        return tuple(self._peaks)

    def append(self, leaf: bytes) -> None:
        """Add the hash of one leaf. About one further hash on average."""
        index = self._tree_size
        subtree = leaf
        while index & 1:
            subtree = node_hash(self._peaks.pop(), subtree)
            index >>= 1
        self._peaks.append(subtree)
        self._tree_size += 1

    def root(self) -> bytes:
        return fold(self._peaks)
