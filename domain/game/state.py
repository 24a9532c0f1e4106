"""A game as folded from its log: values only. Consequences are decided elsewhere."""

from typing import Any

import msgspec
from msgspec import Struct, field

from domain.canonical import Json
from domain.game.events import Aim, GameOpened, InputEvent, Offer
from domain.ids import DecisionId, GameId, Hex32Field, PlayerId, Seat, SeatField, StreamVersion
from domain.log.own_links import OwnLinks
from domain.log.state import StreamState
from domain.ruleset.decision import Decision
from domain.ruleset.ruleset import AnyRuleset
from domain.ruleset.script import Written

# A player may change seats a few times; a log of 32,768 lines is not filled by one that sits down and leaves.
SEATINGS_MAX = 8

# Offers of one seat to players by name, after the opening: each may notify a player. Other offers are not bounded, as
# the opener sends guests away by them, and guests must not use that up.
NAMED_OFFERS_MAX = 8


class Held(Struct, frozen=True, kw_only=True, tag="held"):
    player: PlayerId
    key: str | None
    links: OwnLinks | None
    bank_ms: int
    charged_to_ms: int = (
        0  # time up to here has left the bank already: two decisions owed at once are not charged twice
    )
    forfeits: int = 0
    lapses: frozenset[str] = frozenset()  # the turns in which a clock ran out since its last answer
    away_ms: int | None = None  # since the first of these
    is_handed: bool = False  # the stand-in plays for it
    consents: tuple[Aim, ...] = ()
    consents_count: int = 0  # how often it gave one
    is_ready: bool = False
    has_departed: bool = False  # resigned, removed or retired: the rules play on without it


class Vacant(Struct, frozen=True, tag="vacant"):
    pass


class Closed(Struct, frozen=True, tag="closed"):
    """Removed before the start: the seat stays empty in this game."""


SeatStatus = Held | Vacant | Closed


class Opening(Struct, frozen=True, kw_only=True, tag_field="kind", tag="opening"):
    """The content of a seal in the server's custody, and the furthest link that the seat entrusted for its reveals.

    Kept beside the log, never in it.
    """

    seat: SeatField
    action: bytes
    salt: Hex32Field
    link: Hex32Field | None

    def __repr__(self) -> str:
        """Hide everything."""
        return "Opening(<hidden>)"


class FurtherLink(Struct, frozen=True, kw_only=True, tag_field="kind", tag="further_link"):
    """A link entrusted later, in place of those of all openings that the seat has in custody by then."""

    seat: SeatField
    link: Hex32Field

    def __repr__(self) -> str:
        """Hide everything."""
        return "FurtherLink(<hidden>)"


Entrusted = Opening | FurtherLink


class Sealed(Struct, frozen=True, kw_only=True, tag="sealed"):
    """Committed to. `opening` is known only to the server that holds it in custody."""

    seal: str
    version: StreamVersion
    count: int = 1
    by_house: bool = False
    opening: Opening | None = None


class Lapsed(Struct, frozen=True, tag="lapsed"):
    """The clock ran out before anything was sealed: the default action stands."""


class Revealed(Struct, frozen=True, kw_only=True, tag="revealed"):
    action: Json
    by_server: bool


class Unrevealed(Struct, frozen=True, tag="unrevealed"):
    """Sealed, and the clock ran out before it was revealed: a forfeit."""


# The fate of a decision that was owed in secret; no entry: not chosen yet.
Choice = Sealed | Lapsed | Revealed | Unrevealed


class Owed(Struct, frozen=True, kw_only=True):
    """A decision and the instant of the line that created it, from which its clock runs."""

    decision: Decision
    since_ms: int


class Departure(Struct, frozen=True, kw_only=True):
    """A seat that left while a play waited, and how much was written by then: each run notices it at the same place."""

    seat: Seat
    place: int


class Resolution(Struct, frozen=True, kw_only=True):
    """The play of one input: where it started, its events since, and the answers it had to wait for.

    `base` is the game just after that input and before any outcome; a play that was interrupted runs again from there.
    """

    base: "Game"
    first: InputEvent
    past: tuple[Written, ...] = ()
    asked: Decision | None = None
    answers: dict[DecisionId, Any] = field(default_factory=dict)  # decoded actions
    departures: tuple["Departure", ...] = ()  # while it waited


class Game(StreamState, frozen=True, kw_only=True):
    """The whole state on which a command is decided. `board` is the ruleset's; None before the start."""

    id: GameId
    opened: GameOpened
    ruleset: AnyRuleset
    seats: tuple[SeatStatus, ...]
    offers: tuple[Offer | None, ...]  # by seat, also while it is taken
    named_offers: dict[Seat, int] = field(default_factory=dict)  # how often a seat was offered by name
    seatings: dict[PlayerId, int] = field(default_factory=dict)  # how often a player sat down; one sent away used all
    board: Any = None
    choices: dict[DecisionId, Choice] = field(default_factory=dict)
    owed: tuple[Owed, ...] = ()
    departures: tuple[Seat, ...] = ()  # in the order in which they left, all of the game
    given_back_to_ms: int = 0  # no time lost to the server's absence up to here is given back any more
    paused_ms: int | None = None  # since when no clock runs, by consent
    agreed: Aim | None = None  # the aim of the last input, if all who are asked agree
    told: int = 0  # how many of these the rules know of
    resolution: Resolution | None = None
    is_settled: bool = True  # False between an input and its last outcome


def held_seat(game: Game, seat: Seat) -> Held:
    """Return a taken seat; asking for another one is our mistake."""
    status = game.seats[seat]
    assert isinstance(status, Held), f"seat {seat} of {game.id} is {status}"
    return status


def with_seat(game: Game, seat: Seat, status: SeatStatus) -> Game:
    """Return the game with another status of a seat."""
    if game.seats[seat] is status:
        return game
    seats = tuple(status if place == seat else each for place, each in enumerate(game.seats))
    return msgspec.structs.replace(game, seats=seats)


def list_in_custody(game: Game, seat: Seat) -> list[DecisionId]:
    """List the seals that a seat's player entrusted and that were not opened since. Only the custodian knows them."""
    return [
        decision
        for decision, choice in game.choices.items()
        if isinstance(choice, Sealed) and choice.opening is not None
        if choice.opening.seat == seat and not choice.by_house
    ]


def find_owed(game: Game, seat: Seat, decision: DecisionId) -> Owed | None:
    """Return the seat's decision under this id now, if it owes one."""
    for owed in game.owed:
        if owed.decision.id == decision and owed.decision.seat == seat:
            return owed
    return None


def list_unshown(game: Game) -> list[tuple[Decision, Sealed]]:
    """List the seals that must now be revealed, in seat order. For a seat that has left, the rules choose."""
    due = sorted(
        (owed.decision for owed in game.owed if owed.decision.kind == "opening"), key=lambda decision: decision.seat
    )
    choices = [
        (decision, game.choices.get(decision.id)) for decision in due if not held_seat(game, decision.seat).has_departed
    ]
    return [(each, choice) for each, choice in choices if isinstance(choice, Sealed)]
