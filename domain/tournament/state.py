"""A tournament as folded from its log: values only. Consequences are decided elsewhere."""

from collections.abc import Mapping
from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from domain.game.events import TableSeat
from domain.ids import GameId, PlayerId, StreamVersion, TournamentId
from domain.log.own_links import OwnLinks
from domain.log.state import StreamState
from domain.tournament.contender import Entrant, Wish
from domain.tournament.draw_events import DrawnSeat, Why
from domain.tournament.events import InputEvent, ResultTaken, Ruling, TournamentOpened
from domain.tournament.role_events import Role, TableFollowed
from domain.tournament.scoring import Scored
from domain.tournament.standings import Granted
from domain.tournament.team_events import TeamChosen

# How an entrant is not in the field: it left, or waits for an organiser to admit it.
Left = Literal["withdrawn", "removed", "waiting"]


class Handed(Struct, frozen=True, kw_only=True):
    """The holder of the secret with this hash may go on with the entry, by the ruling in this line."""

    link: str
    game: Literal["again", "goes_on"]
    line: StreamVersion


class Entered(Struct, frozen=True, kw_only=True):
    """An entry; `left` states how its player left."""

    player: PlayerId
    key: str | None
    anchor: str | None
    links: OwnLinks | None
    links_next: OwnLinks | None = None  # that count once the round whose check-in is open was drawn
    left: Left | None = None
    code: str | UnsetType = UNSET
    team: TeamChosen | UnsetType = UNSET
    handed: Handed | None = None
    handed_last: Handed | None = None  # by which it went on last


class Awaited(Struct, frozen=True, tag="awaited"):
    """Its game is to be played."""


class Halted(Struct, frozen=True, tag="halted"):
    """Its game was aborted: an organiser has to rule on the result, or to have it played again."""


class Counted(Struct, frozen=True, kw_only=True, tag="counted"):
    """Scored by its game, or by the ruling at `line`; empty if void."""

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

    `whys` are the reasons of every draw of it, the first one first. `given_ms` is more time to sit down.
    `was_walked_over` stays so after every ruling: no entrants met there, and no ruling changes who is paired with whom.
    """

    number: int
    attempt: int
    game: GameId
    seats: tuple[DrawnSeat, ...]
    people: tuple[TableSeat, ...]  # for whom its game is opened: the players of the seats at the draw
    whys: tuple[Why, ...]
    drawn_ms: int
    status: TableStatus = Awaited()
    result: ResultTaken | None = None
    was_walked_over: bool = False
    given_ms: int = 0

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
    """`points` are all entrants' at the call, by number: later rulings do not change who is paired with whom.

    `released_ms` is when a draw that was held was released, 0 where none was. `paused_ms` is since when the round is
    paused, if at all; `paused_line` the ruling of the last pause, 0 for none.
    """

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
    released_ms: int = 0
    paused_ms: int | None = None
    paused_line: StreamVersion = StreamVersion(0)


class Change(Struct, frozen=True, kw_only=True):
    """The effect of a ruling on the points of one entrant."""

    entrant: Entrant
    points_before: int
    points_after: int


class Ruled(Struct, frozen=True, kw_only=True):
    """A ruling, its version, time and author, and its effect on the points of then.

    `scored` is the table's count right after a result was replaced, `scored_before` its count until then.
    """

    line: StreamVersion
    at_ms: int
    type: str
    by: str
    event: Ruling
    changes: tuple[Change, ...] = ()
    scored: tuple[Scored, ...] = ()
    scored_before: tuple[Scored, ...] = ()

    @property
    def reason(self) -> str:
        assert self.event.reason is not None, "a ruling has its reason"
        return self.event.reason


class Call(Struct, frozen=True, kw_only=True):
    """An entrant's call for an organiser in this line, and the line of the answer, once there is one."""

    line: StreamVersion
    at_ms: int
    entrant: Entrant
    text: str
    answer: str | None = None
    answered_by: str | None = None


class Announcement(Struct, frozen=True, kw_only=True):
    """A word of an organiser; to all where no entrant is named."""

    line: StreamVersion
    at_ms: int
    by: str
    text: str
    entrants: tuple[Entrant, ...]


class Helper(Struct, frozen=True, kw_only=True):
    """A helper of this role, invited in this line; `player` is null until the invitation is taken."""

    role: Role
    link: str
    line: StreamVersion
    player: PlayerId | None = None
    key: str | None = None
    is_dismissed: bool = False


class Look(Struct, frozen=True, kw_only=True):
    """A look of an organiser or a commentator at a game inside its delay."""

    line: StreamVersion
    at_ms: int
    by: str
    about: TableFollowed
    game: GameId


class Tournament(StreamState, frozen=True, kw_only=True):
    """The whole state on which a command is decided. It is running from the first call of a round on."""

    id: TournamentId
    opened: TournamentOpened
    are_entries_closed: bool = False
    entries: tuple[Entered, ...] = ()
    rounds: tuple[Round, ...] = ()
    granted: tuple[Granted, ...] = ()  # by rulings
    rulings: tuple[Ruled, ...] = ()
    excused: tuple[Granted, ...] = ()  # who sits out which round, also one that is not drawn yet
    wishes: tuple[Wish, ...] = ()
    held_round: int = 0  # whose draw waits for an organiser, 0 for none
    calls: tuple[Call, ...] = ()
    announcements: tuple[Announcement, ...] = ()
    helpers: tuple[Helper, ...] = ()
    looks: tuple[Look, ...] = ()
    # The last input, and all points before it where it was a ruling; None between inputs.
    last: InputEvent | None = None
    points_before: tuple[int, ...] = ()


def find_entrant(tournament: Tournament, player: PlayerId) -> Entrant | None:
    """Return the number under which a player entered, or None."""
    return next((number for number, entry in enumerate(tournament.entries) if entry.player == player), None)


def find_round(tournament: Tournament) -> Round | None:
    """Return the round that was called last, if it is not closed."""
    if not tournament.rounds or tournament.rounds[-1].is_closed:
        return None
    return tournament.rounds[-1]


def is_settled(table: Table) -> bool:
    """Return whether a table counts, so that its round can close."""
    return isinstance(table.status, Counted | WalkedOver)


def is_held(tournament: Tournament, round_: Round) -> bool:
    """Return whether an organiser holds the draw of a round, so that none of its games is opened."""
    return tournament.held_round == round_.number


def find_sit_down_ms(tournament: Tournament, round_: Round, table: Table) -> int:
    """Return until when those at a table may sit down before it may be drawn without them."""
    return max(table.drawn_ms, round_.released_ms) + tournament.opened.sit_down_ms + table.given_ms


def find_table(tournament: Tournament, round_: int, number: int) -> Table:
    """Return a table as it was drawn last."""
    return tournament.rounds[round_ - 1].tables[number - 1]


def list_present(table: Table) -> tuple[Entrant, ...]:
    """List who sits at a table; of a walkover, who came."""
    return table.status.entrants if isinstance(table.status, WalkedOver) else table.entrants
