"""Receipts: the ledger's signature for an accepted line, and the file in which a client keeps them."""

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from domain.canonical import encode
from domain.ids import CommandId, LineHash, StreamId, StreamVersion
from domain.ledger.receipt import SignedReceipt, is_receipt_signed_by, parse_receipts, receipt_message
from domain.ledger.spelling import Misspelt
from domain.signature import signed_input

GAME = StreamId("0199c0de-0000-7000-8000-000000000001")
HASH = LineHash("9f" * 32)
PRIVATE_KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
KEY = PRIVATE_KEY.public_key().public_bytes_raw().hex()
UNSIGNED = SignedReceipt(
    at="2026-11-18T12:00:00.000Z", hash=HASH, ledger="games.example/log", sig="", stream=GAME, version=StreamVersion(17)
)
RECEIPT = msgspec.structs.replace(UNSIGNED, sig=PRIVATE_KEY.sign(receipt_message(UNSIGNED)).hex())
FILE = encode(RECEIPT) + b"\n"


def test_a_receipt_is_signed_over_all_its_members_but_the_signature() -> None:
    body = (
        f'{{"at":"2026-11-18T12:00:00.000Z","hash":"{HASH}","ledger":"games.example/log","stream":"{GAME}",'
        '"version":17}'
    ).encode()

    assert receipt_message(RECEIPT) == b"DSSEv1 34 application/vnd.spina.receipt+json %d %b" % (len(body), body)


@pytest.mark.parametrize(
    "changed",
    [
        {"at": "2026-11-18T12:00:00.001Z"},
        {"hash": LineHash("8f" * 32)},
        {"ledger": "games.example/lag"},
        {"stream": StreamId("0199c0de-0000-7000-8000-000000000002")},
        {"version": StreamVersion(18)},
        {"sig": "00" * 64},
    ],
    ids=str,
)
def test_a_changed_receipt_is_signed_by_no_key(changed: dict[str, object]) -> None:
    assert is_receipt_signed_by(RECEIPT, KEY)
    assert not is_receipt_signed_by(RECEIPT, "11" * 32)
    assert not is_receipt_signed_by(msgspec.structs.replace(RECEIPT, **changed), KEY)


def test_a_signed_input_is_no_receipt() -> None:
    message = signed_input(base=HASH, command=CommandId(GAME), data={}, stream=GAME, type_="seat_resigned")

    assert not is_receipt_signed_by(msgspec.structs.replace(RECEIPT, sig=PRIVATE_KEY.sign(message).hex()), KEY)


def test_a_file_of_receipts_is_read_as_it_was_written() -> None:
    assert parse_receipts(b"") == ()
    assert parse_receipts(FILE * 3) == (RECEIPT,) * 3


def test_a_file_in_any_other_spelling_is_refused() -> None:
    for size in range(1, len(FILE)):
        with pytest.raises(Misspelt):
            parse_receipts(FILE[:size])
    for damaged in (FILE + b"\n", FILE.replace(b":17", b": 17"), FILE.replace(b"11-18", b"13-18"), b"[]\n", b"\xff\n"):
        with pytest.raises(Misspelt):
            parse_receipts(damaged)
