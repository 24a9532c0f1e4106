"""The count of a tournament so far: points, meetings, byes, and who goes on. Functions of the folded log, no more."""

from collections.abc import Iterator

import msgspec

from domain.tournament.contender import LOT_SIDES, Contender, Entrant, pair_of
from domain.tournament.formats import ROUNDS_MAX, HeatsAndFinal, Knockout, count_rounds, is_final
from domain.tournament.scoring import Scored
from domain.tournament.standings import Book, Granted, Played, Standing, build_standings
from domain.tournament.state import Counted, Round, Table, Tournament, WalkedOver, find_round


def list_standings(tournament: Tournament) -> tuple[Standing, ...]:
    """List the standings, best first."""
    return build_standings(build_book(tournament), tournament.opened.tie_breaks)


def build_book(tournament: Tournament) -> Book:
    """Gather the measures of the standings, after every ruling."""
    drawn = [round_ for round_ in tournament.rounds if round_.is_drawn]
    return Book(
        entrants=tuple(range(len(tournament.entries))),
        rounds=len(drawn),
        played=tuple(_list_played(tournament)),
        granted=tuple(_list_granted(tournament)),
        lots=drawn[-1].lots if drawn else {},
        progress=_measure_progress(tournament),
    )


def count_points(tournament: Tournament) -> tuple[int, ...]:
    """Add up all entrants' points, by number."""
    points = [0] * len(tournament.entries)
    for _, entrant, earned in _list_points(tournament):
        points[entrant] += earned
    return tuple(points)


def count_meetings(tournament: Tournament, *, before: int = ROUNDS_MAX + 1) -> dict[tuple[Entrant, Entrant], int]:
    """Count who sat at one table, how often, regardless of later rulings: a void game was played all the same."""
    meetings: dict[tuple[Entrant, Entrant], int] = {}
    for table in _list_seated(tournament, before=before):
        for place, one in enumerate(table.entrants):
            for other in table.entrants[place + 1 :]:
                pair = pair_of(one, other)
                meetings[pair] = meetings.get(pair, 0) + 1
    return meetings


def list_contenders(tournament: Tournament, round_: Round) -> tuple[Contender, ...]:
    """List who is drawn in a round, with all that its draw may look at."""
    byes, lateness = count_byes(tournament), count_lateness(tournament, before=round_.number)
    return tuple(
        Contender(
            entrant=entrant,
            points=round_.points[entrant],
            lot=round_.lots[entrant],
            byes=byes[entrant],
            lateness=lateness[entrant],
        )
        for entrant in round_.field
    )


def count_lateness(tournament: Tournament, *, before: int) -> list[int]:
    """Add up the places at which each entrant sat in the rounds before, by number."""
    lateness = [0] * len(tournament.entries)
    for table in _list_seated(tournament, before=before):
        for place, entrant in enumerate(table.entrants):
            lateness[entrant] += place
    return lateness


def count_byes(tournament: Tournament) -> list[int]:
    """Count all entrants' byes, by number."""
    byes = [0] * len(tournament.entries)
    for round_ in tournament.rounds:
        for bye in round_.byes:
            byes[bye.entrant] += 1
    return byes


def list_expected(tournament: Tournament) -> tuple[Entrant, ...]:
    """List who may play in the next round, ascending."""
    kind, next_round = tournament.opened.format, len(tournament.rounds) + 1
    excused = {excuse.entrant for excuse in tournament.excused if excuse.round == next_round}
    active = [number for number, entry in enumerate(tournament.entries) if entry.left is None and number not in excused]
    if isinstance(kind, HeatsAndFinal) and is_final(kind, next_round):
        best = [standing.entrant for standing in list_standings(tournament) if standing.entrant in active]
        return tuple(sorted(best[: kind.finalists]))
    if isinstance(kind, Knockout) and tournament.rounds:
        through = _list_through(tournament.rounds[-1], kind)
        return tuple(entrant for entrant in active if entrant in through)
    return tuple(active)


def is_complete(tournament: Tournament) -> bool:
    """Return whether all rounds of the format were played."""
    if not tournament.rounds or find_round(tournament) is not None:
        return False
    kind, last = tournament.opened.format, tournament.rounds[-1]
    if isinstance(kind, Knockout):
        is_decided = len(last.tables) <= 1 and not last.byes
        return is_decided or len(list_expected(tournament)) < tournament.opened.tables.min
    return last.number == count_rounds(kind)


def _list_seated(tournament: Tournament, *, before: int = ROUNDS_MAX + 1) -> Iterator[Table]:
    for round_ in tournament.rounds[: before - 1]:
        yield from (table for table in round_.tables if not table.was_walked_over)


def _list_played(tournament: Tournament) -> Iterator[Played]:
    for round_ in tournament.rounds:
        for table in round_.tables:
            if isinstance(table.status, Counted) and table.status.scored:
                yield Played(round=round_.number, table=table.number, scored=table.status.scored)


def _list_granted(tournament: Tournament) -> Iterator[Granted]:
    for round_ in tournament.rounds:
        yield from round_.byes
        for table in round_.tables:
            if isinstance(table.status, WalkedOver):
                points, line = table.status.points, table.status.line
                for entrant in table.status.entrants:
                    yield Granted(round=round_.number, entrant=entrant, points=points, line=line)
    yield from tournament.granted
    drawn = {round_.number for round_ in tournament.rounds if round_.is_drawn}
    yield from (excused for excused in tournament.excused if excused.round in drawn)


def _list_points(tournament: Tournament) -> Iterator[tuple[int, Entrant, int]]:
    for played in _list_played(tournament):
        yield from ((played.round, scored.entrant, scored.points) for scored in played.scored)
    yield from ((granted.round, granted.entrant, granted.points) for granted in _list_granted(tournament))


def _measure_progress(tournament: Tournament) -> dict[Entrant, tuple[int, ...]]:
    """Measure how far each entrant came, and with how many points there, where the format sends some on."""
    kind = tournament.opened.format
    if not isinstance(kind, HeatsAndFinal | Knockout):
        return {}
    steps = [round_ for round_ in tournament.rounds if isinstance(kind, Knockout) or is_final(kind, round_.number)]
    last = {entrant: round_.number for round_ in steps for entrant in round_.expected}
    came = dict.fromkeys(range(len(tournament.entries)), 0)
    for round_ in steps:
        for entrant in round_.expected:
            came[entrant] += 1
    earned = dict.fromkeys(came, 0)
    for number, entrant, points in _list_points(tournament):
        if last.get(entrant) == number:
            earned[entrant] += points
    return {each: (count, earned[each]) for each, count in came.items()}


def _list_through(round_: Round, kind: Knockout) -> frozenset[Entrant]:
    """List who goes on from a round: the best of each table, the lower lot where they share a place, and the byes."""
    through = {bye.entrant for bye in round_.byes}
    for table in round_.tables:
        match table.status:
            case Counted(scored=scored):
                best = sorted(scored, key=lambda scored: (scored.place, _lot(round_, scored)))
                through.update(score.entrant for score in best[: kind.survivors])
            case WalkedOver(entrants=entrants):
                through.update(entrants[: kind.survivors])
            case _:
                pass
    return frozenset(through)


def _lot(round_: Round, scored: Scored) -> tuple[int, Entrant]:
    # Who was seated by hand after the draw has no lot, and goes behind those who have one.
    return round_.lots.get(scored.entrant, LOT_SIDES + 1), scored.entrant


def without_points(contender: Contender) -> Contender:
    """Leave out the measures by which a format does not pair."""
    return msgspec.structs.replace(contender, points=0)
