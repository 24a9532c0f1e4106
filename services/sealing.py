"""A seal made by hand: what was typed is checked as the server will check it, so that no seal is made in vain."""

import msgspec
from msgspec import Struct

from domain.canonical import NotCanonical, parse
from domain.ids import DecisionIdField, GameIdField, Hex32Field, SeatField
from domain.seal import seal_action
from services.client.seat_secrets import build_salt


class SealRefused(Exception):
    """What was typed can be no part of a seal."""


class Sought(Struct, frozen=True, kw_only=True):
    """As typed."""

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
    try:
        parts = msgspec.convert(
            {"game": sought.game, "seat": sought.seat, "decision": sought.decision, "salt": salt or build_salt()},
            _Parts,
        )
        parse(action)
    except msgspec.ValidationError as error:
        raise SealRefused(str(error)) from None
    except NotCanonical as error:
        raise SealRefused(f"the action must be canonical JSON: {error}") from None
    made = seal_action(game=parts.game, seat=parts.seat, decision=parts.decision, salt=parts.salt, action=action)
    return Sealed(seal=made, salt=parts.salt)
