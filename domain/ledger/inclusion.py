"""Inclusion proofs: that a leaf stands at an index of the tree with a given root (RFC 9162 section 2.1.3)."""

from collections.abc import Iterator

from msgspec import Struct

from domain.ledger.broken_proof import BrokenProof
from domain.ledger.merkle import HashReader, Span, left_count, node_hash, span_hash
from domain.ledger.spelling import HASH_SIZE

# Example, leaf c (index 2) of five leaves a to e:
#
#     path = hash of d, hash of (a, b), hash of e          from the leaf's neighbour up to the child of the root
#     the root is then node(node((a, b), node(c, d)), e)
#
# Refused: an index outside the tree, a hash that is not of 32 bytes (the leaf's and the root's too, so that a tree of
# one leaf is not proven by two equal pieces of nonsense), a path that is too short or too long, another root.


class Inclusion(Struct, frozen=True, kw_only=True):
    index: int
    tree_size: int
    path: tuple[bytes, ...]


def inclusion_spans(*, index: int, tree_size: int) -> tuple[Span, ...]:
    """List the leaves under each hash of the path, from the leaf's neighbour up; nothing else need be read."""
    assert 0 <= index < tree_size, (index, tree_size)
    return tuple(reversed(list(_walk_down(index, Span(first=0, end=tree_size)))))


def prove_inclusion(read: HashReader, *, index: int, tree_size: int) -> Inclusion:
    """Make a proof of about log2(tree_size) hashes."""
    spans = inclusion_spans(index=index, tree_size=tree_size)
    return Inclusion(index=index, tree_size=tree_size, path=tuple(span_hash(read, span) for span in spans))


def check_inclusion(proof: Inclusion, *, leaf: bytes, root: bytes) -> None:
    """Check that the leaf with this hash is where the proof states, or raise BrokenProof."""
    for found in (leaf, root, *proof.path):
        if len(found) != HASH_SIZE:
            raise BrokenProof(expected=f"hashes of {HASH_SIZE} bytes", found=f"one of {len(found)}")
    if not 0 <= proof.index < proof.tree_size:
        raise BrokenProof(expected=f"an index from 0 up to {proof.tree_size}, without it", found=str(proof.index))
    found = _climb(proof, leaf)
    if found != root:
        raise BrokenProof(expected=f"root {root.hex()}", found=found.hex())


def _walk_down(index: int, span: Span) -> Iterator[Span]:
    while span.end - span.first > 1:
        middle = span.first + left_count(span.end - span.first)
        left, right = Span(first=span.first, end=middle), Span(first=middle, end=span.end)
        if index < middle:
            yield right
            span = left
        else:
            yield left
            span = right


def _climb(proof: Inclusion, leaf: bytes) -> bytes:
    """Find the root that the path leads to."""
    # The index of the node at its level, and that of the last node there.
    place, last, found = proof.index, proof.tree_size - 1, leaf
    for sibling in proof.path:
        if last == 0:
            raise BrokenProof(expected="the end of the path at the root", found="a further hash")
        if place & 1 or place == last:
            found = node_hash(sibling, found)
            # A last node without a neighbour moves up unchanged until it is a right child.
            while not place & 1 and place != 0:
                place, last = place >> 1, last >> 1
        else:
            found = node_hash(found, sibling)
        place, last = place >> 1, last >> 1
    if last != 0:
        raise BrokenProof(expected="a path up to the root", found=f"one of {len(proof.path)} hashes")
    return found
