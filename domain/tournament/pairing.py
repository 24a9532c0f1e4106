"""Pairing of a round: a function of scores, meetings and public lots, so that any verifier can do it again.

Fewest repeated meetings first, then tables of equal score, then the order of lots (`seatings.py`). A draw tells its
reasons.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations

from msgspec import Struct

from domain.tournament.contender import Contender, Entrant, Meetings, Repeat, by_score, pair_of
from domain.tournament.events import DrawnAsFinal, DrawnByCircle, DrawnByMeetings, DrawnByScore, DrawnSeat, Why
from domain.tournament.formats import RoundRobin, ScoreRounds, is_final, turn_circle
from domain.tournament.scores import count_meetings, list_contenders, without_points
from domain.tournament.seatings import Seatings
from domain.tournament.sizes import TableSizes, divide
from domain.tournament.state import Round, Tournament


class PairedTable(Struct, frozen=True, kw_only=True):
    """Entrants in the order of their seats, and who meets again."""

    entrants: tuple[int, ...]
    repeats: tuple[Repeat, ...]


class Paired(Struct, frozen=True, kw_only=True):
    tables: tuple[PairedTable, ...]
    byes: tuple[int, ...]


def pair_round(field: Sequence[Contender], meetings: Meetings, sizes: TableSizes) -> Paired:
    """Pair a round by score."""
    division = divide(len(field), sizes)
    byes = choose_byes(field, division.byes)
    playing = sorted((each for each in field if each.entrant not in byes), key=by_score)
    tables = Seatings(playing, meetings).seat(division.tables) if division.tables else ()
    return Paired(tables=tuple(_describe([playing[place] for place in table], meetings) for table in tables), byes=byes)


def choose_byes(field: Sequence[Contender], count: int) -> tuple[int, ...]:
    """Choose who sits out: the fewest byes so far, then the lowest score, then the highest lot."""
    order = sorted(field, key=lambda each: (each.byes, each.points, -each.lot, each.entrant))
    return tuple(sorted(each.entrant for each in order[:count]))


def seat_table(table: Sequence[Contender]) -> tuple[Contender, ...]:
    """Order a table: entrants who sat late so far sit early now."""
    return tuple(sorted(table, key=lambda each: (-each.lateness, each.lot, each.entrant)))


def _describe(table: Sequence[Contender], meetings: Meetings) -> PairedTable:
    seated = seat_table(table)
    entrants = tuple(each.entrant for each in seated)
    return PairedTable(entrants=entrants, repeats=_list_repeats(entrants, meetings))


def _list_repeats(entrants: Sequence[Entrant], meetings: Meetings) -> tuple[Repeat, ...]:
    pairs = sorted(pair_of(one, other) for one, other in combinations(entrants, 2))
    return tuple(Repeat(entrants=pair, times=meetings[pair]) for pair in pairs if meetings.get(pair))


_PAIR = 2


class DrawnTable(Struct, frozen=True, kw_only=True):
    seats: tuple[DrawnSeat, ...]
    why: Why


class Draw(Struct, frozen=True, kw_only=True):
    tables: tuple[DrawnTable, ...]
    byes: tuple[Contender, ...]


def draw_round(tournament: Tournament, round_: Round) -> Draw:
    """Draw a round whose lots are known."""
    kind, sizes = tournament.opened.format, tournament.opened.tables
    contenders = {each.entrant: each for each in list_contenders(tournament, round_)}
    meetings = count_meetings(tournament)
    if is_final(kind, round_.number):
        return _draw_final(contenders, meetings, smallest=sizes.min)
    if isinstance(kind, RoundRobin) and sizes.max == _PAIR:
        return _draw_circle(tournament, round_, contenders, meetings)
    is_by_score = isinstance(kind, ScoreRounds)
    field = [each if is_by_score else without_points(each) for each in contenders.values()]
    paired = pair_round(field, meetings, sizes)
    why = DrawnByScore if is_by_score else DrawnByMeetings
    return Draw(
        tables=tuple(_seat(table.entrants, contenders, why(repeats=table.repeats)) for table in paired.tables),
        byes=tuple(contenders[each] for each in paired.byes),
    )


def _draw_final(contenders: Mapping[Entrant, Contender], meetings: Meetings, *, smallest: int) -> Draw:
    seated = tuple(each.entrant for each in seat_table(list(contenders.values())))
    if len(seated) < smallest:
        return Draw(tables=(), byes=tuple(contenders.values()))
    why = DrawnAsFinal(repeats=_list_repeats(seated, meetings))
    return Draw(tables=(_seat(seated, contenders, why),), byes=())


def _draw_circle(
    tournament: Tournament, round_: Round, contenders: Mapping[Entrant, Contender], meetings: Meetings
) -> Draw:
    """Seat whom the circle brings together and who are both there; the others by meetings."""
    first = tournament.rounds[0]
    roster = sorted(first.field, key=lambda each: (first.lots[each], each))
    turn = round_.number - 1
    pairs = [pair for pair in turn_circle(roster, turn) if all(each in contenders for each in pair)]
    tables = []
    for pair in pairs:
        seated = tuple(each.entrant for each in seat_table([contenders[each] for each in pair]))
        why = DrawnByCircle(turn=turn, repeats=_list_repeats(seated, meetings))
        tables.append(_seat(seated, contenders, why))
    at_circle = {each for pair in pairs for each in pair}
    others = [without_points(each) for each in contenders.values() if each.entrant not in at_circle]
    paired = pair_round(others, meetings, tournament.opened.tables)
    tables += [_seat(table.entrants, contenders, DrawnByMeetings(repeats=table.repeats)) for table in paired.tables]
    return Draw(tables=tuple(tables), byes=tuple(contenders[each] for each in paired.byes))


def _seat(entrants: Sequence[Entrant], contenders: Mapping[Entrant, Contender], why: Why) -> DrawnTable:
    seats = tuple(
        DrawnSeat(entrant=each.entrant, points=each.points, lot=each.lot, lateness=each.lateness)
        for each in (contenders[entrant] for entrant in entrants)
    )
    return DrawnTable(seats=seats, why=why)
