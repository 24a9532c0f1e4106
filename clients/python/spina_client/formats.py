"""The bytes that a player makes: canonical JSON, links, seals and messages to sign, as docs/proof.md specifies them.

A second spelling of the server's `domain/`, which a client does not import; a test compares the two.
"""

import secrets
from hashlib import sha256
from typing import Any, TypeAlias
from uuid import UUID

import msgspec

# Integers lie within ±(2^53-1), and keys are ASCII: the server refuses all other values.
Json: TypeAlias = bool | int | str | list[Any] | dict[str, Any] | None

INPUT_PAYLOAD_TYPE = b"application/vnd.spina.input+json"
# Random bits of a UUID version 7, on both sides of its variant.
RANDOM_HIGH_BITS = 12
RANDOM_LOW_BITS = 62

_ENCODER = msgspec.json.Encoder(order="sorted")


def encode(value: object) -> bytes:
    """Return canonical JSON: UTF-8 with sorted keys and no spaces."""
    return _ENCODER.encode(value)


def build_links(last: bytes, count: int) -> tuple[str, ...]:
    """Return a chain of links in hex: each is the SHA-256 of the one after it, the first is the anchor."""
    links = [last]
    for _ in range(count):
        links.append(sha256(links[-1]).digest())
    return tuple(link.hex() for link in reversed(links))


def seal_action(*, game: str, seat: int, decision: str, salt: str, action: bytes) -> str:
    """Return the SHA-256 that commits to an action in canonical JSON; the salt is 64 hex digits."""
    parts = (b"spina/seal/v1", game.encode(), b"%d" % seat, decision.encode(), bytes.fromhex(salt) + action)
    return sha256(b"\0".join(parts)).hexdigest()


def signed_input(*, base: str, command: str, data: dict[str, Json], stream: str, type_: str) -> bytes:
    """Return the message that the sender of a command signs: the event, and `base`, the newest line it has seen."""
    body = encode({"base": base, "command": command, "data": data, "stream": stream, "type": type_})
    return b"DSSEv1 %d %b %d %b" % (len(INPUT_PAYLOAD_TYPE), INPUT_PAYLOAD_TYPE, len(body), body)


def build_uuid7(now_ms: int) -> str:
    """Return a fresh id that sorts by the time it was made, in lower case."""
    high, low = secrets.randbits(RANDOM_HIGH_BITS), secrets.randbits(RANDOM_LOW_BITS)
    return str(UUID(int=now_ms << 80 | 0x7 << 76 | high << 64 | 0b10 << 62 | low))
