"""The draw of a round: its field paired by the format of the tournament, with the reason of each table."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from domain.tournament.contender import Contender, Entrant, Meetings
from domain.tournament.draw_events import DrawnAsFinal, DrawnByCircle, DrawnByMeetings, DrawnByScore, DrawnSeat, Why
from domain.tournament.formats import RoundRobin, ScoreRounds, is_final, turn_circle
from domain.tournament.pairing import list_repeats, pair_round, seat_table
from domain.tournament.scores import count_meetings, list_contenders, without_points
from domain.tournament.state import Round, Tournament
from domain.tournament.teams import list_wishes

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
    contenders = {contender.entrant: contender for contender in list_contenders(tournament, round_)}
    meetings = count_meetings(tournament)
    if is_final(kind, round_.number):
        return _draw_final(contenders, meetings, smallest=sizes.min)
    if isinstance(kind, RoundRobin) and sizes.max == _PAIR:
        return _draw_circle(tournament, round_, contenders, meetings)
    is_by_score = isinstance(kind, ScoreRounds)
    field = [contender if is_by_score else without_points(contender) for contender in contenders.values()]
    paired = pair_round(field, meetings, sizes, list_wishes(tournament))
    why = DrawnByScore if is_by_score else DrawnByMeetings
    return Draw(
        tables=tuple(_seat(table.entrants, contenders, why(repeats=table.repeats)) for table in paired.tables),
        byes=tuple(contenders[bye] for bye in paired.byes),
    )


def _draw_final(contenders: Mapping[Entrant, Contender], meetings: Meetings, *, smallest: int) -> Draw:
    seated = tuple(contender.entrant for contender in seat_table(list(contenders.values())))
    if len(seated) < smallest:
        return Draw(tables=(), byes=tuple(contenders.values()))
    why = DrawnAsFinal(repeats=list_repeats(seated, meetings))
    return Draw(tables=(_seat(seated, contenders, why),), byes=())


def _draw_circle(
    tournament: Tournament, round_: Round, contenders: Mapping[Entrant, Contender], meetings: Meetings
) -> Draw:
    """Seat whom the circle brings together and who are both there; the others by meetings."""
    first = tournament.rounds[0]
    roster = sorted(first.field, key=lambda entrant: (first.lots[entrant], entrant))
    turn = round_.number - 1
    pairs = [pair for pair in turn_circle(roster, turn) if all(entrant in contenders for entrant in pair)]
    tables = []
    for pair in pairs:
        seated = tuple(contender.entrant for contender in seat_table([contenders[entrant] for entrant in pair]))
        why = DrawnByCircle(turn=turn, repeats=list_repeats(seated, meetings))
        tables.append(_seat(seated, contenders, why))
    at_circle = {entrant for pair in pairs for entrant in pair}
    others = [without_points(contender) for contender in contenders.values() if contender.entrant not in at_circle]
    paired = pair_round(others, meetings, tournament.opened.tables, list_wishes(tournament))
    tables += [_seat(table.entrants, contenders, DrawnByMeetings(repeats=table.repeats)) for table in paired.tables]
    return Draw(tables=tuple(tables), byes=tuple(contenders[bye] for bye in paired.byes))


def _seat(entrants: Sequence[Entrant], contenders: Mapping[Entrant, Contender], why: Why) -> DrawnTable:
    seats = tuple(
        DrawnSeat(entrant=contender.entrant, points=contender.points, lot=contender.lot, lateness=contender.lateness)
        for contender in (contenders[entrant] for entrant in entrants)
    )
    return DrawnTable(seats=seats, why=why)
