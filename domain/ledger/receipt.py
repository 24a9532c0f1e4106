"""Receipts: the ledger's signature that a line is in a stream, for the sender of the command that wrote it.

A log with another line there, or none, contradicts the receipt and convicts the operator.
"""

from datetime import datetime
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from domain.canonical import NotCanonical, check_spelling, encode
from domain.ids import Hex64Field, LedgerNameField, LineHashField, StreamIdField, StreamVersion
from domain.ledger.spelling import Misspelt
from domain.signature import encode_signed, is_signed_by

# Example, one line of a file of receipts (broken here to fit; hash and signature are shortened):
#
#     {"at":"2026-11-18T12:00:00.000Z","hash":"9f02…","ledger":"games.example.org/log","sig":"5c1e…",
#     "stream":"0199c0de-0000-7000-8000-000000000001","version":17}
#
# The line of this SHA-256 is line `version` of the stream, and `at` is its time. `sig` is Ed25519 by the key of the
# ledger of that name, over DSSE's encoding of the type below and of the canonical JSON of the five other members:
#
#     DSSEv1 34 application/vnd.spina.receipt+json 218 {"at":…,"hash":…,"ledger":…,"stream":…,"version":17}
#
# A file has one receipt a line, in canonical JSON, a newline after each. Refused: any other spelling.
#
# The promise of a receipt: LEDGER_DELAY_S after `at` at the latest, a published checkpoint covers the line's leaf.

RECEIPT_PAYLOAD_TYPE = "application/vnd.spina.receipt+json"
# A notary signs once a second; the rest is for a restart, and for clocks that differ.
LEDGER_DELAY_S = 60
# As many as the longest game has lines.
RECEIPTS_MAX = 32_768
RECEIPTS_SIZE_MAX = 16 * 1024 * 1024

_AT = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T(?!24)[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{3}Z$(?!\n)"


class Receipt(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    at: Annotated[str, Meta(pattern=_AT)]
    hash: LineHashField
    ledger: LedgerNameField
    stream: StreamIdField
    version: StreamVersion


class SignedReceipt(Receipt, frozen=True, kw_only=True, forbid_unknown_fields=True):
    sig: Hex64Field


_DECODER = msgspec.json.Decoder(SignedReceipt)


def receipt_message(receipt: Receipt) -> bytes:
    """Encode the message that the ledger signs."""
    fields = {name: getattr(receipt, name) for name in Receipt.__struct_fields__}
    return encode_signed(RECEIPT_PAYLOAD_TYPE, encode(fields))


def is_receipt_signed_by(receipt: SignedReceipt, key_hex: str) -> bool:
    return is_signed_by(receipt_message(receipt), key_hex=key_hex, sig_hex=receipt.sig)


def parse_receipts(raw: bytes) -> tuple[SignedReceipt, ...]:
    """Read a file of receipts, or raise Misspelt."""
    if len(raw) > RECEIPTS_SIZE_MAX or raw.count(b"\n") > RECEIPTS_MAX:
        raise Misspelt(expected=f"at most {RECEIPTS_MAX} receipts in {RECEIPTS_SIZE_MAX} bytes", found="more")
    *lines, rest = raw.split(b"\n")
    if rest:
        raise Misspelt(expected="a newline after the last receipt", found="none")
    return tuple(_parse_receipt(line) for line in lines)


def _parse_receipt(raw: bytes) -> SignedReceipt:
    try:
        receipt = _DECODER.decode(raw)
        check_spelling(raw, encoded=encode(receipt))
        datetime.fromisoformat(receipt.at)
    except NotCanonical as error:
        raise Misspelt(expected=error.expected, found=error.found) from None
    except (msgspec.DecodeError, UnicodeDecodeError, ValueError) as error:
        raise Misspelt(expected="a receipt in canonical JSON", found=str(error)) from None
    return receipt
