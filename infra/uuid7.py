"""Ids that sort by the time they were made (UUID version 7), for objects that the server itself names."""

import secrets
from uuid import UUID

# Bits of a version 7 id: 48 of milliseconds, 4 of version, 12 random, 2 of variant, 62 random.
RANDOM_HIGH_BITS = 12
RANDOM_LOW_BITS = 62


def build_uuid7(now_ms: int) -> str:
    """Return a fresh id as lower-case text."""
    high, low = secrets.randbits(RANDOM_HIGH_BITS), secrets.randbits(RANDOM_LOW_BITS)
    return str(UUID(int=now_ms << 80 | 0x7 << 76 | high << 64 | 0b10 << 62 | low))
