"""Reading all entries of a log: the root that they lead to, and the first leaf that is out of turn."""

import pytest

from domain.ids import StreamId, StreamVersion
from domain.ledger.entry_reader import EntryReader
from domain.ledger.leaf import Leaf, format_leaf
from domain.ledger.merkle import GrowingTree, leaf_hash
from domain.ledger.spelling import Misspelt
from domain.ledger.tiles import TILE_WIDTH, encode_bundle

ONE, OTHER = (StreamId(f"0199c0de-0000-7000-8000-00000000000{number}") for number in (1, 2))


def entry(stream: StreamId, version: int, mac: str = "ab" * 32) -> bytes:
    return format_leaf(Leaf(stream=stream, version=StreamVersion(version), mac=mac))


def read(reader: EntryReader, entries: list[bytes]) -> EntryReader:
    for bundle in reader.list_missing(len(entries)):
        first = bundle.index * TILE_WIDTH
        reader.add(bundle, encode_bundle(entries[first : first + bundle.width]))
    return reader


def root_of(entries: list[bytes]) -> bytes:
    tree = GrowingTree()
    for each in entries:
        tree.append(leaf_hash(each))
    return tree.root()


def test_entries_lead_to_the_root_of_the_tree_in_one_reading_or_in_many() -> None:
    entries = [entry(ONE, version) for version in range(1, 700)]
    reader = EntryReader()

    for size in (1, 2, 255, 256, 257, 600, 699):
        assert read(reader, entries[:size]).root() == root_of(entries[:size])

    assert reader.tree_size == 699
    assert reader.fault is None


def test_the_leaves_of_a_stream_that_is_asked_for_are_kept_in_their_order() -> None:
    entries = [entry(ONE, 1), entry(OTHER, 1), entry(ONE, 2), entry(OTHER, 2)]

    reader = read(EntryReader([ONE]), entries)

    assert [(leaf.stream, leaf.version) for leaf in reader.leaves[ONE]] == [(ONE, 1), (ONE, 2)]
    assert OTHER not in reader.leaves


@pytest.mark.parametrize(
    ("later", "expected"),
    [
        (entry(ONE, 3, "cd" * 32), 4),  # the last line again, with another content
        (entry(ONE, 3), 4),  # and with the same
        (entry(ONE, 2, "cd" * 32), 4),
        (entry(ONE, 5), 4),  # a gap
        (entry(OTHER, 2), 1),  # no first line
    ],
)
def test_a_leaf_that_is_not_the_next_one_of_its_stream_is_told(later: bytes, expected: int) -> None:
    entries = [entry(ONE, 1), entry(ONE, 2), entry(ONE, 3), later, entry(ONE, 4)]

    fault = read(EntryReader(), entries).fault

    assert fault is not None
    assert (fault.index, fault.expected_version) == (3, expected)


def test_bytes_that_are_no_entries_are_refused() -> None:
    for raw in (b"", b"\0\1x", encode_bundle([b"x"]), encode_bundle([entry(ONE, 1)]) + b"\0"):
        reader = EntryReader()
        with pytest.raises(Misspelt):
            reader.add(next(reader.list_missing(1)), raw)
