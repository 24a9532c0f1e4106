"""Rulings on what counts: points, results, void games and games that are played again."""

from msgspec.structs import replace

from domain.ids import StreamVersion
from domain.log.kind import Growth
from domain.log.rejections import UnfitEvent
from domain.tournament.draw_events import PlayedAgain
from domain.tournament.entering import require_entrant
from domain.tournament.fields import ATTEMPTS_MAX
from domain.tournament.folding import with_round
from domain.tournament.redrawing import draw_again, draw_without_left, score
from domain.tournament.rejections import AttemptOver, NotNextRound, RoundPast, UnfitRanking
from domain.tournament.ruling_events import GameVoided, PointsRuled, ResultReplaced, TableReplayed
from domain.tournament.settling import check_ranking, require_table
from domain.tournament.standings import Granted
from domain.tournament.state import Table, Tournament, find_table, list_present


def admit_points(tournament: Tournament, ruled: PointsRuled) -> None:
    """Check that the points are for an entrant and a round that there were."""
    require_entrant(tournament, ruled.entrant)
    if ruled.points == 0:
        raise UnfitEvent(expected="points, or a penalty below 0", found="0")
    drawn = sum(round_.is_drawn for round_ in tournament.rounds)
    if ruled.round > drawn:
        raise NotNextRound(expected=f"one of {drawn} rounds that were drawn", found=f"round {ruled.round}")


def grant_points(tournament: Tournament, ruled: PointsRuled, line: StreamVersion) -> Tournament:
    granted = Granted(round=ruled.round, entrant=ruled.entrant, points=ruled.points, line=line)
    return replace(tournament, granted=(*tournament.granted, granted))


def admit_replacement(tournament: Tournament, replaced: ResultReplaced) -> None:
    """Check that there is such a table, and that the ranking is one of it. Its count before does not matter."""
    table = require_table(tournament, replaced)
    check_ranking(table, replaced.ranking)
    _check_unmoved(tournament, replaced.round, table)
    places = [placing.place for placing in replaced.ranking]
    # After two who share the first place comes the third, or the table would give more points than it has.
    if any(sum(ahead < place for ahead in places) >= place for place in places):
        raise UnfitRanking(expected="fewer ahead of a place than its number", found=", ".join(map(str, places)))


def follow_replacement(growth: Growth[Tournament], replaced: ResultReplaced) -> None:
    score(growth, replaced.round, replaced.table, replaced.ranking)


def admit_void(tournament: Tournament, voided: GameVoided) -> None:
    """Check that there is such a table; one that is void already may be voided again."""
    require_table(tournament, voided)


def follow_void(growth: Growth[Tournament], voided: GameVoided) -> None:
    score(growth, voided.round, voided.table, ())


def admit_replay(tournament: Tournament, replayed: TableReplayed) -> None:
    """Check that no pairing rested on the table's result, and that it may be drawn once more."""
    table = require_table(tournament, replayed)
    if replayed.round != len(tournament.rounds):
        expected = f"a table of round {len(tournament.rounds)}, the last that was called"
        raise RoundPast(expected=expected, found=f"one of round {replayed.round}")
    _check_unmoved(tournament, replayed.round, table)
    if table.attempt >= ATTEMPTS_MAX:
        raise AttemptOver(expected=f"a table drawn fewer than {ATTEMPTS_MAX} times", found=f"{table.attempt}")


def _check_unmoved(tournament: Tournament, number: int, table: Table) -> None:
    """Check that nobody of a table was seated elsewhere in its round, or sits out, as each counts there once."""
    round_ = tournament.rounds[number - 1]
    moved = {entrant for other in round_.tables if other.number != table.number for entrant in list_present(other)}
    moved |= {bye.entrant for bye in round_.byes}
    found = moved.intersection(table.entrants)
    if found:
        expected = "a table whose entrants sit there alone in this round"
        raise UnfitEvent(expected=expected, found=f"entrants {sorted(found)}, seated elsewhere by hand")


def reopen_round(tournament: Tournament, replayed: TableReplayed, _line: StreamVersion) -> Tournament:
    """Reopen the round: the table is drawn again in the same append, and until then the round must not look closed."""
    return with_round(tournament, replace(tournament.rounds[replayed.round - 1], is_closed=False))


def follow_replay(growth: Growth[Tournament], replayed: TableReplayed) -> None:
    tournament = growth.state
    seats = find_table(tournament, replayed.round, replayed.table).seats
    draw_again(growth, replayed.round, replayed.table, seats, PlayedAgain(line=tournament.version))
    draw_without_left(growth, replayed.round, replayed.table)
