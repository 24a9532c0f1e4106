"""Rulings on a pause of a round: no time of it counts, at check-in, to sit down, or on the clocks of its games."""

from msgspec.structs import replace

from domain.ids import StreamVersion
from domain.log.record import AT_MAX_MS
from domain.tournament.folding import with_round
from domain.tournament.rejections import RoundHalted, RoundPast
from domain.tournament.ruling_events import RoundPaused, RoundResumed
from domain.tournament.state import Awaited, Round, Table, Tournament, find_round, is_held


def admit_pause(tournament: Tournament, paused: RoundPaused) -> None:
    """Check that the round goes on and is not paused."""
    if _require_going_on(tournament, paused.round).paused_ms is not None:
        raise RoundHalted(expected="a round whose time runs", found=f"round {paused.round}, which is paused")


def admit_resumption(tournament: Tournament, resumed: RoundResumed) -> None:
    """Check that the round is paused."""
    if _require_going_on(tournament, resumed.round).paused_ms is None:
        raise RoundHalted(expected="a round that is paused", found=f"round {resumed.round}, whose time runs")


def pause(tournament: Tournament, paused: RoundPaused, line: StreamVersion) -> Tournament:
    round_ = tournament.rounds[paused.round - 1]
    return with_round(tournament, replace(round_, paused_ms=tournament.at_ms, paused_line=line))


def resume(tournament: Tournament, resumed: RoundResumed, _line: StreamVersion) -> Tournament:
    """Move every end of a time by the part of the pause that fell into it."""
    round_ = tournament.rounds[resumed.round - 1]
    assert round_.paused_ms is not None, "resumed a round that was not paused"
    until_ms = min(round_.until_ms + tournament.at_ms - round_.paused_ms, AT_MAX_MS)
    tables = (replace(table, given_ms=table.given_ms + _lost(tournament, round_, table)) for table in round_.tables)
    return with_round(tournament, replace(round_, until_ms=until_ms, tables=tuple(tables), paused_ms=None))


def _lost(tournament: Tournament, round_: Round, table: Table) -> int:
    """Return how much of the time to sit down at a table fell into the pause; none while its draw is held."""
    assert round_.paused_ms is not None, "asked of a round that is not paused"
    if is_held(tournament, round_) or not isinstance(table.status, Awaited):
        return 0
    return tournament.at_ms - max(round_.paused_ms, table.drawn_ms, round_.released_ms)


def _require_going_on(tournament: Tournament, number: int) -> Round:
    round_ = find_round(tournament)
    if round_ is None or round_.number != number:
        found = "no round" if round_ is None else f"round {round_.number}"
        raise RoundPast(expected=f"round {number} to go on", found=found)
    return round_
