"""Trees in tiles: grown and read through tiles they are the same as computed from all leaves at once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.ledger.consistency import check_consistency, consistency_spans, prove_consistency
from domain.ledger.inclusion import check_inclusion, inclusion_spans, prove_inclusion
from domain.ledger.merkle import EMPTY_ROOT, GrowingTree, Span, Subtree, root_hash
from domain.ledger.spelling import Misspelt
from domain.ledger.tile_hashes import GrowingTiles, TileHashes, TileMissing, partial_tiles_of, tiles_under
from domain.ledger.tiles import Tile, encode_tile, tile_width, tiles_between
from tests.domain.ledger.reference_tree import defined_root, leaf, read_from

LEAVES = [leaf(index) for index in range(70_001)]
READ = read_from(LEAVES)
SIZES = [1, 2, 255, 256, 257, 511, 512, 513, 65_535, 65_536, 65_537, 65_792, 70_000]


def defined_tile(tile: Tile) -> bytes:
    """The contents of a tile as the specification has it: the roots of runs of 256^level leaves."""
    run = 256**tile.level
    first = tile.index * 256
    return b"".join(defined_root(LEAVES[place * run : (place + 1) * run]) for place in range(first, first + tile.width))


def tiles_of(tree_size: int) -> dict[Tile, bytes]:
    return {
        tile: encode_tile(
            [
                READ(Subtree(level=8 * tile.level, index=place))
                for place in range(tile.index * 256, tile.index * 256 + tile.width)
            ]
        )
        for tile in tiles_between(0, tree_size)
    }


@pytest.mark.parametrize("tree_size", SIZES)
def test_growing_gives_every_tile_of_the_size_and_its_root(tree_size: int) -> None:
    growing = GrowingTiles()

    given_tiles = dict(growing.extend(LEAVES[:tree_size]))

    assert all(tile.width == 256 for tile in given_tiles)
    assert given_tiles | dict(growing.partial()) == tiles_of(tree_size)
    assert growing.tree_size == tree_size
    assert growing.root() == root_hash(READ, tree_size)


def test_tiles_hold_the_roots_that_the_specification_says() -> None:
    tiles = tiles_of(70_000)

    for tile in (
        Tile(level=0, index=0, width=256),
        Tile(level=0, index=273, width=112),
        Tile(level=1, index=1, width=17),
        Tile(level=2, index=0, width=1),
    ):
        assert tiles[tile] == defined_tile(tile)


@pytest.mark.parametrize("before", [0, 1, 255, 256, 257, 65_535, 65_536])
@pytest.mark.parametrize("after", [0, 1, 255, 256, 600, 4_000])
def test_growth_goes_on_from_the_partial_tiles_alone(before: int, after: int) -> None:
    tiles = tiles_of(before)
    growing = GrowingTiles(before, {tile: tiles[tile] for tile in partial_tiles_of(before)})

    new = dict(growing.extend(LEAVES[before : before + after])) | dict(growing.partial())

    wanted = tiles_of(before + after)
    assert set(tiles_between(before, before + after)) <= set(new)
    assert all(wanted[tile] == raw for tile, raw in new.items())
    assert growing.root() == root_hash(READ, before + after)


@given(st.lists(st.integers(0, 700), max_size=8))
def test_the_root_is_the_same_however_the_leaves_arrive(batches: list[int]) -> None:
    growing, tree, place = GrowingTiles(), GrowingTree(), 0

    for count in batches:
        list(growing.extend(LEAVES[place : place + count]))
        for found in LEAVES[place : place + count]:
            tree.append(found)
        place += count

        assert growing.root() == tree.root() == root_hash(READ, place)


def test_an_empty_tree_has_no_tiles() -> None:
    growing = GrowingTiles()

    assert growing.partial() == []
    assert growing.root() == EMPTY_ROOT


@pytest.mark.parametrize("tree_size", [2, 256, 300])
def test_growth_does_not_go_on_from_other_tiles_than_the_partial_ones(tree_size: int) -> None:
    tiles = tiles_of(tree_size)

    with pytest.raises(AssertionError):
        GrowingTiles(tree_size + 1, {tile: tiles[tile] for tile in partial_tiles_of(tree_size)})
    with pytest.raises(AssertionError):
        GrowingTiles(tree_size)


@pytest.mark.parametrize("tree_size", [1, 255, 256, 257, 65_535, 65_536, 70_000])
def test_a_proof_reads_only_the_tiles_it_was_said_to_need(tree_size: int) -> None:
    tiles, root = tiles_of(tree_size), root_hash(READ, tree_size)

    for index in {0, 1, 255, 256, 65_535, tree_size // 2, tree_size - 1}:
        if index < tree_size:
            needed = tiles_under(inclusion_spans(index=index, tree_size=tree_size), tree_size=tree_size)
            proof = prove_inclusion(
                TileHashes({tile: tiles[tile] for tile in needed}), index=index, tree_size=tree_size
            )

            check_inclusion(proof, leaf=LEAVES[index], root=root)
            assert len(needed) <= 2 * 3


@pytest.mark.parametrize("old_size", [1, 2, 200, 255, 256, 257, 65_535, 65_536, 69_999])
@pytest.mark.parametrize("new_size", [257, 65_535, 65_536, 70_000])
def test_a_consistency_proof_reads_only_the_tiles_it_was_said_to_need(old_size: int, new_size: int) -> None:
    if old_size <= new_size:
        tiles = tiles_of(new_size)
        needed = tiles_under(consistency_spans(old_size=old_size, new_size=new_size), tree_size=new_size)

        proof = prove_consistency(
            TileHashes({tile: tiles[tile] for tile in needed}), old_size=old_size, new_size=new_size
        )

        check_consistency(proof, old_root=root_hash(READ, old_size), new_root=root_hash(READ, new_size))


def test_the_tiles_under_the_whole_tree_are_its_edge() -> None:
    needed = tiles_under([Span(first=0, end=70_000)], tree_size=70_000)
    tiles = tiles_of(70_000)

    assert needed == [
        Tile(level=0, index=273, width=112),
        Tile(level=1, index=1, width=17),
        Tile(level=2, index=0, width=1),
    ]
    assert root_hash(TileHashes({tile: tiles[tile] for tile in needed}), 70_000) == root_hash(READ, 70_000)


def test_a_wider_tile_serves_a_smaller_tree() -> None:
    wide = Tile(level=0, index=0, width=200)
    read = TileHashes({wide: encode_tile(LEAVES[:200])})

    proof = prove_inclusion(read, index=7, tree_size=100)

    check_inclusion(proof, leaf=LEAVES[7], root=root_hash(READ, 100))


def test_a_hash_that_is_in_no_given_tile_is_missing() -> None:
    read = TileHashes({Tile(level=0, index=0, width=100): encode_tile(LEAVES[:100])})

    with pytest.raises(TileMissing) as missing:
        prove_inclusion(read, index=7, tree_size=101)

    assert missing.value.tile == Tile(level=0, index=0, width=101)
    with pytest.raises(TileMissing):
        read(Subtree(level=8, index=0))


def test_a_subtree_that_a_tile_holds_only_in_part_is_missing() -> None:
    read = TileHashes({Tile(level=0, index=0, width=3): encode_tile(LEAVES[:3])})

    assert read(Subtree(level=1, index=0)) == READ(Subtree(level=1, index=0))
    with pytest.raises(TileMissing):
        read(Subtree(level=1, index=1))


def test_a_changed_byte_in_a_needed_tile_breaks_the_proof() -> None:
    tile = Tile(level=0, index=0, width=tile_width(0, index=0, tree_size=20))
    raw = encode_tile(LEAVES[:20])
    honest = prove_inclusion(TileHashes({tile: raw}), index=7, tree_size=20)

    for place in range(len(raw)):
        changed = raw[:place] + bytes([raw[place] ^ 1]) + raw[place + 1 :]
        proof = prove_inclusion(TileHashes({tile: changed}), index=7, tree_size=20)
        # The proven leaf itself is not in its own proof.
        assert (proof == honest) == (place // 32 == 7)


def test_a_tile_of_another_size_than_its_width_is_refused() -> None:
    with pytest.raises(Misspelt):
        TileHashes({Tile(level=0, index=0, width=3): encode_tile(LEAVES[:2])})
