"""Leaves: the text of the ledger for a line, one spelling, and no way to guess the line by it."""

import hmac
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.ids import LineHash, StreamId, StreamVersion
from domain.ledger.leaf import Leaf, build_leaf, format_leaf, hash_leaf, parse_leaf
from domain.ledger.spelling import Misspelt

GAME = StreamId("0199c0de-0000-7000-8000-000000000001")
LEAF_KEY = bytes(range(32))
LINE_HASH = LineHash(sha256(b"a line").hexdigest())
LEAF = build_leaf(LEAF_KEY, stream=GAME, version=StreamVersion(17), line=LINE_HASH)
RAW = format_leaf(LEAF)


def test_a_leaf_is_stream_version_and_mac_in_one_line() -> None:
    mac = hmac.new(LEAF_KEY, sha256(b"a line").digest(), sha256).hexdigest()

    assert f"{GAME} 17 {mac}\n".encode() == RAW
    assert parse_leaf(RAW) == LEAF


def test_the_example_of_the_format_is_made() -> None:
    leaf = build_leaf(LEAF_KEY, stream=GAME, version=StreamVersion(17), line=LineHash("9f" * 32))

    assert leaf.mac == "a95cb9b5d12c5fd5dcf52e09a1d5fe48e1e49bba372677fa65ed6bd96a90b7a3"


def test_a_leaf_stands_in_the_tree_by_the_hash_of_its_text() -> None:
    assert hash_leaf(LEAF) == sha256(b"\0" + RAW).digest()


def test_another_key_or_line_makes_another_mac() -> None:
    macs = {
        build_leaf(key, stream=GAME, version=StreamVersion(17), line=LineHash(sha256(line).hexdigest())).mac
        for key in (LEAF_KEY, bytes(32))
        for line in (b"a line", b"another line")
    }

    assert len(macs) == 4


@pytest.mark.parametrize("size", [0, 31, 33])
def test_a_leaf_key_has_32_bytes(size: int) -> None:
    with pytest.raises(AssertionError):
        build_leaf(bytes(size), stream=GAME, version=StreamVersion(1), line=LINE_HASH)


@pytest.mark.parametrize("version", ["0", "017", "-1", "+1", "9007199254740992", "1" * 17, "", "1 ", "1.0", "x"])
def test_another_spelling_of_the_version_is_refused(version: str) -> None:
    with pytest.raises(Misspelt):
        parse_leaf(RAW.replace(b" 17 ", f" {version} ".encode()))


def test_the_last_version_is_the_last_integer_of_a_line() -> None:
    assert parse_leaf(RAW.replace(b" 17 ", b" 9007199254740991 ")).version == 2**53 - 1


def test_every_changed_or_cut_byte_is_refused_or_another_leaf() -> None:
    for place in range(len(RAW)):
        for changed in (RAW[:place], RAW[place + 1 :], RAW[:place] + b" " + RAW[place:]):
            with pytest.raises(Misspelt):
                parse_leaf(changed)
        for change in range(1, 256):
            changed = RAW[:place] + bytes([RAW[place] ^ change]) + RAW[place + 1 :]
            try:
                found = parse_leaf(changed)
            except Misspelt:
                continue
            assert format_leaf(found) == changed
            assert found != LEAF


@pytest.mark.parametrize("raw", [RAW + b"\n", RAW + RAW, RAW.upper(), b"\n" + RAW, RAW.replace(b" ", b"  ")])
def test_another_form_is_refused(raw: bytes) -> None:
    with pytest.raises(Misspelt):
        parse_leaf(raw)


@given(st.uuids(), st.integers(1, 2**53 - 1), st.binary(min_size=32, max_size=32))
def test_every_leaf_is_read_back(stream: object, version: int, mac: bytes) -> None:
    leaf = Leaf(stream=StreamId(str(stream)), version=StreamVersion(version), mac=mac.hex())

    assert parse_leaf(format_leaf(leaf)) == leaf
