"""What can be asked of a game. Time, seeds and ids arrive in the command: deciding is a function of its arguments."""

from msgspec import Struct

from domain.canonical import Json
from domain.chance import Secret
from domain.game.events import ClockTerms, Demand
from domain.ids import CommandId, DecisionId, GameId, OrganiserId, PlayerId, Seat


class ByPlayer(Struct, frozen=True, kw_only=True):
    player: PlayerId


class ByOrganiser(Struct, frozen=True, kw_only=True):
    organiser: OrganiserId


class ByOperator(Struct, frozen=True):
    pass


class ByClock(Struct, frozen=True):
    pass


class ByServer(Struct, frozen=True):
    pass


# Who asks, as authenticated outside; the game decides whether they may.
Actor = ByPlayer | ByOrganiser | ByOperator | ByClock | ByServer


class Command(Struct, frozen=True, kw_only=True):
    """What all commands carry. `at_ms` is the time of receipt; `sig` signs the input, where a key was registered."""

    id: CommandId
    game: GameId
    at_ms: int
    actor: Actor
    sig: str | None = None


class OpenGame(Command, frozen=True, kw_only=True):
    """The game's id is the command's id. `secret` and `leaf_key` are fresh random bytes, made by the caller."""

    ruleset: str
    ruleset_version: int
    components: str
    seats: int
    options: dict[str, Json]
    clock: ClockTerms | None
    visibility: str
    delay_s: int
    demands: tuple[Demand, ...]
    organisers: dict[OrganiserId, str | None]
    secret: Secret
    leaf_key: str

    def __repr__(self) -> str:
        """Leave out the secret: a command may end up in a traceback."""
        return f"OpenGame(id={self.id!r}, ruleset={self.ruleset!r}, secret=<hidden>)"


class WitnessOpening(Command, frozen=True, kw_only=True):
    proof: str


class TakeSeat(Command, frozen=True, kw_only=True):
    seat: Seat
    anchor: str | None
    links: int
    key: str | None


class LeaveSeat(Command, frozen=True, kw_only=True):
    seat: Seat


class ReadySeat(Command, frozen=True, kw_only=True):
    seat: Seat
    nonce: str | None


class SealAction(Command, frozen=True, kw_only=True):
    """Own custody: the player keeps action and salt, and reveals them later."""

    seat: Seat
    decision: DecisionId
    seal: str


class EntrustAction(Command, frozen=True, kw_only=True):
    """Server custody: the server seals and reveals for the seat. `action` is canonical JSON, as it was sent."""

    seat: Seat
    decision: DecisionId
    action: bytes
    salt: str
    nonce: str | None

    def __repr__(self) -> str:
        """Leave out what the seal hides."""
        return f"EntrustAction(id={self.id!r}, seat={self.seat}, decision={self.decision!r}, action=<hidden>)"


class RevealAction(Command, frozen=True, kw_only=True):
    seat: Seat
    decision: DecisionId
    action: bytes
    salt: str
    nonce: str | None

    def __repr__(self) -> str:
        """Leave out what is not public before it is accepted."""
        return f"RevealAction(id={self.id!r}, seat={self.seat}, decision={self.decision!r}, action=<hidden>)"


class PlayAction(Command, frozen=True, kw_only=True):
    seat: Seat
    decision: DecisionId
    action: bytes
    nonce: str | None


class ExpireClock(Command, frozen=True, kw_only=True):
    seat: Seat
    decision: DecisionId


class ExtendClock(Command, frozen=True, kw_only=True):
    seats: tuple[Seat, ...]
    ms: int
    reason: str


class RemoveSeat(Command, frozen=True, kw_only=True):
    seat: Seat
    reason: str


class Resign(Command, frozen=True, kw_only=True):
    seat: Seat


class AbortGame(Command, frozen=True, kw_only=True):
    reason: str


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
