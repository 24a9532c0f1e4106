"""The outcomes of an input by the terms alone, in order, as the verifier must find them in the log.

Each outcome is added to the log before the next is decided, so that the next one is decided on the new state.
"""

import msgspec

from domain.chance import DiceRolled, check_dice, draw_dice
from domain.derived_ids import derive_game
from domain.log.events import SecretDisclosed
from domain.log.kind import Growth, NotDisclosed
from domain.log.record import AT_MAX_MS, format_at
from domain.tournament import events
from domain.tournament.contender import LOT_SIDES, Entrant
from domain.tournament.drawing import draw_round
from domain.tournament.evolve import find_table
from domain.tournament.scores import list_expected, list_standings
from domain.tournament.scoring import score_table, share_places
from domain.tournament.state import Round, Table, Tournament, find_round, is_settled

# With the longest numbers that so many rounds and rulings can give, this is still a line.
STANDINGS_PER_LINE = 48
LOTS = "lots"


def follow(growth: Growth[Tournament]) -> None:
    """Add the consequences of the last input.

    Lots are drawn with the secret. Without it they are those that the log has already, if they follow from the links;
    so a log can be decided again by every reader, and the secret that ends it is taken as it stands there.
    """
    tournament = growth.state
    match tournament.last:
        case events.RoundCalled():
            growth.add(_open_check_in(tournament))
        case events.ResultTaken() | events.ResultReplaced() | events.GameVoided() as settling:
            _score(growth, settling)
        case events.NoShowTold(round=round_, table=number, entrants=absent):
            _draw_without(growth, round_, find_table(tournament, round_, number), absent)
        case events.TableReplayed(round=round_, table=number):
            replayed = find_table(tournament, round_, number)
            why = events.PlayedAgain(line=tournament.version)
            growth.add(_drawn(tournament, round_, replayed, replayed.seats, why))
            _draw_without_left(growth, round_, number)
        case events.TournamentClosed():
            _tell_standings(growth)
            growth.add(events.TournamentFinished(rounds=len(tournament.rounds)))
            growth.add(_disclosure(growth))
            return
        case events.TournamentAborted():
            growth.add(_disclosure(growth))
            return
        case _:
            pass
    _go_on(growth)


def _go_on(growth: Growth[Tournament]) -> None:
    """Draw the round once all expected entrants are there or time is up; close it once every table counts."""
    round_ = find_round(growth.state)
    if round_ is not None and not round_.is_drawn and (round_.is_check_in_over or not round_.waiting):
        _draw(growth, round_)
        round_ = growth.state.rounds[-1]
    if round_ is not None and round_.is_drawn and all(is_settled(table) for table in round_.tables):
        _tell_standings(growth)
        growth.add(events.RoundClosed(round=round_.number))


def _open_check_in(tournament: Tournament) -> events.CheckInOpened:
    until_ms = min(tournament.at_ms + tournament.opened.check_in_ms, AT_MAX_MS)
    return events.CheckInOpened(
        round=tournament.rounds[-1].number,
        # Who is expected follows from the rounds before the one that was just called.
        entrants=list_expected(msgspec.structs.replace(tournament, rounds=tournament.rounds[:-1])),
        until=format_at(until_ms),
    )


def _draw(growth: Growth[Tournament], round_: Round) -> None:
    number = round_.number
    # An entrant that has checked in is in the draw, also if it left since: an entrant that has seen the links of others
    # may not choose between two draws by leaving. Its table is drawn again without it, with the same lots.
    growth.add(events.RoundDrawn(round=number, entrants=tuple(sorted(round_.checked_in))))
    if not round_.checked_in:
        return
    tournament = growth.add(_roll_lots(growth, len(round_.checked_in)))
    draw = draw_round(tournament, tournament.rounds[-1])
    for place, table in enumerate(draw.tables, start=1):
        game = derive_game(tournament.id, round_=number, table=place, attempt=1)
        growth.add(events.TableDrawn(round=number, table=place, attempt=1, game=game, seats=table.seats, why=table.why))
    for bye in draw.byes:
        growth.add(
            events.ByeGiven(
                round=number,
                entrant=bye.entrant,
                points=tournament.opened.bye_points,
                byes=bye.byes,
                score=bye.points,
                lot=bye.lot,
            )
        )
    for place in range(1, len(draw.tables) + 1):
        _draw_without_left(growth, number, place)


def _draw_without_left(growth: Growth[Tournament], round_: int, number: int) -> None:
    table = find_table(growth.state, round_, number)
    left = tuple(sorted(entrant for entrant in table.entrants if growth.state.entries[entrant].left is not None))
    if left:
        _draw_without(growth, round_, table, left)


def _draw_without(growth: Growth[Tournament], round_: int, table: Table, absent: tuple[Entrant, ...]) -> None:
    """Draw a table again without some, or let those who are left walk over if they are too few."""
    tournament = growth.state
    seats = tuple(seat for seat in table.seats if seat.entrant not in absent)
    if len(seats) >= tournament.opened.tables.min and table.attempt < events.ATTEMPTS_MAX:
        growth.add(_drawn(tournament, round_, table, seats, events.DrawnAgain(absent=absent)))
        return
    earned = tournament.opened.points[str(len(table.seats))]
    growth.add(
        events.WalkoverGiven(
            round=round_,
            table=table.number,
            attempt=table.attempt,
            absent=absent,
            entrants=tuple(seat.entrant for seat in seats),
            points=share_places(earned, 1, len(seats)) if seats else 0,
        )
    )


def _drawn(
    tournament: Tournament, round_: int, table: Table, seats: tuple[events.DrawnSeat, ...], why: events.Why
) -> events.TableDrawn:
    attempt = table.attempt + 1
    game = derive_game(tournament.id, round_=round_, table=table.number, attempt=attempt)
    return events.TableDrawn(round=round_, table=table.number, attempt=attempt, game=game, seats=seats, why=why)


def _score(
    growth: Growth[Tournament], settling: events.ResultTaken | events.ResultReplaced | events.GameVoided
) -> None:
    ranking = () if isinstance(settling, events.GameVoided) else settling.ranking
    if ranking is None:
        return
    table = find_table(growth.state, settling.round, settling.table)
    scored = score_table(table.entrants, ranking, growth.state.opened.points)
    growth.add(events.TableScored(round=settling.round, table=table.number, attempt=table.attempt, scored=scored))


def _tell_standings(growth: Growth[Tournament]) -> None:
    standings, round_ = list_standings(growth.state), len(growth.state.rounds)
    for start in range(0, len(standings), STANDINGS_PER_LINE):
        growth.add(events.StandingsTold(round=round_, standings=standings[start : start + STANDINGS_PER_LINE]))


def _roll_lots(growth: Growth[Tournament], count: int) -> DiceRolled:
    chance = growth.state.chance
    if chance.secret is not None:
        return draw_dice(chance, name=LOTS, dice=count, sides=LOT_SIDES)
    rolled = growth.find_known()
    if not isinstance(rolled, DiceRolled) or (len(rolled.faces), rolled.sides) != (count, LOT_SIDES):
        raise NotDisclosed
    check_dice(chance, rolled)
    return rolled


def _disclosure(growth: Growth[Tournament]) -> SecretDisclosed:
    secret = growth.state.chance.secret
    if secret is not None:
        return SecretDisclosed(secret=secret.hex())
    known = growth.find_known()
    if not isinstance(known, SecretDisclosed):
        raise NotDisclosed
    return known
