"""The inputs about a table: its result, no-shows, and the rulings of organisers."""

from collections.abc import Sequence

from domain.log.record import format_at
from domain.log.rejections import UnfitEvent
from domain.ruleset.decision import Placing
from domain.tournament import events
from domain.tournament.entering import require_entrant
from domain.tournament.evolve import find_table
from domain.tournament.rejections import (
    AttemptOver,
    NoSuchTable,
    NotNextRound,
    ReasonMissing,
    ReasonUnwanted,
    RoundPast,
    SittingDownGoesOn,
    TableSettled,
    UnfitRanking,
)
from domain.tournament.state import Awaited, Table, Tournament

_AboutTable = events.ResultTaken | events.NoShowTold | events.ResultReplaced | events.GameVoided | events.TableReplayed


def admit_result(tournament: Tournament, taken: events.ResultTaken) -> None:
    """Check that the table waits for the result of just this game."""
    table = _require_table(tournament, taken)
    _check_awaited(table)
    if taken.ranking is not None:
        _check_ranking(table, taken.ranking)


def admit_no_show(tournament: Tournament, told: events.NoShowTold, at_ms: int, *, is_by_server: bool) -> None:
    """Check that the table still waits, and that the server gave every entrant the time to sit down."""
    table = _require_table(tournament, told)
    _check_awaited(table)
    absent = list(told.entrants)
    if not absent or absent != sorted(set(absent)) or not set(absent) <= set(table.entrants):
        raise UnfitEvent(expected="some of this table, ascending, none twice", found=str(absent))
    if not is_by_server:
        if told.reason is None:
            raise ReasonMissing(expected="a reason, as an organiser tells it", found="none")
        return
    if told.reason is not None:
        raise ReasonUnwanted(expected="no reason, as the server tells it", found="one")
    until_ms = table.drawn_ms + tournament.opened.sit_down_ms
    if at_ms <= until_ms:
        raise SittingDownGoesOn(expected=f"a no-show after {format_at(until_ms)}", found=f"one at {format_at(at_ms)}")


def admit_replacement(tournament: Tournament, replaced: events.ResultReplaced) -> None:
    """Check that there is such a table, and that the ranking is one of it. Its count before does not matter."""
    _check_ranking(_require_table(tournament, replaced), replaced.ranking)
    places = [placing.place for placing in replaced.ranking]
    # After two who share the first place comes the third, or the table would give more points than it has.
    if any(sum(ahead < place for ahead in places) >= place for place in places):
        raise UnfitRanking(expected="fewer ahead of a place than its number", found=", ".join(map(str, places)))


def admit_void(tournament: Tournament, voided: events.GameVoided) -> None:
    """Check that there is such a table; one that is void already may be voided again."""
    _require_table(tournament, voided)


def admit_replay(tournament: Tournament, replayed: events.TableReplayed) -> None:
    """Check that no pairing rested on the table's result, and that it may be drawn once more."""
    table = _require_table(tournament, replayed)
    if replayed.round != len(tournament.rounds):
        expected = f"a table of round {len(tournament.rounds)}, the last that was called"
        raise RoundPast(expected=expected, found=f"one of round {replayed.round}")
    if table.attempt >= events.ATTEMPTS_MAX:
        raise AttemptOver(expected=f"a table drawn fewer than {events.ATTEMPTS_MAX} times", found=f"{table.attempt}")


def admit_points(tournament: Tournament, ruled: events.PointsRuled) -> None:
    """Check that the points are for an entrant and a round that there were."""
    require_entrant(tournament, ruled.entrant)
    if ruled.points == 0:
        raise UnfitEvent(expected="points, or a penalty below 0", found="0")
    drawn = sum(round_.is_drawn for round_ in tournament.rounds)
    if ruled.round > drawn:
        raise NotNextRound(expected=f"one of {drawn} rounds that were drawn", found=f"round {ruled.round}")


def _require_table(tournament: Tournament, about: _AboutTable) -> Table:
    """Return the table, which must not have been drawn again since."""
    rounds = tournament.rounds
    if not (about.round <= len(rounds) and about.table <= len(rounds[about.round - 1].tables)):
        raise NoSuchTable(expected="a table that was drawn", found=f"round {about.round}, table {about.table}")
    table = find_table(tournament, about.round, about.table)
    if table.attempt != about.attempt:
        raise AttemptOver(expected=f"attempt {table.attempt}, the last", found=f"attempt {about.attempt}")
    return table


def _check_awaited(table: Table) -> None:
    if not isinstance(table.status, Awaited):
        found = f"table {table.number}, which is {type(table.status).__name__.lower()}"
        raise TableSettled(expected="a table whose game is waited for", found=found)


def _check_ranking(table: Table, ranking: Sequence[Placing]) -> None:
    """Check that each seat stands at most once, at a place that there is."""
    seats, count = [seat.seat for seat in ranking], len(table.seats)
    is_fit = len(set(seats)) == len(seats) and all(seat < count for seat in seats)
    if not (is_fit and ranking and all(1 <= seat.place <= count for seat in ranking)):
        found = ", ".join(f"seat {seat.seat} at {seat.place}" for seat in ranking) or "no seat"
        raise UnfitRanking(expected=f"places 1 to {count} of seats 0 to {count - 1}, none twice", found=found)
