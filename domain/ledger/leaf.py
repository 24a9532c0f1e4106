"""Leaves: the public ledger's blinded entry for one line of a stream.

Readers of the stream have the leaf key from its first line and can check every leaf. A line that they may not see yet
is hidden by a part of it that cannot be guessed: the id of its command, a link, a salt.
"""

import hmac
import re

from msgspec import Struct

from domain.ids import LineHash, StreamId, StreamVersion
from domain.ledger.merkle import leaf_hash
from domain.ledger.spelling import Misspelt, quote

# Example, the leaf of line 17 of a stream, with the leaf key 00 01 … 1f and a hash of 32 bytes 9f (all in one line):
#
#     0199c0de-0000-7000-8000-000000000001 17
#     a95cb9b5d12c5fd5dcf52e09a1d5fe48e1e49bba372677fa65ed6bd96a90b7a3
#
#     leaf    = stream " " version " " mac newline
#     stream  = the id of the stream, a lower-case UUID
#     version = 1 to 2^53-1 in ASCII digits, without leading zeros
#     mac     = HMAC-SHA-256(leaf key of 32 bytes, hash of the line as 32 bytes), 64 lower-case hex digits
#
# Refused: any other spelling.

LEAF_KEY_SIZE = 32
_HASH_SIZE = 32
_VERSION_MAX = 2**53 - 1

_UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
_LEAF = re.compile(f"({_UUID}) ([1-9][0-9]{{0,15}}) ([0-9a-f]{{64}})\n".encode())


class Leaf(Struct, frozen=True, kw_only=True):
    stream: StreamId
    version: StreamVersion
    mac: str


def build_leaf(leaf_key: bytes, *, stream: StreamId, version: StreamVersion, line: LineHash) -> Leaf:
    """Build the leaf of a line with this hash."""
    line_hash = bytes.fromhex(line)
    assert len(leaf_key) == LEAF_KEY_SIZE, len(leaf_key)
    assert len(line_hash) == _HASH_SIZE, line
    return Leaf(stream=stream, version=version, mac=hmac.digest(leaf_key, line_hash, "sha256").hex())


def format_leaf(leaf: Leaf) -> bytes:
    return f"{leaf.stream} {leaf.version} {leaf.mac}\n".encode("ascii")


def parse_leaf(raw: bytes) -> Leaf:
    match = _LEAF.fullmatch(raw)
    if match is None or int(match[2]) > _VERSION_MAX:
        raise Misspelt(expected="stream, version and mac", found=quote(raw.decode("latin-1")))
    stream, version, mac = (part.decode("ascii") for part in match.groups())
    return Leaf(stream=StreamId(stream), version=StreamVersion(int(version)), mac=mac)


def hash_leaf(leaf: Leaf) -> bytes:
    """Hash the leaf as it stands in the ledger's tree."""
    return leaf_hash(format_leaf(leaf))
