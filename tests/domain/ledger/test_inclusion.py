"""Inclusion proofs: made ones hold, and no other index, size, hash or path does."""

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.ledger.broken_proof import BrokenProof
from domain.ledger.inclusion import Inclusion, check_inclusion, inclusion_spans, prove_inclusion
from domain.ledger.merkle import node_hash
from tests.domain.ledger.published import LEAVES, PATH_OF_5, ROOTS
from tests.domain.ledger.reference_tree import defined_root, leaf, read_from, read_nothing

HASHES = [leaf(index) for index in range(600)]
READ = read_from(HASHES)
PROOF = Inclusion(index=5, tree_size=8, path=PATH_OF_5)


def holds(proof: Inclusion, *, leaf_: bytes = LEAVES[5], root: bytes = ROOTS[8]) -> bool:
    try:
        check_inclusion(proof, leaf=leaf_, root=root)
    except BrokenProof:
        return False
    return True


def test_the_published_proof_is_made_and_holds() -> None:
    proof = prove_inclusion(read_from(LEAVES), index=5, tree_size=8)

    assert base64.b64encode(LEAVES[5]) == b"QnGia+DYqE8L1UyMMC58s6O10fpngKQLzOKHNHfatlg="
    assert proof == PROOF
    check_inclusion(proof, leaf=LEAVES[5], root=ROOTS[8])


def test_the_last_leaf_of_three_has_the_root_of_two_as_its_path() -> None:
    proof = prove_inclusion(read_from(LEAVES), index=2, tree_size=3)

    assert proof.path == (ROOTS[2],)
    check_inclusion(proof, leaf=LEAVES[2], root=ROOTS[3])


def test_the_only_leaf_needs_no_path() -> None:
    proof = prove_inclusion(read_nothing, index=0, tree_size=1)

    assert proof.path == ()
    check_inclusion(proof, leaf=LEAVES[0], root=ROOTS[1])


@pytest.mark.parametrize("tree_size", range(1, 40))
def test_every_leaf_of_a_small_tree_is_proven(tree_size: int) -> None:
    root = defined_root(HASHES[:tree_size])

    for index in range(tree_size):
        proof = prove_inclusion(READ, index=index, tree_size=tree_size)

        check_inclusion(proof, leaf=HASHES[index], root=root)
        others = [other for other in range(tree_size) if holds(proof, leaf_=HASHES[other], root=root)]
        assert others == [index]


@given(st.data())
def test_a_proof_of_any_tree_holds_and_no_other_place_does(data: st.DataObject) -> None:
    tree_size = data.draw(st.integers(1, len(HASHES)))
    index = data.draw(st.integers(0, tree_size - 1))
    root = defined_root(HASHES[:tree_size])
    proof = prove_inclusion(READ, index=index, tree_size=tree_size)

    check_inclusion(proof, leaf=HASHES[index], root=root)

    for other in range(-1, tree_size + 2):
        assert holds(replace(proof, index=other), leaf_=HASHES[index], root=root) == (other == index)


def test_every_flipped_bit_breaks_the_proof() -> None:
    for place in range(len(PATH_OF_5)):
        for bit in range(256):
            path = (*PATH_OF_5[:place], flip(PATH_OF_5[place], bit), *PATH_OF_5[place + 1 :])
            assert not holds(replace(PROOF, path=path))
    for bit in range(256):
        assert not holds(PROOF, leaf_=flip(LEAVES[5], bit))
        assert not holds(PROOF, root=flip(ROOTS[8], bit))


def test_a_path_that_is_cut_longer_or_in_another_order_is_refused() -> None:
    for end in range(len(PATH_OF_5)):
        assert not holds(replace(PROOF, path=PATH_OF_5[:end]))
        assert not holds(replace(PROOF, path=PATH_OF_5[end + 1 :]))
    for more in (LEAVES[0], ROOTS[8], PATH_OF_5[2]):
        assert not holds(replace(PROOF, path=(*PATH_OF_5, more)))
        assert not holds(replace(PROOF, path=(more, *PATH_OF_5)))
    assert not holds(replace(PROOF, path=PATH_OF_5[::-1]))


@pytest.mark.parametrize("tree_size", [-1, 0, 1, 2, 3, 4, 5, 16, 2**40, 2**63])
def test_a_size_of_another_shape_is_refused(tree_size: int) -> None:
    assert not holds(replace(PROOF, tree_size=tree_size))


@pytest.mark.parametrize(("index", "tree_size"), [(-1, 8), (8, 8), (9, 8), (0, 0), (-1, 0), (2**64, 8)])
def test_an_index_outside_the_tree_is_refused(index: int, tree_size: int) -> None:
    with pytest.raises(BrokenProof):
        check_inclusion(Inclusion(index=index, tree_size=tree_size, path=()), leaf=ROOTS[8], root=ROOTS[8])


def test_a_hash_beyond_the_root_is_refused_also_where_it_leads_to_the_given_root() -> None:
    for more in LEAVES:
        assert not holds(
            Inclusion(index=0, tree_size=1, path=(more,)), leaf_=LEAVES[0], root=node_hash(more, LEAVES[0])
        )
        assert not holds(replace(PROOF, path=(*PATH_OF_5, more)), root=node_hash(more, ROOTS[8]))


@pytest.mark.parametrize("nonsense", [b"", b"\0", bytes(31), bytes(33)])
def test_equal_nonsense_as_leaf_and_root_proves_nothing(nonsense: bytes) -> None:
    with pytest.raises(BrokenProof):
        check_inclusion(Inclusion(index=0, tree_size=1, path=()), leaf=nonsense, root=nonsense)


def test_a_hash_of_another_size_in_the_path_is_refused() -> None:
    for place in range(3):
        for hash_ in (b"", PATH_OF_5[place][:-1], PATH_OF_5[place] + b"\0"):
            assert not holds(replace(PROOF, path=(*PATH_OF_5[:place], hash_, *PATH_OF_5[place + 1 :])))


def test_the_spans_of_a_path_are_all_leaves_but_the_proven_one() -> None:
    for tree_size in range(1, 50):
        for index in range(tree_size):
            spans = inclusion_spans(index=index, tree_size=tree_size)
            covered = sorted(place for span in spans for place in range(span.first, span.end))
            assert covered == [place for place in range(tree_size) if place != index]


def flip(octets: bytes, bit: int) -> bytes:
    changed = bytearray(octets)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)
