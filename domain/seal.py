"""Sealed actions: the hash by which a seat commits to an action before it shows it.

The salt keeps the few possible actions from being guessed; it never touches chance.
"""

from hashlib import sha256

from domain.ids import DecisionId, GameId, Seat

# Example: in game 0199c0de-0000-7000-8000-000000000001 seat 2 answers decision "t1/move/2" with the action
# {"cards":[0,4],"kind":"move","symbol":"red-5"} and a salt of 32 bytes 33 (hex):
#
#     seal     = 97e9…f141 = SHA-256(preimage) in hex
#     preimage = "spina/seal/v1" 0 game 0 seat 0 decision 0 salt action
#
# 0 is one zero byte, which neither a game's id, nor a number, nor a decision's id contains; the salt is 32 bytes; so
# no two different sets of parts have the same preimage. The seat is ASCII digits, the action its canonical bytes.

SALT_SIZE = 32


def seal_action(*, game: GameId, seat: Seat, decision: DecisionId, salt: str, action: bytes) -> str:
    """Seal the canonical bytes of an action with a salt of 64 hex digits, checked where it came in."""
    salt_bytes = bytes.fromhex(salt)
    assert len(salt_bytes) == SALT_SIZE, salt
    return sha256(
        b"\0".join((b"spina/seal/v1", f"{game}\0{seat}\0{decision}".encode(), salt_bytes + action))
    ).hexdigest()
