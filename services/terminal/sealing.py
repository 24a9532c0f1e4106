"""A seal made at a shell. Its parts are checked as the server will check them, so that no seal is made in vain."""

from collections.abc import Mapping

import msgspec
from msgspec import Struct

from domain.canonical import NotCanonical, parse
from domain.ids import SEATS_MAX, DecisionIdField, GameIdField, Hex32Field, SeatField
from domain.seal import seal_action
from spina_client.seat_secrets import build_salt

# The expected values, in the words of a player.
EXPECTED: Mapping[str, str] = {
    "game": "the id of a game, a UUID in lower case",
    "seat": f"a seat from 0 to {SEATS_MAX - 1}",
    "decision": "the id of a decision as the board names it, such as t1/move/0",
    "salt": "a salt of 64 hex digits in lower case",
}


class SealRefused(Exception):
    """A typed value can be no part of a seal."""


class Sought(Struct, frozen=True, kw_only=True):
    """The parts of a seal, as typed."""

    game: str
    seat: int
    decision: str
    action: str


class Sealed(Struct, frozen=True, kw_only=True):
    seal: str
    salt: str


class _Parts(Struct, frozen=True, kw_only=True):
    game: GameIdField
    seat: SeatField
    decision: DecisionIdField
    salt: Hex32Field


def seal_with(sought: Sought, salt: str | None) -> Sealed:
    """Seal an action with a salt of 64 hex digits, or with a fresh one. Raises SealRefused."""
    action = sought.action.encode()
    typed = {"game": sought.game, "seat": sought.seat, "decision": sought.decision, "salt": salt or build_salt()}
    try:
        parts = msgspec.convert(typed, _Parts)
        parse(action)
    except msgspec.ValidationError as error:
        raise _refuse(typed, str(error)) from None
    except NotCanonical as error:
        raise SealRefused(f"expected the action in canonical JSON: {error}") from None
    made = seal_action(game=parts.game, seat=parts.seat, decision=parts.decision, salt=parts.salt, action=action)
    return Sealed(seal=made, salt=parts.salt)


def _refuse(typed: Mapping[str, object], refusal: str) -> SealRefused:
    """Refuse a typed value in words where the decoder has a pattern; a salt is not repeated."""
    name = refusal.rpartition("`$.")[2].removesuffix("`")
    found = f"{len(str(typed[name]))} characters" if name == "salt" else ascii(typed[name])
    return SealRefused(f"expected {EXPECTED[name]}, found {found}")
