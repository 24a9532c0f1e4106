"""Places, live and in the end (CR-41 to CR-43, CR-67, XG-09)."""

from domain.ids import Seat
from domain.ruleset.decision import Placing
from domain.rulesets.chariot_race.board import Board, Chariot, front_of

# A seat stands by its best chariot: on the track, then wrecked; a seat that withdrew stands last.
_RACING, _WRECKED, _WITHDRAWN = range(3)
Standing = tuple[int, int]


def rank(board: Board) -> tuple[Placing, ...]:
    """Rank every seat; equal standings share a place. Without a chariot left no seat wins, and places begin at 2."""
    standings = sorted((_standing_of(board, seat), seat) for seat in board.seats)
    first = 2 if board.ended == "no_chariot_left" else 1
    ordered = [standing for standing, _ in standings]
    return tuple(Placing(place=first + ordered.index(standing), seat=seat) for standing, seat in standings)


def _standing_of(board: Board, seat: Seat) -> Standing:
    if seat in board.withdrawn:
        # A later resignation stands above an earlier one.
        return (_WITHDRAWN, -board.withdrawn.index(seat))
    chariots = [chariot for chariot in board.chariots if chariot.seat == seat]
    return min((_standing(board, chariot) for chariot in chariots), default=(_RACING, 0))


def _standing(board: Board, chariot: Chariot) -> Standing:
    match chariot.status:
        case "racing":
            return (_RACING, -front_of(board, chariot))
        case "wrecked":
            return (_WRECKED, -chariot.wreck_moment)
        case _:
            # Still without a place on the grid: level with everyone else.
            return (_RACING, 0)
