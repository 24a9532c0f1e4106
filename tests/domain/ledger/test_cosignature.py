"""Cosignatures: the text that a witness signs, and the 72 bytes behind the key's id."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.ledger.checkpoint import parse_signed_checkpoint
from domain.ledger.cosignature import (
    Cosignature,
    build_cosignature_line,
    cosigned_message,
    format_cosignature,
    parse_cosignature,
)
from domain.ledger.note_key import parse_note_key
from domain.ledger.spelling import Misspelt
from domain.signature import is_signed_by
from tests.domain.ledger.published import CHECKPOINT, LOG_KEY, WITNESS_KEY
from tests.domain.ledger.signing import TIME_S, WITNESS

NOTE = parse_signed_checkpoint(CHECKPOINT).note


def test_what_is_signed_is_a_header_the_time_and_the_whole_text() -> None:
    assert cosigned_message(NOTE.text, time_s=TIME_S) == (
        b"cosignature/v1\ntime 1700000000\nexample.com/board-log\n8\nXcnaeacGWamtVZy3Ad7ZoqudgjqtL0lgz+Nw7/RgQyg=\n"
    )


def test_the_published_cosignature_is_read_verified_and_made() -> None:
    witness = parse_note_key(WITNESS_KEY)
    line = NOTE.signatures[1]

    cosignature = parse_cosignature(line.payload)

    assert cosignature.time_s == TIME_S
    message = cosigned_message(NOTE.text, time_s=TIME_S)
    assert is_signed_by(message, key_hex=witness.public_key.hex(), sig_hex=cosignature.signature.hex())
    assert build_cosignature_line(witness, cosignature) == line == WITNESS.cosign(NOTE.text)
    assert len(line.key_id + line.payload) == 76


def test_only_a_witness_key_cosigns() -> None:
    with pytest.raises(AssertionError):
        build_cosignature_line(parse_note_key(LOG_KEY), Cosignature(time_s=TIME_S, signature=bytes(64)))


@given(st.integers(0, 2**63 - 1), st.binary(min_size=64, max_size=64))
def test_every_cosignature_is_read_back(time_s: int, signature: bytes) -> None:
    cosignature = Cosignature(time_s=time_s, signature=signature)

    assert parse_cosignature(format_cosignature(cosignature)) == cosignature


@pytest.mark.parametrize("size", [0, 8, 64, 71, 73, 2_428])
def test_a_payload_of_another_size_is_refused(size: int) -> None:
    with pytest.raises(Misspelt):
        parse_cosignature(bytes(size))


def test_a_time_beyond_all_clocks_is_refused() -> None:
    for time_s in (2**63, 2**64 - 1):
        with pytest.raises(Misspelt):
            parse_cosignature(time_s.to_bytes(8, "big") + bytes(64))
