"""Derived ids, which no client chooses: a game of a table has its id from the table, a rematch from the former game.

So opening it twice opens one game, and a lost answer is found by asking again. The server's commands have such ids too.
"""

import hmac
from hashlib import sha256

from domain.ids import DERIVED_VERSION, CommandId, GameId, PlayerId, Seat, StreamId, TournamentId

# Example: tournament 0199c0de-0000-7000-8000-000000000001, round 2, table 3, attempt 1
#
#     a3042f4fa81e10386728292534068861 → a3042f4f-a81e-8038-a728-292534068861
#
#     id = the first 16 bytes of H("spina/table/v1" || 0 || tournament || 0 || round || 0 || table || 0 || attempt)
#
# The n-th rematch of a game has H("spina/rematch/v1" || 0 || game || 0 || n).
#
# A command of the server's has H("spina/command/v1" || 0 || stream || 0 || its subject, in words of its own). A command
# of the clock has HMAC(secret of the stream, the same): its line is in the ledger before a delayed game shows it, and a
# line that can be guessed is found there by its leaf.
#
# The operators' record of a ledger has H("spina/record/v1" || 0 || name of the ledger), and zeros in the place of its
# first six bytes: a database knows such an id by them, and lets the server's role open no stream of it.
#
# The house's player of a seat number has H("spina/house/v1" || 0 || seat).
#
# H is SHA-256, || joins bytes, 0 is one zero byte; numbers are ASCII. Version and variant take their six bits. UUIDs of
# this version are for derived ids, so that no client can open a game in the place of a later one, nor use up the id of
# a command that the clock or the server will have to send.

_VERSION_AT = 14
_VARIANTS = "89ab"
_RECORD_PREFIX = "0" * 12


def derive_game(tournament: TournamentId, *, round_: int, table: int, attempt: int) -> GameId:
    """Return the id of the game of a table."""
    parts = ("spina/table/v1", tournament, str(round_), str(table), str(attempt))
    return GameId(StreamId(_as_uuid(sha256("\0".join(parts).encode()).hexdigest())))


def derive_rematch(former: GameId, number: int) -> GameId:
    """Return the id of a rematch; the next number is for when that one is over."""
    return GameId(StreamId(_as_uuid(sha256(f"spina/rematch/v1\0{former}\0{number}".encode()).hexdigest())))


def derive_command(stream: StreamId, subject: str, *, secret: bytes | None = None) -> CommandId:
    """Return the id of a command that the server sends once about a stream. With a secret, it cannot be guessed."""
    message = f"spina/command/v1\0{stream}\0{subject}".encode()
    hashed = sha256(message).digest() if secret is None else hmac.digest(secret, message, "sha256")
    return CommandId(_as_uuid(hashed.hex()))


def derive_record(ledger: str) -> StreamId:
    """Return the id of the operators' record of a ledger: a ledger has one, and every reader of it knows which."""
    hashed = sha256(f"spina/record/v1\0{ledger}".encode()).hexdigest()
    return StreamId(_as_uuid(_RECORD_PREFIX + hashed[len(_RECORD_PREFIX) :]))


def is_record(stream: StreamId) -> bool:
    """Return whether an id is that of an operators' record."""
    return is_derived(stream) and stream.replace("-", "").startswith(_RECORD_PREFIX)


def derive_house_player(seat: Seat) -> PlayerId:
    """Return the id of the house's player of a seat number, the same on every server."""
    return PlayerId(_as_uuid(sha256(f"spina/house/v1\0{seat}".encode()).hexdigest()))


def is_derived(text: str) -> bool:
    """Return whether an id is a derived one, which no client may choose."""
    return text[_VERSION_AT] == DERIVED_VERSION


def _as_uuid(hashed: str) -> str:
    variant = _VARIANTS[int(hashed[16], 16) % len(_VARIANTS)]
    return f"{hashed[:8]}-{hashed[8:12]}-{DERIVED_VERSION}{hashed[13:16]}-{variant}{hashed[17:20]}-{hashed[20:32]}"
