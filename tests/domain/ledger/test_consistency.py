"""Consistency proofs: made ones hold, and a tree that took something back has none."""

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.ledger.broken_proof import BrokenProof
from domain.ledger.consistency import (
    Consistency,
    check_consistency,
    fold_whole_path,
    prove_consistency,
    prove_prefix,
)
from tests.domain.ledger.published import LEAVES, PATH_OF_5, ROOTS
from tests.domain.ledger.reference_tree import defined_root, leaf, read_from, read_nothing

HASHES = [leaf(index) for index in range(600)]
READ = read_from(HASHES)
SMALL = read_from(LEAVES)
FROM_6_TO_8 = Consistency(
    old_size=6,
    new_size=8,
    path=(base64.b64decode("DrxdNDf74tsVi58Sah0RjjCBgQMdCpSfje3t68VY72o="), *PATH_OF_5[1:]),
)


def holds(proof: Consistency, *, old_root: bytes, new_root: bytes) -> bool:
    try:
        check_consistency(proof, old_root=old_root, new_root=new_root)
    except BrokenProof:
        return False
    return True


def test_the_published_proofs_are_made_and_hold() -> None:
    from_2_to_5 = prove_consistency(SMALL, old_size=2, new_size=5)

    assert prove_consistency(SMALL, old_size=6, new_size=8) == FROM_6_TO_8
    assert [base64.b64encode(found).decode() for found in from_2_to_5.path] == [
        "Xwg/ChozygdqlSeYMlgNs+DvRYS9/x9UyKNg9Q3jAx4=",
        "vBoGQ7EuTS18d5GPROD095qDi2z57FtcKD4fTYhZnms=",
    ]
    check_consistency(FROM_6_TO_8, old_root=ROOTS[6], new_root=ROOTS[8])
    check_consistency(from_2_to_5, old_root=ROOTS[2], new_root=ROOTS[5])


def test_every_pair_of_small_trees_is_consistent_and_no_other_pair_of_roots() -> None:
    roots = [defined_root(HASHES[:tree_size]) for tree_size in range(26)]

    for new_size in range(26):
        for old_size in range(1, new_size + 1):
            proof = prove_consistency(READ, old_size=old_size, new_size=new_size)
            holding = [old for old in range(26) if holds(proof, old_root=roots[old], new_root=roots[new_size])]
            assert holding == [old_size]
            holding = [new for new in range(26) if holds(proof, old_root=roots[old_size], new_root=roots[new])]
            assert holding == [new_size]


@given(st.data())
def test_a_proof_between_any_sizes_holds_and_no_other_size_does(data: st.DataObject) -> None:
    new_size = data.draw(st.integers(1, len(HASHES)))
    old_size = data.draw(st.integers(1, new_size))
    old_root, new_root = defined_root(HASHES[:old_size]), defined_root(HASHES[:new_size])
    proof = prove_consistency(READ, old_size=old_size, new_size=new_size)

    check_consistency(proof, old_root=old_root, new_root=new_root)

    for other in range(1, new_size + 2):
        if other != old_size:
            assert not holds(replace(proof, old_size=other), old_root=old_root, new_root=new_root)


def test_a_tree_that_changed_an_old_leaf_is_refused_whatever_the_path() -> None:
    for changed in range(6):
        leaves = [*LEAVES[:changed], leaf(99), *LEAVES[changed + 1 :]]
        other = prove_consistency(read_from(leaves), old_size=6, new_size=8)

        assert not holds(other, old_root=ROOTS[6], new_root=defined_root(leaves))
        assert not holds(FROM_6_TO_8, old_root=ROOTS[6], new_root=defined_root(leaves))


def test_every_flipped_bit_breaks_the_proof() -> None:
    for place in range(len(FROM_6_TO_8.path)):
        for bit in range(256):
            path = list(FROM_6_TO_8.path)
            path[place] = flip(path[place], bit)
            assert not holds(replace(FROM_6_TO_8, path=tuple(path)), old_root=ROOTS[6], new_root=ROOTS[8])
    for bit in range(256):
        assert not holds(FROM_6_TO_8, old_root=flip(ROOTS[6], bit), new_root=ROOTS[8])
        assert not holds(FROM_6_TO_8, old_root=ROOTS[6], new_root=flip(ROOTS[8], bit))


def test_a_path_that_is_cut_or_longer_is_refused() -> None:
    path = FROM_6_TO_8.path

    for changed in (path[:-1], path[1:], (), (*path, path[0]), (ROOTS[6], *path), path[::-1]):
        assert not holds(replace(FROM_6_TO_8, path=changed), old_root=ROOTS[6], new_root=ROOTS[8])


def test_a_hash_of_another_size_is_refused() -> None:
    empty = Consistency(old_size=0, new_size=0, path=())

    assert not holds(replace(FROM_6_TO_8, path=(b"", b"")), old_root=ROOTS[6], new_root=ROOTS[8])
    assert not holds(empty, old_root=b"", new_root=b"")
    assert not holds(replace(empty, old_size=3, new_size=3), old_root=b"root", new_root=b"root")


def test_from_nothing_and_to_itself_the_path_is_empty() -> None:
    from_nothing = prove_consistency(read_nothing, old_size=0, new_size=8)
    to_itself = prove_consistency(read_nothing, old_size=8, new_size=8)

    assert from_nothing.path == to_itself.path == ()
    check_consistency(from_nothing, old_root=ROOTS[0], new_root=ROOTS[8])
    check_consistency(to_itself, old_root=ROOTS[8], new_root=ROOTS[8])
    assert not holds(to_itself, old_root=ROOTS[8], new_root=ROOTS[7])
    assert not holds(replace(from_nothing, path=(ROOTS[8],)), old_root=ROOTS[0], new_root=ROOTS[8])
    assert not holds(replace(to_itself, path=(ROOTS[8],)), old_root=ROOTS[8], new_root=ROOTS[8])


@pytest.mark.parametrize(("old_size", "new_size"), [(9, 8), (-1, 8), (8, -1), (-1, -1), (2**64, 8)])
def test_sizes_in_the_wrong_order_are_refused(old_size: int, new_size: int) -> None:
    proof = Consistency(old_size=old_size, new_size=new_size, path=())

    assert not holds(proof, old_root=ROOTS[8], new_root=ROOTS[8])


def test_a_whole_path_shows_the_root_at_the_old_size() -> None:
    for new_size in range(2, 40):
        for old_size in range(1, new_size):
            path = prove_prefix(READ, old_size=old_size, new_size=new_size)

            roots = fold_whole_path(path, old_size=old_size, new_size=new_size)

            assert roots == (defined_root(HASHES[:old_size]), defined_root(HASHES[:new_size]))


def test_a_whole_path_of_another_length_is_refused() -> None:
    path = prove_prefix(SMALL, old_size=4, new_size=7)

    for changed in (path[:-1], (*path, path[0]), ()):
        with pytest.raises(BrokenProof):
            fold_whole_path(changed, old_size=4, new_size=7)


def flip(octets: bytes, bit: int) -> bytes:
    changed = bytearray(octets)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)
