"""CM-118: the ranking, live and in the end: chariots across the line, those that can still cross it, and the others."""

from domain.ids import Seat
from domain.ruleset.decision import Placing
from domain.ruleset.teams import TeamResult, rank_teams
from domain.rulesets.chariotmaster.race.board import Board, Chariot, can_finish

# A seat stands by its best chariot, a team by all of them.
_FINISHED, _RACING, _FALLEN_OUT, _WITHDRAWN = range(4)
Standing = tuple[int, int]


def rank(board: Board) -> tuple[Placing, ...]:
    """CM-118: rank every seat; equal standings share a place. Without a winner places begin at 2."""
    units = _list_units(board)
    standings = {seat: min(standing for owner, standing in units if owner == seat) for seat in board.seats}
    for result in list_teams(board):
        standings |= dict.fromkeys(result.seats, (_FINISHED, result.place))
    # XG-07: a later resignation stands above an earlier one.
    standings |= {seat: (_WITHDRAWN, -place) for place, seat in enumerate(board.withdrawn)}
    ordered, first = sorted((standing, seat) for seat, standing in standings.items()), _first_place(board, units)
    places = [standing for standing, _ in ordered]
    return tuple(Placing(place=first + places.index(standing), seat=seat) for standing, seat in ordered)


def list_teams(board: Board) -> tuple[TeamResult, ...]:
    """MO-23: rank the teams by all their chariots, also by those that crossed the line before their seat resigned."""
    teams, units = board.options.teams, _list_units(board)
    return () if teams is None else rank_teams(teams, units, board.withdrawn, first=_first_place(board, units))


def crossed(board: Board) -> tuple[int, ...]:
    """CM-117: list the chariots across the line in the order of crossing, as far as that counts now."""
    counting = (
        crossing.chariot
        for crossing in board.crossings
        if not crossing.is_dragged or board.chariots[crossing.chariot].driver != "dead"
    )
    return (*board.finished, *counting)


def still_racing(board: Board) -> tuple[int, ...]:
    """CM-08: list the chariots that can still cross the line and have not."""
    over = crossed(board)
    return tuple(
        number
        for number, chariot in enumerate(board.chariots)
        if number not in over and chariot.seat not in board.withdrawn and can_finish(chariot)
    )


def _first_place(board: Board, units: list[tuple[Seat, Standing]]) -> int:
    is_lost = min(standing for _, standing in units)[0] == _FALLEN_OUT
    return 2 if is_lost and board.ended not in ("one_seat_left", "one_team_left") else 1


def _list_units(board: Board) -> list[tuple[Seat, Standing]]:
    over = crossed(board)
    return [(chariot.seat, _standing(board, over, number, chariot)) for number, chariot in enumerate(board.chariots)]


def _standing(board: Board, over: tuple[int, ...], number: int, chariot: Chariot) -> Standing:
    is_kept = board.options.teams is not None or chariot.seat not in board.withdrawn
    if number in over and is_kept:
        return _FINISHED, over.index(number)
    if chariot.seat in board.withdrawn:
        return _WITHDRAWN, -board.withdrawn.index(chariot.seat)
    if can_finish(chariot):
        return _RACING, -chariot.progress_um
    # A chariot that fell out in the turn that is still on did so later than all before.
    return _FALLEN_OUT, -(board.turns_closed + 1 if chariot.fallen_out is None else chariot.fallen_out)
