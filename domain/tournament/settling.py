"""The inputs about a table: its result, and no-shows."""

from collections.abc import Sequence

from domain.log.record import format_at
from domain.log.rejections import UnfitEvent
from domain.ruleset.decision import Placing
from domain.tournament import events
from domain.tournament.rejections import (
    AttemptOver,
    NoSuchTable,
    ReasonMissing,
    ReasonUnwanted,
    SittingDownGoesOn,
    TableSettled,
    UnfitRanking,
)
from domain.tournament.role_events import TableFollowed
from domain.tournament.ruling_events import GameVoided, ResultReplaced, TableReplayed
from domain.tournament.state import Awaited, Table, Tournament, find_sit_down_ms, find_table, is_held

_AboutTable = events.ResultTaken | events.NoShowTold | ResultReplaced | GameVoided | TableReplayed | TableFollowed


def admit_result(tournament: Tournament, taken: events.ResultTaken) -> None:
    """Check that the table waits for the result of just this game."""
    table = require_awaited(tournament, taken)
    if taken.ranking is not None:
        check_ranking(table, taken.ranking)


def admit_no_show(tournament: Tournament, told: events.NoShowTold, at_ms: int, *, is_by_server: bool) -> None:
    """Check that the table still waits, and that the server gave every entrant the time to sit down."""
    table = require_awaited(tournament, told)
    absent = list(told.entrants)
    if not absent or absent != sorted(set(absent)) or not set(absent) <= set(table.entrants):
        raise UnfitEvent(expected="some of this table, ascending, none twice", found=str(absent))
    if not is_by_server:
        if told.reason is None:
            raise ReasonMissing(expected="a reason, as an organiser tells it", found="none")
        return
    if told.reason is not None:
        raise ReasonUnwanted(expected="no reason, as the server tells it", found="one")
    round_ = tournament.rounds[told.round - 1]
    if is_held(tournament, round_):
        raise SittingDownGoesOn(expected="a draw that an organiser has released", found=f"round {told.round}, held")
    if round_.paused_ms is not None:
        raise SittingDownGoesOn(expected="the pause of the round to end first", found="a no-show")
    until_ms = find_sit_down_ms(tournament, round_, table)
    if at_ms <= until_ms:
        raise SittingDownGoesOn(expected=f"a no-show after {format_at(until_ms)}", found=f"one at {format_at(at_ms)}")


def require_table(tournament: Tournament, about: _AboutTable) -> Table:
    """Return the table, which must not have been drawn again since."""
    return require_attempt(tournament, about.round, about.table, about.attempt)


def require_awaited(tournament: Tournament, about: _AboutTable) -> Table:
    """Return the table as it was drawn last, which must wait for its result."""
    table = require_table(tournament, about)
    if not isinstance(table.status, Awaited):
        found = f"table {table.number}, which is {type(table.status).__name__.lower()}"
        raise TableSettled(expected="a table whose game is waited for", found=found)
    return table


def require_attempt(tournament: Tournament, round_: int, number: int, attempt: int) -> Table:
    """Return a table, of which this draw must be the last."""
    rounds = tournament.rounds
    if not (round_ <= len(rounds) and number <= len(rounds[round_ - 1].tables)):
        raise NoSuchTable(expected="a table that was drawn", found=f"round {round_}, table {number}")
    table = find_table(tournament, round_, number)
    if table.attempt != attempt:
        raise AttemptOver(expected=f"attempt {table.attempt}, the last", found=f"attempt {attempt}")
    return table


def check_ranking(table: Table, ranking: Sequence[Placing]) -> None:
    """Check that each seat stands at most once, at a place that there is."""
    seats, count = [seat.seat for seat in ranking], len(table.seats)
    is_fit = len(set(seats)) == len(seats) and all(seat < count for seat in seats)
    if not (is_fit and ranking and all(1 <= seat.place <= count for seat in ranking)):
        found = ", ".join(f"seat {seat.seat} at {seat.place}" for seat in ranking) or "no seat"
        raise UnfitRanking(expected=f"places 1 to {count} of seats 0 to {count - 1}, none twice", found=found)
