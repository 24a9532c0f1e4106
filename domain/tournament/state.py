"""A tournament as folded from its log: values only. Consequences are decided elsewhere."""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from domain.ids import GameId, PlayerId, StreamVersion, TournamentId
from domain.log.own_links import OwnLinks
from domain.log.state import StreamState
from domain.tournament.contender import Entrant
from domain.tournament.events import DrawnSeat, InputEvent, ResultTaken, TournamentOpened, Why
from domain.tournament.scoring import Scored
from domain.tournament.standings import Granted


class Entered(Struct, frozen=True, kw_only=True):
    """One who entered; `left` states how it left, if it did."""

    player: PlayerId
    key: str | None
    links: OwnLinks | None
    left: Literal["withdrawn", "removed"] | None = None


class Awaited(Struct, frozen=True, tag="awaited"):
    """Its game is to be played."""


class Halted(Struct, frozen=True, tag="halted"):
    """Its game was aborted: an organiser has to rule on the result, or to have it played again."""


class Counted(Struct, frozen=True, kw_only=True, tag="counted"):
    """It counts as its game stated or a ruling states; nothing where it is void. `line` told it."""

    scored: tuple[Scored, ...]
    line: StreamVersion


class WalkedOver(Struct, frozen=True, kw_only=True, tag="walked_over"):
    """Too few came: these have so many points each."""

    entrants: tuple[Entrant, ...]
    points: int
    line: StreamVersion


TableStatus = Awaited | Halted | Counted | WalkedOver


class Table(Struct, frozen=True, kw_only=True):
    """A table as it was drawn last; `result` is its game's, if any, independent of the one that counts.

    `whys` are the reasons of every draw of it, the first one first.
    `was_walked_over` stays so after every ruling: no entrants met there, and no ruling changes who is paired with whom.
    """

    number: int
    attempt: int
    game: GameId
    seats: tuple[DrawnSeat, ...]
    whys: tuple[Why, ...]
    drawn_ms: int
    status: TableStatus = Awaited()
    result: ResultTaken | None = None
    was_walked_over: bool = False

    @property
    def entrants(self) -> tuple[Entrant, ...]:
        """In the order of their seats."""
        return tuple(seat.entrant for seat in self.seats)


class Bye(Granted, frozen=True, kw_only=True):
    """A bye and its worth, with the numbers by which it was chosen: byes and score from before."""

    byes: int
    score: int
    lot: int


class Round(Struct, frozen=True, kw_only=True):
    """`points` are all entrants' at the call, by number: later rulings do not change who is paired with whom."""

    number: int
    called_ms: int
    points: tuple[int, ...]
    expected: tuple[Entrant, ...] = ()  # who may check in
    waiting: frozenset[Entrant] = frozenset()  # who has neither checked in nor left
    until_ms: int = 0
    checked_in: tuple[Entrant, ...] = ()
    is_check_in_over: bool = False
    field: tuple[Entrant, ...] = ()  # who was drawn, ascending
    is_drawn: bool = False
    lots: Mapping[Entrant, int] = {}
    tables: tuple[Table, ...] = ()
    byes: tuple[Bye, ...] = ()
    is_closed: bool = False


class Change(Struct, frozen=True, kw_only=True):
    """The effect of a ruling on the points of one entrant."""

    entrant: Entrant
    points_before: int
    points_after: int


class Ruled(Struct, frozen=True, kw_only=True):
    """A ruling, its version, its subject as far as its type states, and its effect on the points of then.

    `points` are those it gave or took, `absent` those it reported absent; `scored` is the table's count right after a
    result was replaced, `scored_before` its count until then.
    """

    line: StreamVersion
    type: str
    by: str
    reason: str
    changes: tuple[Change, ...]
    round: int | None = None
    table: int | None = None
    attempt: int | None = None
    entrant: Entrant | None = None
    points: int | None = None
    absent: tuple[Entrant, ...] = ()
    scored: tuple[Scored, ...] = ()
    scored_before: tuple[Scored, ...] = ()


class Tournament(StreamState, frozen=True, kw_only=True):
    """The whole state on which a command is decided. It is running from the first call of a round on."""

    id: TournamentId
    opened: TournamentOpened
    are_entries_closed: bool = False
    entries: tuple[Entered, ...] = ()
    rounds: tuple[Round, ...] = ()
    granted: tuple[Granted, ...] = ()  # by rulings
    rulings: tuple[Ruled, ...] = ()
    # The last input, and all points before it where it was a ruling; None between inputs.
    last: InputEvent | None = None
    points_before: tuple[int, ...] = ()


def find_entrant(tournament: Tournament, player: PlayerId) -> Entrant | None:
    """Return the number under which a player entered, if it did."""
    return next((number for number, entry in enumerate(tournament.entries) if entry.player == player), None)


def find_round(tournament: Tournament) -> Round | None:
    """Return the round that was called last, if it is not closed."""
    if not tournament.rounds or tournament.rounds[-1].is_closed:
        return None
    return tournament.rounds[-1]


def is_settled(table: Table) -> bool:
    """Return whether a table counts, so that its round can close."""
    return isinstance(table.status, Counted | WalkedOver)
