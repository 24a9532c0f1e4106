"""Ids that nobody chooses: the game of a tournament's table has the one that follows from the table.

So opening it twice is opening one game, and a lost answer is found by asking again. The same of what the server does.
"""

from hashlib import sha256

from domain.ids import DERIVED_VERSION, CommandId, GameId, StreamId, TournamentId

# Example: tournament 0199c0de-0000-7000-8000-000000000001, round 2, table 3, attempt 1
#
#     a3042f4fa81e10386728292534068861 → a3042f4f-a81e-8038-a728-292534068861
#
#     id = the first 16 bytes of H("spina/table/v1" || 0 || tournament || 0 || round || 0 || table || 0 || attempt)
#
# A command of the server's has H("spina/command/v1" || 0 || stream || 0 || what it is, in words that nothing else has).
#
# H is SHA-256, || joins bytes, 0 is one zero byte; numbers are ASCII. Version and variant take their six bits. UUIDs of
# this version are for ids that are derived, so that nobody can open a game in the place of one that is still to come,
# nor use up the id of a command that the clock or the server will have to send.

_VERSION_AT = 14
_VARIANTS = "89ab"


def derive_game(tournament: TournamentId, *, round_: int, table: int, attempt: int) -> GameId:
    """Return the id of the game of a table."""
    parts = ("spina/table/v1", tournament, str(round_), str(table), str(attempt))
    return GameId(StreamId(_as_uuid(sha256("\0".join(parts).encode()).hexdigest())))


def derive_command(stream: StreamId, what: str) -> CommandId:
    """Return the id of a command that the server sends once about a stream, however often it tries."""
    return CommandId(_as_uuid(sha256(f"spina/command/v1\0{stream}\0{what}".encode()).hexdigest()))


def is_derived(text: str) -> bool:
    """Say whether an id is of the kind that nobody may choose."""
    return text[_VERSION_AT] == DERIVED_VERSION


def _as_uuid(hashed: str) -> str:
    variant = _VARIANTS[int(hashed[16], 16) % len(_VARIANTS)]
    return f"{hashed[:8]}-{hashed[8:12]}-{DERIVED_VERSION}{hashed[13:16]}-{variant}{hashed[17:20]}-{hashed[20:32]}"
