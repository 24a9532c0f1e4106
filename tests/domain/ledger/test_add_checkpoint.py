"""Requests to a witness and its answers as text: read and written again, and every damage refused or another one."""

import pytest
from msgspec.structs import replace

from domain.ledger.add_checkpoint import (
    REQUEST_SIZE_MAX,
    AddCheckpoint,
    format_add_checkpoint,
    format_witness_size,
    parse_add_checkpoint,
    parse_witness_size,
)
from domain.ledger.checkpoint import parse_signed_checkpoint
from domain.ledger.note import format_signatures, parse_signatures
from domain.ledger.proof import PATH_LENGTH_MAX
from domain.ledger.spelling import NUMBER_MAX, Misspelt, format_base64
from tests.domain.ledger.published import CHECKPOINT, ROOTS
from tests.domain.ledger.signing import WITNESS

HASH = format_base64(ROOTS[2]) + "\n"
REQUEST = AddCheckpoint(old_size=6, path=(ROOTS[2], ROOTS[3]), signed=parse_signed_checkpoint(CHECKPOINT))
RAW = (f"old 6\n{HASH}{format_base64(ROOTS[3])}\n\n").encode() + CHECKPOINT


def test_a_request_is_read_and_written_again() -> None:
    assert parse_add_checkpoint(RAW) == REQUEST
    assert format_add_checkpoint(REQUEST) == RAW


def test_the_first_request_has_no_proof() -> None:
    first = replace(REQUEST, old_size=0, path=())

    assert format_add_checkpoint(first) == b"old 0\n\n" + CHECKPOINT
    assert parse_add_checkpoint(b"old 0\n\n" + CHECKPOINT) == first


@pytest.mark.parametrize(
    "head",
    [
        "",
        "\n",
        "old\n\n",
        "old 6\n",
        "old 06\n\n",
        "old -6\n\n",
        "old  6\n\n",
        "old 6 \n\n",
        "Old 6\n\n",
        "old 6\r\n\r\n",
        "old six\n\n",
        "old 6\nold 6\n\n",
        f"old {NUMBER_MAX + 1}\n\n",
        "old 6\nQUJD\n\n",
        f"old 6\n{HASH[:-2]}\n\n",
        f"old 6\n {HASH}\n",
        f"old 6\n{HASH}\n\n",
        f"\nold 6\n{HASH}\n",
        "old 6\n" + HASH * (PATH_LENGTH_MAX + 1) + "\n",
    ],
)
def test_another_form_is_refused(head: str) -> None:
    with pytest.raises(Misspelt):
        parse_add_checkpoint(head.encode() + CHECKPOINT)


def test_what_is_too_large_is_refused_before_anything_else() -> None:
    with pytest.raises(Misspelt) as refused:
        parse_add_checkpoint(b"old 6\n\n" + b"a" * REQUEST_SIZE_MAX + CHECKPOINT)

    assert refused.value.expected == f"at most {REQUEST_SIZE_MAX} bytes"


def test_a_request_has_at_most_63_hashes() -> None:
    raw = ("old 6\n" + HASH * PATH_LENGTH_MAX + "\n").encode() + CHECKPOINT

    assert len(parse_add_checkpoint(raw).path) == PATH_LENGTH_MAX


def test_every_changed_or_cut_byte_is_refused_or_another_request() -> None:
    for place in range(len(RAW)):
        changes = [RAW[:place], RAW[place + 1 :], RAW[:place] + RAW[place + 1 :]]
        changes += [RAW[:place] + bytes([RAW[place] ^ change]) + RAW[place + 1 :] for change in (0x01, 0x20, 0x80)]
        for changed in changes:
            try:
                found = parse_add_checkpoint(changed)
            except Misspelt:
                continue
            assert format_add_checkpoint(found) == changed
            assert found != REQUEST


def test_the_answer_of_a_witness_is_signature_lines() -> None:
    lines = (WITNESS.cosign("text\n"), WITNESS.cosign("text\n", time_s=1))

    assert parse_signatures(format_signatures(lines)) == lines


@pytest.mark.parametrize("tree_size", [0, 1, 20_852_014, NUMBER_MAX])
def test_the_size_that_a_witness_has_is_read_back(tree_size: int) -> None:
    assert parse_witness_size(format_witness_size(tree_size)) == tree_size


@pytest.mark.parametrize("raw", [b"", b"\n", b"8", b"08\n", b"8\n\n", b"8\r\n", b" 8\n", b"8 \n", b"8\n8\n", b"9" * 30])
def test_another_spelling_of_a_size_is_refused(raw: bytes) -> None:
    with pytest.raises(Misspelt):
        parse_witness_size(raw)
