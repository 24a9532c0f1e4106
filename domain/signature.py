"""Signatures of inputs: the exact message that a seat's key signs, and its verification.

The only module of the domain that may import cryptography, and only to verify.
"""

import re

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from domain.canonical import Json, encode
from domain.ids import CommandId, LineHash, StreamId

# Example (one message, broken here to fit; the hash is shortened):
#
#     DSSEv1 32 application/vnd.spina.input+json 213 {"base":"9f02…","command":
#     "0199c0de-0000-7000-8000-0000000000c7","data":{"seat":2},"stream":"0199c0de-0000-7000-8000-000000000001",
#     "type":"seat_resigned"}
#
# This is the pre-authentication encoding of DSSE: "DSSEv1" SP size(type) SP type SP size(body) SP body, sizes being
# numbers of bytes in ASCII digits, so that neither part can pass for some of the other. The body is the canonical JSON
# of {"base","command","data","stream","type"}, as they stand in the line. `base` is the SHA-256 of the newest line that
# the signer had seen, so that the signature is one for the stream up to there. The signature is Ed25519, 128 lower-case
# hex digits; the key 64.
#
# Refused: any other spelling, bad signatures, and keys of small order, whose signatures every attacker can make.

INPUT_PAYLOAD_TYPE = "application/vnd.spina.input+json"

# The points of order 1, 2, 4 and 8, in every encoding that a verifier might take, with the sign bit cleared.
_SMALL_ORDER_KEYS = frozenset(
    bytes.fromhex(key)
    for key in (
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    )
)
_KEY = re.compile("[0-9a-f]{64}")
_SIGNATURE = re.compile("[0-9a-f]{128}")


def encode_signed(payload_type: str, body: bytes) -> bytes:
    """Encode the message to sign for a `body` of `payload_type`."""
    type_bytes = payload_type.encode()
    return b"DSSEv1 %d %b %d %b" % (len(type_bytes), type_bytes, len(body), body)


def signed_input(*, base: LineHash, command: CommandId, data: dict[str, Json], stream: StreamId, type_: str) -> bytes:
    """Encode the message that the sender of an input signs."""
    body = encode({"base": base, "command": command, "data": data, "stream": stream, "type": type_})
    return encode_signed(INPUT_PAYLOAD_TYPE, body)


def is_signed_by(message: bytes, *, key_hex: str, sig_hex: str) -> bool:
    """Whether the key signed the message; no for a key or signature that is none. About 60 µs."""
    if not (_KEY.fullmatch(key_hex) and _SIGNATURE.fullmatch(sig_hex)):
        return False
    key = bytes.fromhex(key_hex)
    if _clear_sign(key) in _SMALL_ORDER_KEYS:
        return False
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(bytes.fromhex(sig_hex), message)
    # A key that is no point may be noticed when it is loaded or when it verifies; the library does not state which.
    except (InvalidSignature, ValueError):
        return False
    return True


def _clear_sign(key: bytes) -> bytes:
    return key[:-1] + bytes([key[-1] & 0x7F])
