"""The end of a tournament by its own lines and games: who won, and by which rulings. It believes the log."""

from collections.abc import Iterator, Sequence
from typing import Any

from domain.audit.findings import shorten
from domain.audit.outcome import outcome_at, role_of
from domain.audit.tournament_case import TournamentCase
from domain.audit.verdict import Outcome, RulingTold
from domain.tournament.events import ResultTaken, TableDrawn, TournamentAborted, TournamentFinished
from domain.tournament.standings import Standing
from domain.tournament.state import Ruled, Tournament
from domain.tournament.subjects import find_subject


def read_tournament_outcome(case: TournamentCase, standings: Sequence[Standing]) -> Outcome | None:
    """Read the end of a tournament, with `standings` as they were decided again."""
    last = case.walk.decided
    if last is None:
        return None
    about: dict[str, Any] = {"title": shorten(last.opened.name)}
    end = next(
        (entry for entry in case.entries if isinstance(entry.event, TournamentFinished | TournamentAborted)), None
    )
    if end is None:
        return outcome_at(case.entries[-1], "running" if last.rounds else "open", about)
    if isinstance(end.event, TournamentAborted):
        return outcome_at(end, "aborted", about | {"by": role_of(end), "reason": shorten(end.event.reason)})
    about |= {
        "winners": tuple(standing.entrant for standing in standings if standing.place == 1),
        "rulings": tuple(_tell_rulings(case, last, standings)),
    }
    return outcome_at(end, "finished", about)


def _tell_rulings(case: TournamentCase, last: Tournament, standings: Sequence[Standing]) -> Iterator[RulingTold]:
    """List each ruling without which others would have led, or that passed over the end of a game."""
    points = {standing.entrant: standing.points for standing in standings}
    led = _leaders(points)
    for ruled in last.rulings:
        moved = {change.entrant: change.points_after - change.points_before for change in ruled.changes}
        without = _leaders({entrant: number - moved.get(entrant, 0) for entrant, number in points.items()})
        leaders = () if without == led else without
        passed_over = _list_passed_over(case, ruled)
        if leaders or passed_over:
            yield RulingTold(
                type=ruled.type,
                line=ruled.line,
                by=ruled.by.partition(":")[0],
                seat=find_subject(ruled.event).entrant,
                reason=shorten(ruled.reason),
                leaders=leaders,
                passed_over=passed_over,
            )


def _list_passed_over(case: TournamentCase, ruled: Ruled) -> tuple[int, ...]:
    """List the winners of the ruled table's game where it was over, and its result was never taken."""
    about = find_subject(ruled.event)
    before = [entry.event for entry in case.entries[: ruled.line - 1]]
    tables = [
        event
        for event in before
        if isinstance(event, TableDrawn) and (event.round, event.table) == (about.round, about.table)
    ]
    game = case.games.get(tables[-1].game) if tables else None
    if game is None or game.ranking is None or _is_taken(before, tables[-1]):
        return ()
    seats = tables[-1].seats
    winners = [placing.seat for placing in game.ranking if placing.place == 1 and placing.seat < len(seats)]
    return tuple(sorted(seats[seat].entrant for seat in winners))


def _leaders(points: dict[int, int]) -> tuple[int, ...]:
    most = max(points.values(), default=0)
    return tuple(sorted(entrant for entrant, number in points.items() if number == most))


def _is_taken(before: Sequence[Any], table: TableDrawn) -> bool:
    attempt = (table.round, table.table, table.attempt)
    return any(
        isinstance(event, ResultTaken) and (event.round, event.table, event.attempt) == attempt for event in before
    )
