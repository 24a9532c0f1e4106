"""Spellings: every value of the ledger's texts has exactly one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.ledger.spelling import (
    NUMBER_MAX,
    Misspelt,
    decode_text,
    format_base64,
    parse_base64,
    parse_hash,
    parse_number,
    split_lines,
)


@pytest.mark.parametrize("number", [0, 1, 9, 10, 70_000, 2**53, NUMBER_MAX])
def test_a_number_is_its_digits(number: int) -> None:
    assert parse_number(str(number)) == number


@pytest.mark.parametrize(
    "text",
    [
        *["", " 1", "1 ", "01", "00", "-1", "-0", "+1", "1_0", "1.0", "1e3", "0x1", "\u0661", "1\n"],
        *[str(NUMBER_MAX + 1), "9" * 20, "9" * 10_000],
    ],
)
def test_another_spelling_of_a_number_is_refused(text: str) -> None:
    with pytest.raises(Misspelt):
        parse_number(text)


@given(st.binary(min_size=1, max_size=100))
def test_bytes_are_read_back(octets: bytes) -> None:
    assert parse_base64(format_base64(octets)) == octets


@pytest.mark.parametrize(
    "text",
    ["", "=", "QQ", "QQ=", "QQ===", "QR==", "QUJD\n", " QUJD", "QU JD", "QU\nJD", "_-__", "QQ==QQ==", "QUJDRA", "é==="],
)
def test_another_spelling_of_base64_is_refused(text: str) -> None:
    with pytest.raises(Misspelt):
        parse_base64(text)


@pytest.mark.parametrize("size", [1, 31, 33, 64])
def test_a_hash_has_32_bytes(size: int) -> None:
    assert parse_hash(format_base64(bytes(32))) == bytes(32)

    with pytest.raises(Misspelt):
        parse_hash(format_base64(bytes(size)))


@pytest.mark.parametrize(
    "raw", [b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"a\tb", b"a\r\n", b"a\0", b"\x1f", b"too long to be read"]
)
def test_text_is_utf8_without_controls_and_not_too_long(raw: bytes) -> None:
    assert decode_text("é\u2028 —\n".encode(), size_max=12) == "é\u2028 —\n"

    with pytest.raises(Misspelt):
        decode_text(raw, size_max=12)


def test_only_the_newline_ends_a_line() -> None:
    assert split_lines("one\u2028two\n\nthree\x85\n") == ["one\u2028two", "", "three\x85"]
    assert split_lines("") == []

    with pytest.raises(Misspelt):
        split_lines("one\ntwo")
