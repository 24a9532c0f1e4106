"""The draft: colours of the basic game, or alternate boards and then places on the grid (CR-52 to CR-54, CR-72)."""

from domain.ids import Seat
from domain.rulesets.chariot_race.board import Board, Chariot


def find_chooser(board: Board) -> Seat | None:
    """Find whose turn it is to choose a board: clockwise, then, for a second one, back again."""
    clockwise = _clockwise(board)
    for number in range(board.chariots_each):
        for seat in reversed(clockwise) if number else clockwise:
            if seat not in board.withdrawn and len(_boards_of(board, seat)) <= number:
                return seat
    return None


def find_unplaced(board: Board) -> Chariot | None:
    """Find the chariot that is next to get a place: the last chooser's first, counter-clockwise; second ones back."""
    clockwise = _clockwise(board)
    for number in range(board.chariots_each):
        for seat in clockwise if number else reversed(clockwise):
            chosen = _boards_of(board, seat)
            if seat not in board.withdrawn and chosen[number].status == "waiting":
                return chosen[number]
    return None


def _clockwise(board: Board) -> tuple[Seat, ...]:
    assert board.first_chooser is not None, "the draft has not begun"
    first = board.seats.index(board.first_chooser)
    return board.seats[first:] + board.seats[:first]


def _boards_of(board: Board, seat: Seat) -> tuple[Chariot, ...]:
    return tuple(chariot for chariot in board.chariots if chariot.seat == seat)
