"""What follows from an input by the terms alone: the outcomes, in order, as the verifier must find them in the log.

Each outcome is sent back as the tournament after it, so that the next one is decided on what stands in the log.
"""

from collections.abc import Callable, Generator

import msgspec
from msgspec import Struct

from domain.chance import DiceRolled, check_dice, draw_dice
from domain.derived_ids import derive_game
from domain.ids import StreamVersion
from domain.log.events import SecretDisclosed
from domain.log.record import AT_MAX_MS, format_at
from domain.tournament.contender import LOT_SIDES, Entrant
from domain.tournament.drawing import draw_round
from domain.tournament.events import (
    ATTEMPTS_MAX,
    ByeGiven,
    CheckInOpened,
    DrawnAgain,
    DrawnSeat,
    GameVoided,
    NoShowTold,
    OutcomeEvent,
    PlayedAgain,
    ResultReplaced,
    ResultTaken,
    RoundCalled,
    RoundClosed,
    RoundDrawn,
    StandingsTold,
    TableDrawn,
    TableReplayed,
    TableScored,
    TournamentAborted,
    TournamentClosed,
    TournamentFinished,
    WalkoverGiven,
    Why,
)
from domain.tournament.evolve import find_table
from domain.tournament.scores import list_expected, list_standings
from domain.tournament.scoring import score_table, share_places
from domain.tournament.state import Round, Table, Tournament, find_round, is_settled

# With the longest numbers that so many rounds and rulings can give, this is still a line.
STANDINGS_PER_LINE = 48
LOTS = "lots"

Following = Generator[OutcomeEvent, Tournament, Tournament]


# Finds what a log has at a version, if it has anything there.
FindEvent = Callable[[StreamVersion], Struct | None]


def find_nothing(_: StreamVersion) -> None:
    """Find nothing: what follows is decided for the first time."""


class NotDisclosed(Exception):
    """Without the secret, and without a log that shows what was drawn from it, it goes no further."""


def follow(tournament: Tournament, find_known: FindEvent = find_nothing) -> Following:
    """Go through what follows from the last input.

    Lots are drawn with the secret. Without it they are those that `find_known` finds, if they follow from the links;
    so whoever has a log can decide it again at any time, and the secret that ends it is taken as it stands there.
    """
    match tournament.last:
        case RoundCalled():
            tournament = yield _open_check_in(tournament)
        case ResultTaken() | ResultReplaced() | GameVoided() as settling:
            tournament = yield from _score(tournament, settling)
        case NoShowTold(round=round_, table=number, entrants=absent):
            tournament = yield from _draw_without(tournament, round_, find_table(tournament, round_, number), absent)
        case TableReplayed(round=round_, table=number):
            replayed = find_table(tournament, round_, number)
            why = PlayedAgain(line=tournament.version)
            tournament = yield _drawn(tournament, round_, replayed, replayed.seats, why)
            tournament = yield from _draw_without_left(tournament, round_, number)
        case TournamentClosed():
            tournament = yield from _tell_standings(tournament)
            tournament = yield TournamentFinished(rounds=len(tournament.rounds))
            return (yield _disclosure(tournament, find_known))
        case TournamentAborted():
            return (yield _disclosure(tournament, find_known))
        case _:
            pass
    return (yield from _go_on(tournament, find_known))


def _go_on(tournament: Tournament, find_known: FindEvent) -> Following:
    """Draw the round once everybody expected is there or time is up; close it once every table counts."""
    round_ = find_round(tournament)
    if round_ is not None and not round_.is_drawn and (round_.is_check_in_over or not round_.waiting):
        tournament = yield from _draw(tournament, round_, find_known)
        round_ = tournament.rounds[-1]
    if round_ is not None and round_.is_drawn and all(is_settled(table) for table in round_.tables):
        tournament = yield from _tell_standings(tournament)
        tournament = yield RoundClosed(round=round_.number)
    return tournament


def _open_check_in(tournament: Tournament) -> CheckInOpened:
    until_ms = min(tournament.at_ms + tournament.opened.check_in_ms, AT_MAX_MS)
    return CheckInOpened(
        round=tournament.rounds[-1].number,
        # Who is expected follows from the rounds before the one that was just called.
        entrants=list_expected(msgspec.structs.replace(tournament, rounds=tournament.rounds[:-1])),
        until=format_at(until_ms),
    )


def _draw(tournament: Tournament, round_: Round, find_known: FindEvent) -> Following:
    number = round_.number
    # Whoever has checked in is in the draw, also if it left since: nobody who has seen the links of others may choose
    # between two draws by leaving. Its table is drawn again without it, with the same lots.
    tournament = yield RoundDrawn(round=number, entrants=tuple(sorted(round_.checked_in)))
    if not round_.checked_in:
        return tournament
    tournament = yield _roll_lots(tournament, len(round_.checked_in), find_known)
    draw = draw_round(tournament, tournament.rounds[-1])
    for place, table in enumerate(draw.tables, start=1):
        tournament = yield TableDrawn(
            round=number,
            table=place,
            attempt=1,
            game=derive_game(tournament.id, round_=number, table=place, attempt=1),
            seats=table.seats,
            why=table.why,
        )
    for bye in draw.byes:
        tournament = yield ByeGiven(
            round=number,
            entrant=bye.entrant,
            points=tournament.opened.bye_points,
            byes=bye.byes,
            score=bye.points,
            lot=bye.lot,
        )
    for place in range(1, len(draw.tables) + 1):
        tournament = yield from _draw_without_left(tournament, number, place)
    return tournament


def _draw_without_left(tournament: Tournament, round_: int, number: int) -> Following:
    table = find_table(tournament, round_, number)
    left = tuple(sorted(each for each in table.entrants if tournament.entries[each].left is not None))
    if left:
        tournament = yield from _draw_without(tournament, round_, table, left)
    return tournament


def _draw_without(tournament: Tournament, round_: int, table: Table, absent: tuple[Entrant, ...]) -> Following:
    """Draw a table again without some, or let those who are left walk over if they are too few."""
    seats = tuple(seat for seat in table.seats if seat.entrant not in absent)
    if len(seats) >= tournament.opened.tables.min and table.attempt < ATTEMPTS_MAX:
        return (yield _drawn(tournament, round_, table, seats, DrawnAgain(absent=absent)))
    earned = tournament.opened.points[str(len(table.seats))]
    return (
        yield WalkoverGiven(
            round=round_,
            table=table.number,
            attempt=table.attempt,
            absent=absent,
            entrants=tuple(seat.entrant for seat in seats),
            points=share_places(earned, 1, len(seats)) if seats else 0,
        )
    )


def _drawn(tournament: Tournament, round_: int, table: Table, seats: tuple[DrawnSeat, ...], why: Why) -> TableDrawn:
    attempt = table.attempt + 1
    game = derive_game(tournament.id, round_=round_, table=table.number, attempt=attempt)
    return TableDrawn(round=round_, table=table.number, attempt=attempt, game=game, seats=seats, why=why)


def _score(tournament: Tournament, settling: ResultTaken | ResultReplaced | GameVoided) -> Following:
    ranking = () if isinstance(settling, GameVoided) else settling.ranking
    if ranking is None:
        return tournament
    table = find_table(tournament, settling.round, settling.table)
    scored = score_table(table.entrants, ranking, tournament.opened.points)
    return (yield TableScored(round=settling.round, table=table.number, attempt=table.attempt, scored=scored))


def _tell_standings(tournament: Tournament) -> Following:
    standings = list_standings(tournament)
    for start in range(0, len(standings), STANDINGS_PER_LINE):
        part = standings[start : start + STANDINGS_PER_LINE]
        tournament = yield StandingsTold(round=len(tournament.rounds), standings=part)
    return tournament


def _roll_lots(tournament: Tournament, count: int, find_known: FindEvent) -> DiceRolled:
    if tournament.chance.secret is not None:
        return draw_dice(tournament.chance, name=LOTS, dice=count, sides=LOT_SIDES)
    rolled = find_known(StreamVersion(tournament.version + 1))
    if not isinstance(rolled, DiceRolled) or (len(rolled.faces), rolled.sides) != (count, LOT_SIDES):
        raise NotDisclosed
    check_dice(tournament.chance, rolled)
    return rolled


def _disclosure(tournament: Tournament, find_known: FindEvent) -> SecretDisclosed:
    secret = tournament.chance.secret
    if secret is not None:
        return SecretDisclosed(secret=secret.hex())
    known = find_known(StreamVersion(tournament.version + 1))
    if not isinstance(known, SecretDisclosed):
        raise NotDisclosed
    return known
