"""What can be asked of a game. Time, seeds and ids arrive in the command: deciding is a function of its arguments.

Fields are of the types that a line may hold; whoever decides checks them first.
"""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from domain.canonical import Json
from domain.chance import Secret
from domain.game.events import ClockTerms, TournamentTable
from domain.ids import (
    CommandIdField,
    DecisionIdField,
    GameIdField,
    Hex32Field,
    Hex64Field,
    OrganiserIdField,
    SeatField,
)
from domain.log.actors import Actor
from domain.log.events import LINKS_MAX, Demand, Reason
from domain.log.record import AT_MAX_MS


class Command(Struct, frozen=True, kw_only=True):
    """What all commands carry. `at_ms` is the time of receipt; `sig` signs the input, where a key was registered."""

    id: CommandIdField
    game: GameIdField
    at_ms: Annotated[int, Meta(ge=0, le=AT_MAX_MS)]
    actor: Actor
    sig: Hex64Field | None = None


class OpenGame(Command, frozen=True, kw_only=True, tag="open_game"):
    """The game's id is the command's id. `secret` and `leaf_key` are fresh random bytes, made by the caller."""

    ruleset: str
    ruleset_version: int
    components: Hex32Field
    seats: int
    options: dict[str, Json]
    clock: ClockTerms | None
    visibility: str
    delay_s: int
    demands: tuple[Demand, ...]
    organisers: dict[OrganiserIdField, Hex32Field | None]
    secret: Secret
    leaf_key: Hex32Field
    table: TournamentTable | UnsetType = UNSET

    def __repr__(self) -> str:
        """Leave out the secret: a command may end up in a traceback."""
        return f"OpenGame(id={self.id!r}, ruleset={self.ruleset!r}, secret=<hidden>)"


class WitnessOpening(Command, frozen=True, kw_only=True, tag="witness_opening"):
    proof: str


class TakeSeat(Command, frozen=True, kw_only=True, tag="take_seat"):
    seat: SeatField
    anchor: Hex32Field | None
    links: Annotated[int, Meta(ge=0, le=LINKS_MAX)]
    key: Hex32Field | None


class LeaveSeat(Command, frozen=True, kw_only=True, tag="leave_seat"):
    seat: SeatField


class ReadySeat(Command, frozen=True, kw_only=True, tag="ready_seat"):
    seat: SeatField
    nonce: Hex32Field | None


class SealAction(Command, frozen=True, kw_only=True, tag="seal_action"):
    """Own custody: the player keeps action and salt, and reveals them later."""

    seat: SeatField
    decision: DecisionIdField
    seal: Hex32Field


class EntrustAction(Command, frozen=True, kw_only=True, tag="entrust_action"):
    """Server custody: the server seals and reveals for the seat. `action` is canonical JSON, as it was sent.

    `nonce` is the furthest link that the seat needs for all it owes in secret or has in the server's custody unopened.
    """

    seat: SeatField
    decision: DecisionIdField
    action: bytes
    salt: Hex32Field
    nonce: Hex32Field | None

    def __repr__(self) -> str:
        """Leave out what the seal hides."""
        return f"EntrustAction(id={self.id!r}, seat={self.seat}, decision={self.decision!r}, action=<hidden>)"


class RevealAction(Command, frozen=True, kw_only=True, tag="reveal_action"):
    """`entrusted_link` as in PlayAction."""

    seat: SeatField
    decision: DecisionIdField
    action: bytes
    salt: Hex32Field
    nonce: Hex32Field | None
    entrusted_link: Hex32Field | None = None

    def __repr__(self) -> str:
        """Leave out what is not public before it is accepted."""
        return f"RevealAction(id={self.id!r}, seat={self.seat}, decision={self.decision!r}, action=<hidden>)"


class PlayAction(Command, frozen=True, kw_only=True, tag="play_action"):
    """`nonce` overtakes the links that the seat entrusted, so `entrusted_link` is one further on.

    It is as many places after `nonce` as the seat has choices in the server's custody unopened, or the last that the
    seat has; None where there is no such choice, or no link after `nonce`.
    """

    seat: SeatField
    decision: DecisionIdField
    action: bytes
    nonce: Hex32Field | None
    entrusted_link: Hex32Field | None = None

    def __repr__(self) -> str:
        """Leave out what is never public."""
        return f"PlayAction(id={self.id!r}, seat={self.seat}, decision={self.decision!r}, entrusted_link=<hidden>)"


class ExpireClock(Command, frozen=True, kw_only=True, tag="expire_clock"):
    seat: SeatField
    decision: DecisionIdField


class ExtendClock(Command, frozen=True, kw_only=True, tag="extend_clock"):
    seats: tuple[SeatField, ...]
    ms: int
    reason: Reason


class RemoveSeat(Command, frozen=True, kw_only=True, tag="remove_seat"):
    seat: SeatField
    reason: Reason


class Resign(Command, frozen=True, kw_only=True, tag="resign"):
    seat: SeatField


class AbortGame(Command, frozen=True, kw_only=True, tag="abort_game"):
    reason: Reason


GameCommand = (
    WitnessOpening
    | TakeSeat
    | LeaveSeat
    | ReadySeat
    | SealAction
    | EntrustAction
    | RevealAction
    | PlayAction
    | ExpireClock
    | ExtendClock
    | RemoveSeat
    | Resign
    | AbortGame
)
