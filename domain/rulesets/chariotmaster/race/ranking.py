"""CM-118: the ranking, live and in the end: chariots across the line, those that can still cross it, and the others."""

from domain.ids import Seat
from domain.ruleset.decision import Placing
from domain.rulesets.chariotmaster.race.board import Board, Chariot, can_finish

# A seat stands by its best chariot; a seat that resigned stands last.
_FINISHED, _RACING, _FALLEN_OUT, _WITHDRAWN = range(4)
Standing = tuple[int, int]


def rank(board: Board) -> tuple[Placing, ...]:
    """CM-118: rank every seat; equal standings share a place. Without a winner places begin at 2."""
    standings = sorted((_standing_in_team(board, seat), seat) for seat in board.seats)
    ordered = [standing for standing, _ in standings]
    is_lost = ordered[0][0] == _FALLEN_OUT and board.ended != "one_seat_left"
    first = 2 if is_lost else 1
    return tuple(Placing(place=first + ordered.index(standing), seat=seat) for standing, seat in standings)


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


def _standing_in_team(board: Board, seat: Seat) -> Standing:
    """MO-23: a team stands as its best seat that has not resigned."""
    teams = board.options.teams
    if teams is None or seat in board.withdrawn:
        return _standing_of(board, seat)
    team = board.seats[board.seats.index(seat) % teams :: teams]
    return min(_standing_of(board, mate) for mate in team)


def _standing_of(board: Board, seat: Seat) -> Standing:
    if seat in board.withdrawn:
        # A later resignation stands above an earlier one.
        return _WITHDRAWN, -board.withdrawn.index(seat)
    over = crossed(board)
    return min(
        _standing(board, over, number, chariot) for number, chariot in enumerate(board.chariots) if chariot.seat == seat
    )


def _standing(board: Board, over: tuple[int, ...], number: int, chariot: Chariot) -> Standing:
    if number in over:
        return _FINISHED, over.index(number)
    if can_finish(chariot):
        return _RACING, -chariot.progress_um
    # A chariot that fell out in the turn that is still on did so later than all before.
    return _FALLEN_OUT, -(board.turns_closed + 1 if chariot.fallen_out is None else chariot.fallen_out)
