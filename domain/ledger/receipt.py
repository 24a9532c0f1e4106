"""Receipts: the server's signature that a line is the head of a stream, for the sender of the command.

Its holder can show later that the line was accepted, also where the log was changed afterwards.
"""

from domain.canonical import encode
from domain.ids import LineHash, StreamId, StreamVersion
from domain.signature import encode_signed, is_signed_by

# Example of the signed message (one message, broken here to fit; the hash is shortened):
#
#     DSSEv1 34 application/vnd.spina.receipt+json 136 {"hash":"9f02…","stream":
#     "0199c0de-0000-7000-8000-000000000001","version":17}
#
# The body is the canonical JSON of exactly these three members: the SHA-256 of the line, the id of the stream, and the
# line's version. The signature is Ed25519 by the server's receipt key over DSSE's encoding of type and body.

RECEIPT_PAYLOAD_TYPE = "application/vnd.spina.receipt+json"


def signed_receipt(*, hash_: LineHash, stream: StreamId, version: StreamVersion) -> bytes:
    """Encode the message that the server signs for a stream's last line."""
    body = encode({"hash": hash_, "stream": stream, "version": version})
    return encode_signed(RECEIPT_PAYLOAD_TYPE, body)


def is_receipt_signed_by(receipt: bytes, *, key_hex: str, sig_hex: str) -> bool:
    """Whether the key signed the message of `signed_receipt`."""
    return is_signed_by(receipt, key_hex=key_hex, sig_hex=sig_hex)
