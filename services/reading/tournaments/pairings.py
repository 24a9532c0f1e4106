"""The rounds of a tournament as they are shown: who sits where and why, what counts, and who sits out."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import asdict

from domain.ids import GameId, LineHash, StreamVersion, TournamentId
from domain.log.record import format_at
from domain.ruleset.decision import Placing
from domain.tournament.draw_events import Why
from domain.tournament.scoring import Scored
from domain.tournament.state import (
    Awaited,
    Bye,
    Counted,
    Halted,
    Round,
    Table,
    Tournament,
    WalkedOver,
    find_sit_down_ms,
    is_held,
)
from services.reading.tournaments.desk import Who, show_who
from services.reading.tournaments.sentences import Names, tell_bye, tell_draw
from services.reading.tournaments.warnings import Warned, list_warnings

RoundStatus = Literal["check_in", "playing", "closed"]
TableStatus = Literal["awaited", "halted", "counted", "void", "walked_over"]


class SeatShown(Who, frozen=True, kw_only=True):
    """`score`, `lot` and `lateness` are the numbers that the draw went by."""

    seat: int
    score: int
    lot: int
    lateness: int


class TableShown(Struct, frozen=True, kw_only=True):
    """`result` is the game's, `scored` the points that count, which rulings change; of a walkover, of those who came.

    `why` explains in words why these sit here; `draws` has the data of it for each attempt, the first one first.
    `sit_down_by` is of awaited ones, and null in a pause.
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
    """`waiting` has neither checked in nor left, `until` is the end of the check-in.

    `excused` sit it out at their own wish or an organiser's; `is_held` states whether its games wait for an organiser.
    """

    round: int
    status: RoundStatus
    until: str
    waiting: tuple[Who, ...]
    tables: tuple[TableShown, ...]
    byes: tuple[ByeShown, ...]
    excused: tuple[Who, ...]
    is_held: bool
    warnings: tuple[Warned, ...]


class Pairings(Struct, frozen=True, kw_only=True):
    tournament: TournamentId
    version: StreamVersion
    items: tuple[RoundShown, ...]


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


def _show_round(tournament: Tournament, round_: Round, names: Names) -> RoundShown:
    return RoundShown(
        round=round_.number,
        status=find_round_status(round_),
        until=format_at(round_.until_ms),
        waiting=tuple(show_who(tournament, entrant, names) for entrant in sorted(round_.waiting))
        if not round_.is_drawn
        else (),
        tables=tuple(_show_table(tournament, round_, table, names) for table in round_.tables),
        byes=tuple(_show_bye(tournament, round_, bye, names) for bye in round_.byes),
        excused=tuple(
            show_who(tournament, excused.entrant, names)
            for excused in tournament.excused
            if excused.round == round_.number
        ),
        is_held=is_held(tournament, round_),
        warnings=list_warnings(tournament, round_, names),
    )


def _show_bye(tournament: Tournament, round_: Round, bye: Bye, names: Names) -> ByeShown:
    return ByeShown(
        **asdict(show_who(tournament, bye.entrant, names)),
        points=bye.points,
        byes=bye.byes,
        score=bye.score,
        lot=bye.lot,
        why=tell_bye(tournament, round_, bye),
    )


def _show_table(tournament: Tournament, round_: Round, table: Table, names: Names) -> TableShown:
    is_waited = isinstance(table.status, Awaited) and not is_held(tournament, round_)
    return TableShown(
        table=table.number,
        attempt=table.attempt,
        game=table.game,
        status=_find_table_status(table),
        seats=tuple(
            SeatShown(
                **asdict(show_who(tournament, seat.entrant, names)),
                seat=place,
                score=seat.points,
                lot=seat.lot,
                lateness=seat.lateness,
            )
            for place, seat in enumerate(table.seats)
        ),
        why=tell_draw(tournament, round_, table, names),
        draws=table.whys,
        sit_down_by=find_sit_down_by(tournament, round_, table) if is_waited else None,
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


def find_check_in_until(round_: Round) -> str | None:
    """Return the end of the check-in; None in a pause, which moves the end."""
    return None if round_.paused_ms is not None else format_at(round_.until_ms)


def find_sit_down_by(tournament: Tournament, round_: Round, table: Table) -> str | None:
    """Return the end of the time to sit down at a table; None in a pause, which moves the end."""
    return None if round_.paused_ms is not None else format_at(find_sit_down_ms(tournament, round_, table))
