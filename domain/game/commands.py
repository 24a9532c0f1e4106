"""What can be asked of a game. Time, seeds and ids arrive in the command: deciding is a function of its arguments."""

from msgspec import Struct

from domain.canonical import Json
from domain.chance import Secret
from domain.game.events import ClockTerms, Demand
from domain.ids import CommandId, DecisionId, GameId, OrganiserId, PlayerId, Seat


class ByPlayer(Struct, frozen=True, kw_only=True, tag="by_player"):
    player: PlayerId


class ByOrganiser(Struct, frozen=True, kw_only=True, tag="by_organiser"):
    organiser: OrganiserId


class ByOperator(Struct, frozen=True, tag="by_operator"):
    pass


class ByClock(Struct, frozen=True, tag="by_clock"):
    pass


class ByServer(Struct, frozen=True, tag="by_server"):
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


class OpenGame(Command, frozen=True, kw_only=True, tag="open_game"):
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


class WitnessOpening(Command, frozen=True, kw_only=True, tag="witness_opening"):
    proof: str


class TakeSeat(Command, frozen=True, kw_only=True, tag="take_seat"):
    seat: Seat
    anchor: str | None
    links: int
    key: str | None


class LeaveSeat(Command, frozen=True, kw_only=True, tag="leave_seat"):
    seat: Seat


class ReadySeat(Command, frozen=True, kw_only=True, tag="ready_seat"):
    seat: Seat
    nonce: str | None


class SealAction(Command, frozen=True, kw_only=True, tag="seal_action"):
    """Own custody: the player keeps action and salt, and reveals them later."""

    seat: Seat
    decision: DecisionId
    seal: str


class EntrustAction(Command, frozen=True, kw_only=True, tag="entrust_action"):
    """Server custody: the server seals and reveals for the seat. `action` is canonical JSON, as it was sent."""

    seat: Seat
    decision: DecisionId
    action: bytes
    salt: str
    nonce: str | None

    def __repr__(self) -> str:
        """Leave out what the seal hides."""
        return f"EntrustAction(id={self.id!r}, seat={self.seat}, decision={self.decision!r}, action=<hidden>)"


class RevealAction(Command, frozen=True, kw_only=True, tag="reveal_action"):
    seat: Seat
    decision: DecisionId
    action: bytes
    salt: str
    nonce: str | None

    def __repr__(self) -> str:
        """Leave out what is not public before it is accepted."""
        return f"RevealAction(id={self.id!r}, seat={self.seat}, decision={self.decision!r}, action=<hidden>)"


class PlayAction(Command, frozen=True, kw_only=True, tag="play_action"):
    seat: Seat
    decision: DecisionId
    action: bytes
    nonce: str | None


class ExpireClock(Command, frozen=True, kw_only=True, tag="expire_clock"):
    seat: Seat
    decision: DecisionId


class ExtendClock(Command, frozen=True, kw_only=True, tag="extend_clock"):
    seats: tuple[Seat, ...]
    ms: int
    reason: str


class RemoveSeat(Command, frozen=True, kw_only=True, tag="remove_seat"):
    seat: Seat
    reason: str


class Resign(Command, frozen=True, kw_only=True, tag="resign"):
    seat: Seat


class AbortGame(Command, frozen=True, kw_only=True, tag="abort_game"):
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
