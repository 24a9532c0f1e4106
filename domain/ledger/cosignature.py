"""Cosignatures: a witness states that at a time it saw a checkpoint, and that nothing before it was taken back.

C2SP tlog-cosignature/v1 with Ed25519. One key serves one witness's name, which the signed bytes do not contain.
"""

from msgspec import Struct

from domain.ledger.note import NoteSignature
from domain.ledger.note_key import COSIGNATURE, NoteKey
from domain.ledger.spelling import Misspelt

# Example of the signed text, and of the line that goes under the note (broken here to fit):
#
#     cosignature/v1
#     time 1700000000
#     example.com/board-log
#     8
#     XcnaeacGWamtVZy3Ad7ZoqudgjqtL0lgz+Nw7/RgQyg=
#
#     — witness.example/w1 519lMgAAAABlU/EAfDToXPDFmPXivvk+xrDnsDxKAYzsxeIxyN1t9qY7w3kghJlCPZXrn6FBMDrj4p8W755I
#     U0evvu/a03yPuxglCA==
#
#     signed  = "cosignature/v1" newline "time " seconds newline, then the note's whole text
#     payload = seconds as a big-endian uint64 || Ed25519 signature of 64 bytes       behind the key's id in the line
#
# Seconds count from 1970. Refused: a payload that is not of 72 bytes, and a time of 2^63 seconds or more.

TIME_SIZE = 8
SIGNATURE_SIZE = 64


class Cosignature(Struct, frozen=True, kw_only=True):
    time_s: int
    signature: bytes


def cosigned_message(text: str, *, time_s: int) -> bytes:
    """Encode the message that a witness signs for a checkpoint's text."""
    return f"cosignature/v1\ntime {time_s}\n{text}".encode()


def parse_cosignature(payload: bytes) -> Cosignature:
    if len(payload) != TIME_SIZE + SIGNATURE_SIZE:
        raise Misspelt(expected=f"{TIME_SIZE + SIGNATURE_SIZE} bytes of time and signature", found=f"{len(payload)}")
    if payload[0] & 0x80:
        raise Misspelt(expected="a time below 2^63 seconds", found=payload[:TIME_SIZE].hex())
    return Cosignature(time_s=int.from_bytes(payload[:TIME_SIZE], "big"), signature=payload[TIME_SIZE:])


def format_cosignature(cosignature: Cosignature) -> bytes:
    return cosignature.time_s.to_bytes(TIME_SIZE, "big") + cosignature.signature


def build_cosignature_line(key: NoteKey, cosignature: Cosignature) -> NoteSignature:
    assert key.kind == COSIGNATURE, key
    return NoteSignature(name=key.name, key_id=key.key_id, payload=format_cosignature(cosignature))
