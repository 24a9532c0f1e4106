"""Ids that nobody chooses: the game of a tournament's table has the one that follows from the table.

So opening it twice is opening one game, and a lost answer is found by asking again.
"""

from hashlib import sha256
from uuid import UUID

from domain.ids import GameId, TournamentId

# Example: tournament 0199c0de-0000-7000-8000-000000000001, round 2, table 3, attempt 1
#
#     a3042f4fa81e10386728292534068861 → a3042f4f-a81e-8038-a728-292534068861
#
#     id = the first 16 bytes of H("spina/table/v1" || 0 || tournament || 0 || round || 0 || table || 0 || attempt)
#
# H is SHA-256, || joins bytes, 0 is one zero byte; numbers are ASCII. Version and variant take their six bits. UUIDs of
# this version are for ids that are derived, so that nobody can open a game in the place of one that is still to come.

_DERIVED_VERSION = 8


def derive_game(tournament: TournamentId, *, round_: int, table: int, attempt: int) -> GameId:
    """Return the id of the game of a table."""
    parts = ("spina/table/v1", tournament, str(round_), str(table), str(attempt))
    return GameId(_as_uuid(sha256("\0".join(parts).encode()).digest()))


def is_derived(text: str) -> bool:
    """Say whether an id is of the kind that nobody may choose."""
    return UUID(text).version == _DERIVED_VERSION


def _as_uuid(digest: bytes) -> str:
    number = int.from_bytes(digest[:16], "big")
    number = number & ~(0xF << 76) | _DERIVED_VERSION << 76
    number = number & ~(0x3 << 62) | 0x2 << 62
    return str(UUID(int=number))
