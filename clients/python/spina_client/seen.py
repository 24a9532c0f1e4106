"""Answers, games and lists as a client reads them. Fields that a later release adds are ignored.

Must agree with the answers of services/api/; tests read each of these from a running server.
"""

from collections.abc import Mapping
from typing import Literal

import msgspec
from msgspec import Struct, field

from spina_client.formats import Json
from spina_client.ids import DecisionId, GameId, LineHash, PlayerId, Seat, StreamVersion

Status = Literal["open", "running", "finished", "aborted"]


class Account(Struct, frozen=True, kw_only=True):
    """A player's account. Its token is the secret: with it any program plays as this account."""

    id: PlayerId
    name: str
    token: str

    def __repr__(self) -> str:
        return f"Account(id={self.id!r}, name={self.name!r}, token=<hidden>)"


class Owner(Struct, frozen=True, kw_only=True):
    """The player whose token a request had."""

    id: PlayerId
    name: str


class Receipt(Struct, frozen=True, kw_only=True):
    """The ledger's signature that the line of this hash is line `version` of a stream."""

    at: str
    hash: LineHash
    ledger: str
    sig: str
    stream: str
    version: StreamVersion


class Accepted(Struct, frozen=True, kw_only=True):
    """An accepted command: the versions it wrote, and the hash of its last line with the ledger's receipt for it."""

    game: GameId
    first_version: StreamVersion
    last_version: StreamVersion
    head: LineHash
    receipt: Receipt | None = None


class SeatSeen(Struct, frozen=True, kw_only=True):
    """A seat of a game, and its player."""

    seat: Seat
    status: Literal["held", "vacant", "closed"]
    player: PlayerId | None = None
    last_link: str | None = None
    links_left: int = 0
    is_ready: bool = False
    has_departed: bool = False
    # The bot of a seat of the house.
    house: str | None = None
    # Where this bot plays for the seat's player, until the seat is taken back.
    is_handed: bool = False


class OwedSeen(Struct, frozen=True, kw_only=True):
    """A decision that the game waits for, and until when."""

    seat: Seat
    decision: DecisionId
    kind: Literal["plain", "sealed", "opening"]
    is_waited_for: bool
    deadline: str | None = None


class Placing(Struct, frozen=True, kw_only=True):
    """The place of a seat in a ranking; places may be shared, and the first may be empty."""

    place: int
    seat: Seat


class TermsSeen(Struct, frozen=True, kw_only=True):
    """The terms of a game, as far as a player answers to them."""

    options: Mapping[str, Json] = {}
    demands: tuple[str, ...]


class GameSeen(Struct, frozen=True, kw_only=True):
    """A game in the view of one account. `sealed` are decisions with a seal that is not opened yet.

    `choices` has the legal answers to each decision for which the game waits for the account's seat. They and `board`,
    the ruleset's view, are left undecoded: each ruleset has schemas of its own.
    """

    id: GameId
    ruleset: str
    version: StreamVersion
    head: LineHash
    status: Status
    terms: TermsSeen
    seats: tuple[SeatSeen, ...]
    owed: tuple[OwedSeen, ...]
    choices: dict[DecisionId, msgspec.Raw]
    your_seat: Seat | None = None
    sealed: tuple[DecisionId, ...] = ()
    ranking: tuple[Placing, ...] | None = None
    board: msgspec.Raw = field(default_factory=lambda: msgspec.Raw(b"null"))

    @property
    def is_over(self) -> bool:
        return self.status in ("finished", "aborted")


class ListedGame(Struct, frozen=True, kw_only=True):
    """A game in a list."""

    id: GameId
    ruleset: str
    status: Status
    version: StreamVersion
    seats: int
    opened_by: str


class Previewed(Struct, frozen=True, kw_only=True):
    """The effect of an action; each ruleset has a schema of its own."""

    effect: msgspec.Raw


class OwnGame(Struct, frozen=True, kw_only=True):
    """A game of the account: its seat there, and whether the game waits for it."""

    game: GameId
    ruleset: str
    status: Status
    version: StreamVersion
    seat: Seat
    is_offered: bool
    is_your_turn: bool
    owes: tuple[DecisionId, ...]
    # Of a game at a table of a tournament.
    tournament: str | None = None


class OwnOffer(Struct, frozen=True, kw_only=True):
    """A seat that another account offers to this one by name."""

    game: GameId
    ruleset: str
    seat: Seat
    sender: PlayerId | None
    sender_name: str | None


class OwnGames(Struct, frozen=True, kw_only=True):
    """`after` is where the events of the account go on (`following.follow_account`)."""

    after: int
    items: tuple[OwnGame, ...]
    offers: tuple[OwnOffer, ...]


class GamePage(Struct, frozen=True, kw_only=True):
    """Games, the newest first; `next` is where the next page begins."""

    items: tuple[ListedGame, ...]
    next: str | None


class EventPage(Struct, frozen=True, kw_only=True):
    """Stored lines, byte for byte: the SHA-256 of each is the `prev` of the one after it."""

    items: tuple[msgspec.Raw, ...]
    next: StreamVersion | None


class BoxSeen(Struct, frozen=True, kw_only=True):
    """Components that the server offers beside those of the release."""

    name: str
    components: str


class RulesetSeen(Struct, frozen=True, kw_only=True):
    """A ruleset that the server plays."""

    ruleset: str
    seats_min: int
    seats_max: int
    boxes: tuple[BoxSeen, ...] = ()


class RulesetPage(Struct, frozen=True, kw_only=True):
    """The rulesets of a server."""

    items: tuple[RulesetSeen, ...]
