"""A tournament as it is shown: the one place that computes it, for the API, for pages and for exports alike.

Functions of the folded log and the players' names alone: a reader of the log can do it again.
"""

from typing import Literal

from msgspec import Struct
from msgspec.structs import asdict

from domain.ids import GameId, LineHash, PlayerId, StreamVersion, TournamentId
from domain.log.record import format_at
from domain.log.state import is_over
from domain.ruleset.decision import Placing
from domain.tournament.contender import Entrant
from domain.tournament.entering import has_place
from domain.tournament.events import TournamentOpened, Why
from domain.tournament.formats import takes_late_entries
from domain.tournament.scores import is_complete, list_standings
from domain.tournament.scoring import Scored
from domain.tournament.standings import TieBreak
from domain.tournament.state import Awaited, Bye, Counted, Halted, Round, Ruled, Table, Tournament, WalkedOver
from services.reading.tournaments.attendance import list_attendance
from services.reading.tournaments.sentences import Names, name_entrant, tell_bye, tell_draw, tell_ruling

# How a line names its author, before the id.
ORGANISER = "organiser:"
RoundStatus = Literal["check_in", "playing", "closed"]
TableStatus = Literal["awaited", "halted", "counted", "void", "walked_over"]


class Who(Struct, frozen=True, kw_only=True):
    """An entrant, by number, account and name."""

    entrant: int
    player: PlayerId
    name: str | None


class RulingShown(Ruled, frozen=True, kw_only=True):
    """`by_name` is the name of its author, `told` all of it in words."""

    by_name: str | None
    told: str


class TournamentShown(Struct, frozen=True, kw_only=True):
    """`round` is the one that was called last, 0 before the first; `at` is when the last line was written.

    `takes_entries` states whether entries are open, `is_complete` whether no round of the format is left.
    """

    id: TournamentId
    version: StreamVersion
    head: LineHash
    at: str
    name: str
    ruleset: str
    status: Literal["open", "running", "finished", "aborted"]
    opened_by: str
    terms: TournamentOpened
    entries: int
    are_entries_closed: bool
    takes_entries: bool
    is_complete: bool
    is_witnessed: bool
    round: int
    round_status: RoundStatus | None
    rulings: tuple[RulingShown, ...]


class EntrantShown(Who, frozen=True, kw_only=True):
    """`last_link` is the one disclosed last, or the anchor; the next one is owed at a check-in while any are left.

    `from_round` is later than 1 for a late entrant; `missed` are rounds without a check-in in time, `no_shows` those
    it was drawn in and did not come to; `is_checked_in` is of the round that goes on.
    """

    left: Literal["withdrawn", "removed"] | None
    from_round: int
    missed: tuple[int, ...]
    no_shows: tuple[int, ...]
    is_checked_in: bool
    key: str | None
    last_link: str | None
    links_left: int


class Entrants(Struct, frozen=True, kw_only=True):
    tournament: TournamentId
    version: StreamVersion
    items: tuple[EntrantShown, ...]


class Number(Struct, frozen=True, kw_only=True):
    """A tie-break and its number; higher is better."""

    name: TieBreak
    value: int


class StandingShown(Who, frozen=True, kw_only=True):
    """`rounds` are the points of each round, in order.

    `progress` decides before the points where a format sends some on: how many steps an entrant came, and its points in
    the last of them. It is empty where it does not.
    """

    place: int
    progress: tuple[int, ...]
    points: int
    tie_breaks: tuple[Number, ...]
    rounds: tuple[int, ...]
    left: Literal["withdrawn", "removed"] | None


class Standings(Struct, frozen=True, kw_only=True):
    """Best first, as of this version; they are the last word once the tournament is finished."""

    tournament: TournamentId
    version: StreamVersion
    rounds: int
    is_final: bool
    items: tuple[StandingShown, ...]


class SeatShown(Who, frozen=True, kw_only=True):
    """`score`, `lot` and `lateness` are the numbers that the draw went by."""

    seat: int
    score: int
    lot: int
    lateness: int


class TableShown(Struct, frozen=True, kw_only=True):
    """`result` is the game's, `scored` the points that count, which rulings change; of a walkover, of those who came.

    `why` tells in words why these sit here; `draws` has the data of it for each attempt, the first one first.
    `sit_down_by` is of awaited ones.
    """

    table: int
    attempt: int
    game: GameId
    status: TableStatus
    seats: tuple[SeatShown, ...]
    why: str
    draws: tuple[Why, ...]
    sit_down_by: str | None
    result: tuple[Placing, ...] | None
    game_version: StreamVersion | None
    game_hash: LineHash | None
    scored: tuple[Scored, ...]


class ByeShown(Who, frozen=True, kw_only=True):
    """`byes`, `score` and `lot` are the numbers from before by which the one to sit out was chosen."""

    points: int
    byes: int
    score: int
    lot: int
    why: str


class RoundShown(Struct, frozen=True, kw_only=True):
    """`waiting` has neither checked in nor left, `until` is the end of the check-in."""

    round: int
    status: RoundStatus
    until: str
    waiting: tuple[Who, ...]
    tables: tuple[TableShown, ...]
    byes: tuple[ByeShown, ...]


class Pairings(Struct, frozen=True, kw_only=True):
    tournament: TournamentId
    version: StreamVersion
    items: tuple[RoundShown, ...]


def show_tournament(tournament: Tournament, names: Names) -> TournamentShown:
    opened = tournament.opened
    last = tournament.rounds[-1] if tournament.rounds else None
    return TournamentShown(
        id=tournament.id,
        version=tournament.version,
        head=tournament.head,
        at=format_at(tournament.at_ms),
        name=opened.name,
        ruleset=f"{opened.ruleset.name}@{opened.ruleset.version}",
        status=tournament.status,
        opened_by=tournament.opened_by,
        terms=opened,
        entries=len(tournament.entries),
        are_entries_closed=tournament.are_entries_closed,
        takes_entries=_takes_entries(tournament),
        is_complete=is_complete(tournament),
        is_witnessed=tournament.is_witnessed,
        round=len(tournament.rounds),
        round_status=None if last is None else find_round_status(last),
        rulings=tuple(show_ruling(tournament, ruling, names) for ruling in tournament.rulings),
    )


def _takes_entries(tournament: Tournament) -> bool:
    opened = tournament.opened
    is_open = not (tournament.are_entries_closed or is_over(tournament)) and has_place(tournament)
    return is_open and takes_late_entries(opened.format, len(tournament.rounds))


def show_ruling(tournament: Tournament, ruled: Ruled, names: Names) -> RulingShown:
    by_name = names.get(PlayerId(ruled.by.removeprefix(ORGANISER)))

    def name(entrant: Entrant) -> str:
        return name_entrant(tournament, entrant, names)

    told = tell_ruling(ruled, by=by_name or ruled.by, name=name)
    return RulingShown(**asdict(ruled), by_name=by_name, told=told)


def show_entrants(tournament: Tournament, names: Names) -> Entrants:
    attendance = list_attendance(tournament)
    items = tuple(
        EntrantShown(
            **asdict(_who(tournament, number, names)),
            **asdict(attendance[number]),
            left=entry.left,
            key=entry.key,
            last_link=None if entry.links is None else entry.links.last,
            links_left=0 if entry.links is None else entry.links.left,
        )
        for number, entry in enumerate(tournament.entries)
    )
    return Entrants(tournament=tournament.id, version=tournament.version, items=items)


def show_standings(tournament: Tournament, names: Names) -> Standings:
    tie_breaks = tournament.opened.tie_breaks
    items = tuple(
        StandingShown(
            **asdict(_who(tournament, standing.entrant, names)),
            place=standing.place,
            progress=standing.progress,
            points=standing.points,
            tie_breaks=tuple(
                Number(name=name, value=value) for name, value in zip(tie_breaks, standing.tie_breaks, strict=True)
            ),
            rounds=standing.rounds,
            left=tournament.entries[standing.entrant].left,
        )
        for standing in list_standings(tournament)
    )
    return Standings(
        tournament=tournament.id,
        version=tournament.version,
        rounds=sum(round_.is_drawn for round_ in tournament.rounds),
        is_final=tournament.status == "finished",
        items=items,
    )


def show_pairings(tournament: Tournament, names: Names, *, round_: int | None = None) -> Pairings:
    """Show one round, or all of them where none is named."""
    items = tuple(
        _show_round(tournament, each, names) for each in tournament.rounds if round_ is None or each.number == round_
    )
    return Pairings(tournament=tournament.id, version=tournament.version, items=items)


def find_round_status(round_: Round) -> RoundStatus:
    if round_.is_closed:
        return "closed"
    return "playing" if round_.is_drawn else "check_in"


def find_sit_down_ms(tournament: Tournament, table: Table) -> int:
    """Return until when those at a table may sit down before it may be drawn without them."""
    return table.drawn_ms + tournament.opened.sit_down_ms


def list_people(tournament: Tournament) -> set[PlayerId]:
    """List whose names are shown: who entered, and who may rule."""
    organisers = {PlayerId(organiser) for organiser in tournament.opened.organisers}
    return {entry.player for entry in tournament.entries} | organisers


def _show_round(tournament: Tournament, round_: Round, names: Names) -> RoundShown:
    return RoundShown(
        round=round_.number,
        status=find_round_status(round_),
        until=format_at(round_.until_ms),
        waiting=tuple(_who(tournament, each, names) for each in sorted(round_.waiting)) if not round_.is_drawn else (),
        tables=tuple(_show_table(tournament, round_, table, names) for table in round_.tables),
        byes=tuple(_show_bye(tournament, round_, bye, names) for bye in round_.byes),
    )


def _show_bye(tournament: Tournament, round_: Round, bye: Bye, names: Names) -> ByeShown:
    return ByeShown(
        **asdict(_who(tournament, bye.entrant, names)),
        points=bye.points,
        byes=bye.byes,
        score=bye.score,
        lot=bye.lot,
        why=tell_bye(tournament, round_, bye),
    )


def _show_table(tournament: Tournament, round_: Round, table: Table, names: Names) -> TableShown:
    is_awaited = isinstance(table.status, Awaited)
    return TableShown(
        table=table.number,
        attempt=table.attempt,
        game=table.game,
        status=_find_table_status(table),
        seats=tuple(
            SeatShown(
                **asdict(_who(tournament, seat.entrant, names)),
                seat=place,
                score=seat.points,
                lot=seat.lot,
                lateness=seat.lateness,
            )
            for place, seat in enumerate(table.seats)
        ),
        why=tell_draw(tournament, round_, table, names),
        draws=table.whys,
        sit_down_by=format_at(find_sit_down_ms(tournament, table)) if is_awaited else None,
        result=None if table.result is None else table.result.ranking,
        game_version=None if table.result is None else table.result.version,
        game_hash=None if table.result is None else table.result.hash,
        scored=_list_scored(table),
    )


def _list_scored(table: Table) -> tuple[Scored, ...]:
    match table.status:
        case Counted(scored=scored):
            return scored
        case WalkedOver(entrants=entrants, points=points):
            # Those who came share the first places.
            return tuple(Scored(entrant=entrant, place=1, points=points) for entrant in entrants)
        case _:
            return ()


def _find_table_status(table: Table) -> TableStatus:
    match table.status:
        case Awaited():
            return "awaited"
        case Halted():
            return "halted"
        case Counted(scored=scored):
            return "counted" if scored else "void"
        case WalkedOver():
            return "walked_over"


def _who(tournament: Tournament, entrant: int, names: Names) -> Who:
    player = tournament.entries[entrant].player
    return Who(entrant=entrant, player=player, name=names.get(player))
