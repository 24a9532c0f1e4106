"""Consistency proofs: that a larger tree begins with all leaves of a smaller one (RFC 9162 section 2.1.4)."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from domain.ledger.broken_proof import BrokenProof
from domain.ledger.merkle import HashReader, Span, left_count, node_hash, span_hash
from domain.ledger.spelling import HASH_SIZE

# Example, from three leaves a to c on to five leaves a to e:
#
#     path = hash of c, hash of d, hash of (a, b), hash of e     from the last whole subtree of the old tree up
#     old root = node((a, b), c)
#     new root = node(node((a, b), node(c, d)), e)
#
# Where the old tree is itself a perfect subtree (its size is a power of two), its root would come first and is left
# out, as the verifier has it. From size 0, and from a size to itself, the path is empty.
#
# A *whole path* has that first hash in any case. It needs no old root to be folded, so it also shows the root of the
# new tree at the old size: evidence against a log that signed another one there.
#
# Refused: sizes in the wrong order, hashes that are not of 32 bytes, a path too short or too long, other roots.


class Consistency(Struct, frozen=True, kw_only=True):
    old_size: int
    new_size: int
    path: tuple[bytes, ...]


def consistency_spans(*, old_size: int, new_size: int) -> tuple[Span, ...]:
    """List the leaves under each hash of the path; nothing else need be read."""
    assert 0 <= old_size <= new_size, (old_size, new_size)
    if old_size in {0, new_size}:
        return ()
    spans = _whole_spans(old_size=old_size, new_size=new_size)
    return spans[1:] if _is_power_of_two(old_size) else spans


def prove_consistency(read: HashReader, *, old_size: int, new_size: int) -> Consistency:
    """Make a proof of about log2(new_size) hashes."""
    spans = consistency_spans(old_size=old_size, new_size=new_size)
    return Consistency(old_size=old_size, new_size=new_size, path=tuple(span_hash(read, span) for span in spans))


def check_consistency(proof: Consistency, *, old_root: bytes, new_root: bytes) -> None:
    """Check that the new tree begins with the old one, or raise BrokenProof."""
    _check_form(proof, (old_root, new_root, *proof.path))
    if proof.old_size == 0:
        # Every tree begins with nothing.
        return
    if proof.old_size == proof.new_size:
        _check_root("the same root at the same size", expected=old_root, found=new_root)
        return
    seed = (old_root,) if _is_power_of_two(proof.old_size) else ()
    old_found, new_found = fold_whole_path((*seed, *proof.path), old_size=proof.old_size, new_size=proof.new_size)
    _check_root("the root of the old tree", expected=old_root, found=old_found)
    _check_root("the root of the new tree", expected=new_root, found=new_found)


def prove_prefix(read: HashReader, *, old_size: int, new_size: int) -> tuple[bytes, ...]:
    """Make a whole path: the new tree at the old size, independent of the old root."""
    spans = _whole_spans(old_size=old_size, new_size=new_size)
    return tuple(span_hash(read, span) for span in spans)


def fold_whole_path(path: Sequence[bytes], *, old_size: int, new_size: int) -> tuple[bytes, bytes]:
    """Give the two roots that a whole path leads to, or raise BrokenProof if its length does not fit the sizes."""
    assert 0 < old_size < new_size, (old_size, new_size)
    if not path:
        raise BrokenProof(expected="a path", found="none")
    place, last = old_size - 1, new_size - 1
    while place & 1:
        place, last = place >> 1, last >> 1
    old_root = new_root = path[0]
    for sibling in path[1:]:
        if last == 0:
            raise BrokenProof(expected="the end of the path at the root", found="a further hash")
        if place & 1 or place == last:
            old_root, new_root = node_hash(sibling, old_root), node_hash(sibling, new_root)
            # A last node without a neighbour moves up unchanged until it is a right child.
            while not place & 1 and place != 0:
                place, last = place >> 1, last >> 1
        else:
            new_root = node_hash(new_root, sibling)
        place, last = place >> 1, last >> 1
    if last != 0:
        raise BrokenProof(expected="a path up to the root", found=f"one of {len(path)} hashes")
    return old_root, new_root


def _whole_spans(*, old_size: int, new_size: int) -> tuple[Span, ...]:
    assert 0 < old_size < new_size, (old_size, new_size)
    return tuple(reversed(list(_walk_down(old_size, Span(first=0, end=new_size)))))


def _walk_down(old_size: int, span: Span) -> Iterator[Span]:
    while span.end != old_size:
        middle = span.first + left_count(span.end - span.first)
        left, right = Span(first=span.first, end=middle), Span(first=middle, end=span.end)
        if old_size <= middle:
            yield right
            span = left
        else:
            yield left
            span = right
    yield span


def _check_form(proof: Consistency, hashes: tuple[bytes, ...]) -> None:
    for found in hashes:
        if len(found) != HASH_SIZE:
            raise BrokenProof(expected=f"hashes of {HASH_SIZE} bytes", found=f"one of {len(found)}")
    if not 0 <= proof.old_size <= proof.new_size:
        raise BrokenProof(expected=f"an old size from 0 to {proof.new_size}", found=str(proof.old_size))
    if proof.old_size in {0, proof.new_size} and proof.path:
        raise BrokenProof(expected="an empty path", found=f"{len(proof.path)} hashes")


def _check_root(name: str, *, expected: bytes, found: bytes) -> None:
    if expected != found:
        raise BrokenProof(expected=f"{name}, {expected.hex()}", found=found.hex())


def _is_power_of_two(number: int) -> bool:
    return number & (number - 1) == 0
