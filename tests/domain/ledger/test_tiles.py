"""Tiles: the files of a tree of a given size, their paths and their content."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.ledger.spelling import NUMBER_MAX, Misspelt
from domain.ledger.tiles import (
    ENTRY_SIZE_MAX,
    Bundle,
    Tile,
    bundles_between,
    decode_bundle,
    decode_tile,
    encode_bundle,
    encode_tile,
    format_bundle_path,
    format_tile_path,
    parse_tile_path,
    tile_width,
    tiles_between,
)
from tests.domain.ledger.reference_tree import leaf

SIZES = [0, 1, 2, 255, 256, 257, 511, 512, 65_535, 65_536, 65_537, 70_000]


@pytest.mark.parametrize(
    ("path", "tile"),
    [
        ("tile/0/x001/x234/067", Tile(level=0, index=1_234_067, width=256)),
        ("tile/0/x123/x456/078", Tile(level=0, index=123_456_078, width=256)),
        ("tile/0/000", Tile(level=0, index=0, width=256)),
        ("tile/0/999.p/1", Tile(level=0, index=999, width=1)),
        ("tile/0/x001/000", Tile(level=0, index=1000, width=256)),
        ("tile/1/001.p/17", Tile(level=1, index=1, width=17)),
        ("tile/63/000.p/255", Tile(level=63, index=0, width=255)),
        ("tile/0/x009/x223/x372/x036/x854/x775/807", Tile(level=0, index=NUMBER_MAX, width=256)),
    ],
)
def test_a_tile_has_one_path(path: str, tile: Tile) -> None:
    assert format_tile_path(tile) == path
    assert parse_tile_path(path) == tile


def test_a_bundle_has_the_path_of_its_tile_among_the_entries() -> None:
    assert format_bundle_path(Bundle(index=273, width=112)) == "tile/entries/273.p/112"
    assert parse_tile_path("tile/entries/273.p/112") == Bundle(index=273, width=112)
    assert parse_tile_path("tile/entries/x001/x234/067") == Bundle(index=1_234_067, width=256)


@given(st.integers(0, 63), st.integers(0, NUMBER_MAX), st.integers(1, 256))
def test_every_path_is_read_back(level: int, index: int, width: int) -> None:
    tile, bundle = Tile(level=level, index=index, width=width), Bundle(index=index, width=width)

    assert parse_tile_path(format_tile_path(tile)) == tile
    assert parse_tile_path(format_bundle_path(bundle)) == bundle


@pytest.mark.parametrize(
    "path",
    [
        "",
        "tile",
        "tile/",
        "tile/0",
        "tile/0/",
        "tile/0/123/456/078",
        "tile/0/x123/x456/x078",
        "tile/0/x000/001",
        "tile/0/x001/x000",
        "tile/0/0",
        "tile/0/00",
        "tile/0/0000",
        "tile/0/X001/000",
        "tile/0/000/",
        "tile/0//000",
        "/tile/0/000",
        "tile/0/000\n",
        "tile/0/000.p/1\n",
        "tile/0/000.p/",
        "tile/0/000.p/0",
        "tile/0/000.p/01",
        "tile/0/000.p/256",
        "tile/0/000.p/257",
        "tile/0/000.p/999",
        "tile/0/000.p/1000",
        "tile/0/000.p/-1",
        "tile/0/000.p/1/2",
        "tile/0/000.q/1",
        "tile/0/000p/1",
        "tile/00/000",
        "tile/01/000",
        "tile/64/000",
        "tile/99/000",
        "tile/-1/000",
        "tile/+1/000",
        "tile/data/000",
        "tile/Entries/000",
        "tile/8/0/000",
        "tile/0/\u0660\u0660\u0661",
        "tile/0/x009/x223/x372/x036/x854/x775/808",
        "tile/0/x999/x999/x999/x999/x999/x999/999",
        "tile/0/" + "x001/" * 7 + "000",
        "tile/0/" + "x001/" * 5_000 + "000",
        "tile/../checkpoint",
        "tile/0/../000",
    ],
)
def test_another_spelling_of_a_path_is_refused(path: str) -> None:
    with pytest.raises(Misspelt):
        parse_tile_path(path)


def test_a_changed_or_cut_path_is_refused_or_another_tile() -> None:
    path = "tile/1/x001/017.p/112"
    tile = parse_tile_path(path)

    for place in range(len(path)):
        changes = [path[:place], path[place + 1 :], path[:place] + path[place + 1 :]]
        changes += [path[:place] + chr(other) + path[place + 1 :] for other in range(256) if chr(other) != path[place]]
        for changed in changes:
            try:
                found = parse_tile_path(changed)
            except Misspelt:
                continue
            written = format_bundle_path(found) if isinstance(found, Bundle) else format_tile_path(found)
            assert written == changed
            assert found != tile


def test_a_tree_of_70000_has_the_tiles_of_the_specification() -> None:
    tiles = list(tiles_between(0, 70_000))

    full = [(tile.level, tile.index) for tile in tiles if tile.width == 256]
    assert full == [*((0, index) for index in range(273)), (1, 0)]
    assert [tile for tile in tiles if tile.width < 256] == [
        Tile(level=0, index=273, width=112),
        Tile(level=1, index=1, width=17),
        Tile(level=2, index=0, width=1),
    ]


def test_a_tree_of_256_has_a_full_tile_and_its_root_above() -> None:
    assert list(tiles_between(0, 256)) == [Tile(level=0, index=0, width=256), Tile(level=1, index=0, width=1)]
    assert list(tiles_between(0, 0)) == []


@pytest.mark.parametrize("old_size", SIZES)
@pytest.mark.parametrize("new_size", SIZES)
def test_what_changes_is_what_the_old_tree_had_not(old_size: int, new_size: int) -> None:
    if old_size <= new_size:
        old, new = set(tiles_between(0, old_size)), set(tiles_between(0, new_size))
        old_bundles, new_bundles = set(bundles_between(0, old_size)), set(bundles_between(0, new_size))

        assert set(tiles_between(old_size, new_size)) == new - old
        assert set(bundles_between(old_size, new_size)) == new_bundles - old_bundles


@pytest.mark.parametrize("tree_size", SIZES)
def test_the_width_of_a_tile_is_the_one_listed(tree_size: int) -> None:
    listed = {(tile.level, tile.index): tile.width for tile in tiles_between(0, tree_size)}

    for level in range(4):
        for index in (0, 1, 2, 3, 254, 255, 256, 272, 273, 274):
            assert tile_width(level, index=index, tree_size=tree_size) == listed.get((level, index), 0)


def test_a_tile_is_its_hashes_one_after_the_other() -> None:
    hashes = [leaf(index) for index in range(17)]

    raw = encode_tile(hashes)

    assert raw == b"".join(hashes)
    assert decode_tile(raw, width=17) == hashes


@pytest.mark.parametrize("width", [1, 16, 18, 256])
def test_a_tile_of_another_width_is_refused(width: int) -> None:
    raw = encode_tile([leaf(index) for index in range(17)])

    with pytest.raises(Misspelt):
        decode_tile(raw, width=width)
    with pytest.raises(Misspelt):
        decode_tile(raw[:-1], width=17)


@given(st.lists(st.binary(max_size=300), min_size=1, max_size=256))
def test_a_bundle_is_read_back(entries: list[bytes]) -> None:
    raw = encode_bundle(entries)

    assert decode_bundle(raw, width=len(entries)) == entries


def test_each_entry_has_its_size_before_it() -> None:
    assert encode_bundle([b"abc", b"", b"d" * 256]) == b"\x00\x03abc\x00\x00\x01\x00" + b"d" * 256
    assert decode_bundle(encode_bundle([b"e" * ENTRY_SIZE_MAX]), width=1) == [b"e" * ENTRY_SIZE_MAX]
    with pytest.raises(AssertionError):
        encode_bundle([b"e" * (ENTRY_SIZE_MAX + 1)])


def test_every_cut_or_longer_bundle_is_refused() -> None:
    raw = encode_bundle([b"one", b"", b"three"])

    cuts = [raw[:size] for size in range(len(raw))]
    for changed in [*cuts, raw + b"\0", raw + b"\0\0", raw + raw]:
        with pytest.raises(Misspelt):
            decode_bundle(changed, width=3)


@pytest.mark.parametrize("width", [1, 2, 4, 256])
def test_a_bundle_of_another_width_is_refused(width: int) -> None:
    with pytest.raises(Misspelt):
        decode_bundle(encode_bundle([b"one", b"", b"three"]), width=width)
