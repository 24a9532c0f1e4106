"""Receipts: the server's signature over an accepted command."""

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from domain.ids import CommandId, LineHash, StreamId, StreamVersion
from domain.ledger.receipt import is_receipt_signed_by, signed_receipt
from domain.signature import signed_input

GAME = StreamId("0199c0de-0000-7000-8000-000000000001")
HASH = LineHash("9f" * 32)
RECEIPT = signed_receipt(hash_=HASH, stream=GAME, version=StreamVersion(17))
PRIVATE_KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
KEY = PRIVATE_KEY.public_key().public_bytes_raw().hex()
SIGNATURE = PRIVATE_KEY.sign(RECEIPT).hex()


def test_a_receipt_is_signed_over_hash_stream_and_version() -> None:
    body = f'{{"hash":"{HASH}","stream":"{GAME}","version":17}}'.encode()

    assert b"DSSEv1 34 application/vnd.spina.receipt+json %d %b" % (len(body), body) == RECEIPT
    assert len(body) == 136


def test_a_receipt_is_by_the_key_that_signed_it() -> None:
    other = signed_receipt(hash_=HASH, stream=GAME, version=StreamVersion(18))

    assert is_receipt_signed_by(RECEIPT, key_hex=KEY, sig_hex=SIGNATURE)
    assert not is_receipt_signed_by(other, key_hex=KEY, sig_hex=SIGNATURE)
    assert not is_receipt_signed_by(RECEIPT, key_hex="11" * 32, sig_hex=SIGNATURE)
    assert not is_receipt_signed_by(RECEIPT, key_hex=KEY, sig_hex="00" * 64)


def test_a_signed_input_is_no_receipt() -> None:
    message = signed_input(command=CommandId(GAME), data={}, stream=GAME, type_="seat_resigned")

    assert not is_receipt_signed_by(RECEIPT, key_hex=KEY, sig_hex=PRIVATE_KEY.sign(message).hex())
