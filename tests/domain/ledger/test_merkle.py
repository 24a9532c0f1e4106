"""The tree: its hashes are those of the published vectors and of the definition, however it is grown."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.ledger.merkle import (
    EMPTY_ROOT,
    GrowingTree,
    Span,
    Subtree,
    leaf_hash,
    node_hash,
    root_hash,
    subtrees_of,
)
from tests.domain.ledger.published import LEAVES, ROOTS
from tests.domain.ledger.reference_tree import defined_root, leaf, read_from

HASHES = [leaf(index) for index in range(1_100)]


def grow(leaves: list[bytes]) -> GrowingTree:
    tree = GrowingTree()
    for found in leaves:
        tree.append(found)
    return tree


@pytest.mark.parametrize("tree_size", range(9))
def test_the_roots_are_the_published_ones(tree_size: int) -> None:
    assert grow(LEAVES[:tree_size]).root() == ROOTS[tree_size]
    assert defined_root(LEAVES[:tree_size]) == ROOTS[tree_size]


def test_the_empty_tree_has_the_hash_of_nothing() -> None:
    assert GrowingTree().root() == ROOTS[0] == EMPTY_ROOT


def test_a_leaf_never_hashes_like_a_node() -> None:
    left, right = LEAVES[0], LEAVES[1]

    assert leaf_hash(left + right) != node_hash(left, right)
    assert leaf_hash(b"\x01" + left + right) != node_hash(left, right)


@pytest.mark.parametrize("tree_size", [*range(70), 127, 128, 129, 255, 256, 257, 1_000])
def test_a_grown_tree_has_the_root_of_the_definition(tree_size: int) -> None:
    leaves = HASHES[:tree_size]

    assert grow(leaves).root() == defined_root(leaves)
    assert root_hash(read_from(leaves), tree_size) == defined_root(leaves)


@given(st.integers(0, 300), st.integers(0, 300))
def test_a_tree_goes_on_from_its_peaks(before: int, after: int) -> None:
    first = grow(HASHES[:before])

    second = GrowingTree(first.tree_size, first.peaks)
    for found in HASHES[before : before + after]:
        second.append(found)

    assert second.tree_size == before + after
    assert second.root() == defined_root(HASHES[: before + after])


@given(st.integers(0, 1_000))
def test_a_tree_keeps_one_hash_for_each_perfect_subtree(tree_size: int) -> None:
    tree = grow(HASHES[:tree_size])
    read = read_from(HASHES[:tree_size])

    assert len(tree.peaks) == tree_size.bit_count()
    assert tree.peaks == tuple(read(subtree) for subtree in subtrees_of(Span(first=0, end=tree_size)))


def test_a_tree_does_not_go_on_from_peaks_that_do_not_fit_its_size() -> None:
    with pytest.raises(AssertionError):
        GrowingTree(3, LEAVES[:1])
    with pytest.raises(AssertionError):
        GrowingTree(1, [b"short"])


def test_a_span_is_split_where_the_tree_is() -> None:
    found = list(subtrees_of(Span(first=8, end=15)))

    assert found == [Subtree(level=2, index=2), Subtree(level=1, index=6), Subtree(level=0, index=14)]


def test_leaves_in_another_order_have_another_root() -> None:
    swapped = [*LEAVES[:6], LEAVES[7], LEAVES[6]]

    assert grow(swapped).root() != ROOTS[8]
    assert grow([*LEAVES[:6], LEAVES[6], LEAVES[6]]).root() != grow(LEAVES[:7]).root()
