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
from domain.tournament.door import PlaceGiven, find_door
from domain.tournament.draw_events import HandedOn
from domain.tournament.drawing import draw_round
from domain.tournament.entering import has_place
from domain.tournament.fields import ATTEMPTS_MAX
from domain.tournament.formats import takes_late_entries
from domain.tournament.redrawing import draw_again, draw_without, draw_without_left, score
from domain.tournament.ruling_events import RulingEvent
from domain.tournament.rulings import RULINGS
from domain.tournament.scores import list_expected, list_standings
from domain.tournament.state import Awaited, Round, Tournament, find_round, find_table, is_held, is_settled
from domain.tournament.team_events import TeamsRanked
from domain.tournament.teams import rank_teams

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
        case events.ResultTaken(round=round_, table=number, ranking=ranking):
            if ranking is not None:
                score(growth, round_, number, ranking)
        case events.NoShowTold(round=round_, table=number, entrants=absent):
            draw_without(growth, round_, find_table(tournament, round_, number), absent)
        case events.EntryTaken(entrant=entrant):
            _play_again(growth, entrant)
        case RulingEvent() as ruling:
            RULINGS[type(ruling)].follow(growth, ruling)
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
    _fill_places(growth)
    _go_on(growth)


def _fill_places(growth: Growth[Tournament]) -> None:
    """Let the waiting list in, the first entrant first, as long as there are places and rounds to play in."""
    opened = growth.state.opened
    if find_door(opened.door).has_waiting_list is not True:
        return
    while has_place(growth.state) and takes_late_entries(opened.format, len(growth.state.rounds)):
        waiting = (number for number, entry in enumerate(growth.state.entries) if entry.left == "waiting")
        first = next(waiting, None)
        if first is None:
            return
        growth.add(PlaceGiven(entrant=first))


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
        draw_without_left(growth, number, place)


def _play_again(growth: Growth[Tournament], entrant: Entrant) -> None:
    """Draw the table again at which an entrant sits whose entry went on, unless the ruling let its game go on."""
    tournament, round_ = growth.state, find_round(growth.state)
    handed = tournament.entries[entrant].handed_last
    # A game that is not opened yet, as its draw is held, can only be that of the new player.
    goes_on = handed is not None and handed.game == "goes_on"
    if round_ is None or (goes_on and not is_held(tournament, round_)):
        return
    for table in round_.tables:
        if entrant in table.entrants and isinstance(table.status, Awaited) and table.attempt < ATTEMPTS_MAX:
            why = HandedOn(line=tournament.version)
            draw_again(growth, round_.number, table.number, table.seats, why)
            draw_without_left(growth, round_.number, table.number)


def _tell_standings(growth: Growth[Tournament]) -> None:
    standings, round_ = list_standings(growth.state), len(growth.state.rounds)
    for start in range(0, len(standings), STANDINGS_PER_LINE):
        growth.add(events.StandingsTold(round=round_, standings=standings[start : start + STANDINGS_PER_LINE]))
    teams = rank_teams(growth.state, standings)
    for start in range(0, len(teams), STANDINGS_PER_LINE):
        growth.add(TeamsRanked(round=round_, teams=teams[start : start + STANDINGS_PER_LINE]))


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
