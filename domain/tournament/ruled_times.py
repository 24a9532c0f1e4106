"""Rulings on time: longer to check in, longer to sit down."""

from msgspec.structs import replace

from domain.ids import StreamVersion
from domain.log.record import AT_MAX_MS
from domain.log.rejections import UnfitEvent
from domain.tournament.folding import with_round
from domain.tournament.rejections import NoSuchTable, RoundPast, TableSettled
from domain.tournament.ruling_events import TimeGiven
from domain.tournament.state import Awaited, Round, Tournament, find_round

MINUTE_MS = 60_000


def admit_time(tournament: Tournament, given: TimeGiven) -> None:
    """Check that a check-in of the round is open, or that a table of it is waited for."""
    round_ = _require_going_on(tournament, given.round)
    if not round_.is_drawn:
        if given.table is not None:
            raise UnfitEvent(expected="no table, as the round is not drawn yet", found=f"table {given.table}")
        return
    if given.table is not None and given.table > len(round_.tables):
        raise NoSuchTable(expected="a table that was drawn", found=f"round {given.round}, table {given.table}")
    if not _list_given(round_, given):
        which = "every table of the round" if given.table is None else f"table {given.table}"
        raise TableSettled(expected="a table whose game is waited for", found=f"{which}, which is settled")


def give_time(tournament: Tournament, given: TimeGiven, _line: StreamVersion) -> Tournament:
    round_ = tournament.rounds[given.round - 1]
    if not round_.is_drawn:
        # A check-in whose time is over, and which is not closed yet, goes on from now.
        until_ms = min(max(round_.until_ms, tournament.at_ms) + given.minutes * MINUTE_MS, AT_MAX_MS)
        return with_round(tournament, replace(round_, until_ms=until_ms))
    longer = _list_given(round_, given)
    tables = tuple(
        replace(table, given_ms=table.given_ms + given.minutes * MINUTE_MS) if table.number in longer else table
        for table in round_.tables
    )
    return with_round(tournament, replace(round_, tables=tables))


def _list_given(round_: Round, given: TimeGiven) -> frozenset[int]:
    """List the tables that are given the time: those that are waited for."""
    return frozenset(
        table.number
        for table in round_.tables
        if isinstance(table.status, Awaited) and given.table in {None, table.number}
    )


def _require_going_on(tournament: Tournament, number: int) -> Round:
    round_ = find_round(tournament)
    if round_ is None or round_.number != number:
        found = "no round" if round_ is None else f"round {round_.number}"
        raise RoundPast(expected=f"round {number} to go on", found=found)
    return round_
