"""Tournaments as a client reads them. Fields that no client here uses, or that a later release adds, are ignored.

A test reads each of these from the server's own answers.
"""

from typing import Any, Literal

from msgspec import Struct

from spina_client.ids import GameId, LineHash, PlayerId, StreamVersion, TournamentId
from spina_client.seen import Placing, Receipt, Status

RoundStatus = Literal["check_in", "playing", "closed"]
TableStatus = Literal["awaited", "halted", "counted", "void", "walked_over"]
Left = Literal["withdrawn", "removed"]


class TournamentAccepted(Struct, frozen=True, kw_only=True):
    """An accepted command: the versions it wrote and the hash of its last line."""

    tournament: TournamentId
    first_version: StreamVersion
    last_version: StreamVersion
    head: LineHash
    receipt: Receipt | None = None


class TermsSeen(Struct, frozen=True, kw_only=True):
    """The terms of the opening that a player or an organiser's program needs."""

    demands: tuple[str, ...]
    delay_s: int
    entries_max: int


class RulingSeen(Struct, frozen=True, kw_only=True):
    """A ruling: its version in the log, and a sentence."""

    line: StreamVersion
    told: str


class CallSeen(Struct, frozen=True, kw_only=True):
    """A call of an entrant for an organiser, in this line; `answer` is None until one came."""

    line: StreamVersion
    entrant: int
    text: str
    answer: str | None


class HelperSeen(Struct, frozen=True, kw_only=True):
    """A helper, invited to the holder of the secret with the hash `link`; `player` is None until one has joined."""

    helper: int
    role: str
    link: str
    player: PlayerId | None
    is_dismissed: bool


class TournamentSeen(Struct, frozen=True, kw_only=True):
    """A tournament. `round` is the number of the newest round, 0 before the first."""

    id: TournamentId
    version: StreamVersion
    head: LineHash
    name: str
    ruleset: str
    status: Status
    terms: TermsSeen
    entries: int
    are_entries_closed: bool
    is_witnessed: bool
    round: int
    round_status: RoundStatus | None
    rulings: tuple[RulingSeen, ...]
    calls: tuple[CallSeen, ...] = ()
    helpers: tuple[HelperSeen, ...] = ()


class EntrantSeen(Struct, frozen=True, kw_only=True):
    """An entrant: number, account and name."""

    entrant: int
    player: PlayerId
    name: str | None = None


class EntrySeen(EntrantSeen, frozen=True, kw_only=True):
    """An entry, and how its entrant left the tournament."""

    left: Left | None = None


class Entrants(Struct, frozen=True, kw_only=True):
    """The entries of a tournament, in their order."""

    items: tuple[EntrySeen, ...]


class TieBreakSeen(Struct, frozen=True, kw_only=True):
    """A tie-break and its number; higher is better."""

    name: str
    value: int


class TeamSeen(Struct, frozen=True, kw_only=True):
    """A team of entrants: its letter and its name."""

    letter: str
    name: str


class TeamStandingSeen(TeamSeen, frozen=True, kw_only=True):
    """The place of a team by its best members, and their points."""

    place: int
    points: int


class StandingSeen(EntrySeen, frozen=True, kw_only=True):
    """`rounds` are the points of each round, in order."""

    place: int
    points: int
    tie_breaks: tuple[TieBreakSeen, ...]
    rounds: tuple[int, ...]
    team: TeamSeen | None = None


class Standings(Struct, frozen=True, kw_only=True):
    """Best first."""

    is_final: bool
    items: tuple[StandingSeen, ...]
    teams: tuple[TeamStandingSeen, ...] = ()


class ScoredSeen(Struct, frozen=True, kw_only=True):
    """The place and the points of an entrant at a table."""

    entrant: int
    place: int
    points: int


class TableSeen(Struct, frozen=True, kw_only=True):
    """`result` is the ranking of the game, `scored` counts in the standings; `why` explains the draw in words."""

    table: int
    attempt: int
    game: GameId
    status: TableStatus
    seats: tuple[EntrantSeen, ...]
    why: str
    result: tuple[Placing, ...] | None
    scored: tuple[ScoredSeen, ...]


class ByeSeen(EntrantSeen, frozen=True, kw_only=True):
    """An entrant who sits out a round, and why."""

    points: int
    why: str


class RoundSeen(Struct, frozen=True, kw_only=True):
    """`waiting` has neither checked in nor left; `until` is the end of the check-in."""

    round: int
    status: RoundStatus
    until: str
    waiting: tuple[EntrantSeen, ...]
    tables: tuple[TableSeen, ...]
    byes: tuple[ByeSeen, ...]


class Pairings(Struct, frozen=True, kw_only=True):
    """The rounds of a tournament so far."""

    items: tuple[RoundSeen, ...]


class DeadlineSeen(Struct, frozen=True, kw_only=True):
    """The time by which `entrants` must act; a table is listed until its game begins."""

    what: Literal["check_in", "sit_down", "get_ready"]
    round: int
    table: int | None
    game: GameId | None
    until: str
    entrants: tuple[int, ...]


class Deadlines(Struct, frozen=True, kw_only=True):
    """The deadlines of a tournament, the first one first."""

    items: tuple[DeadlineSeen, ...]


class NextSeen(Struct, frozen=True, kw_only=True):
    """The player's next step. `last_link` is the entrant's last disclosed link, or its anchor."""

    version: StreamVersion
    what: Literal["enter", "nothing", "admission", "wait", "check_in", "play", "bye"]
    entrant: int | None = None
    round: int | None = None
    game: GameId | None = None
    seat: int | None = None
    last_link: str | None = None
    links_left: int = 0


class OutcomeSeen(Struct, frozen=True, kw_only=True):
    """An outcome of a ruling: the type and data of its line, and a sentence."""

    type: str
    data: dict[str, Any]
    told: str


class WarnedSeen(Struct, frozen=True, kw_only=True):
    """Something about a draw that an organiser should know."""

    level: Literal["serious", "notable"]
    told: str


class RulingPreview(Struct, frozen=True, kw_only=True):
    """The effect of a ruling that was not made."""

    ruling: RulingSeen
    outcomes: tuple[OutcomeSeen, ...]
    warnings: tuple[WarnedSeen, ...] = ()


class RulingField(Struct, frozen=True, kw_only=True):
    """A field of a ruling's form, with its name in words."""

    name: str
    kind: str
    label: str


class RulingForm(Struct, frozen=True, kw_only=True):
    """A kind of ruling: its type, its effect in words, and its fields but for the reason."""

    ruling: str
    label: str
    note: str
    fields: tuple[RulingField, ...]


class RulingForms(Struct, frozen=True, kw_only=True):
    """The forms of all rulings."""

    items: tuple[RulingForm, ...]


class LeaderSeen(Struct, frozen=True, kw_only=True):
    """An entrant in the first place."""

    player: PlayerId
    name: str | None = None


class ListedTournament(Struct, frozen=True, kw_only=True):
    """`leaders` share the first place after the last closed round."""

    id: TournamentId
    name: str
    ruleset: str
    status: Status
    round: int
    entries: int
    leaders: tuple[LeaderSeen, ...] = ()


class TournamentPage(Struct, frozen=True, kw_only=True):
    """Tournaments, the newest first; `next` is where the next page begins."""

    items: tuple[ListedTournament, ...]
    next: TournamentId | None
