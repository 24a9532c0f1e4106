"""The draft: colours of the basic game, or alternate boards and then places on the grid (CR-52 to CR-54, CR-72)."""

from domain.ids import Seat
from domain.rulesets.chariot_race.actions import Action, ChooseBoard, ChoosePlace
from domain.rulesets.chariot_race.board import Board, Chariot
from domain.rulesets.chariot_race.choices import BoardChoices, PlaceChoices
from domain.rulesets.chariot_race.components import CHARIOTS_MAX, ChariotBoard
from domain.rulesets.chariot_race.outcomes import BoardChosen
from domain.rulesets.chariot_race.rejections import BoardTaken, PlaceTaken
from domain.rulesets.chariot_race.setup import put_on_grid
from domain.rulesets.chariot_race.wreck import RaceScript


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


def board_choices(board: Board) -> BoardChoices:
    taken = [chariot.colour for chariot in board.chariots]
    free = tuple(table for table in board.tables if table.colour not in taken)
    return BoardChoices(boards=free)


def sole_board(board: Board) -> Action | None:
    free = board_choices(board).boards
    return ChooseBoard(colour=free[0].colour) if len(free) == 1 else None


def check_board(board: Board, action: ChooseBoard) -> None:
    free = [table.colour for table in board_choices(board).boards]
    if action.colour not in free:
        raise BoardTaken(expected=f"one of {', '.join(free)}", found=action.colour)


def play_board(script: RaceScript, action: ChooseBoard) -> None:
    seat = find_chooser(script.board)
    assert seat is not None, "every board is chosen"
    table = _table(script.board, action)
    script.emit(
        BoardChosen(seat=seat, chariot=table.colour, damage_left=table.damage_max, speed=table.speed, fate=table.fate)
    )


def default_board(board: Board) -> Action:
    return ChooseBoard(colour=board_choices(board).boards[0].colour)


def place_choices(board: Board) -> PlaceChoices:
    chariot = find_unplaced(board)
    assert chariot is not None, "every chariot has its place"
    return PlaceChoices(chariot=chariot.colour, places=_free_places(board))


def sole_place(board: Board) -> Action | None:
    free = _free_places(board)
    return ChoosePlace(place=free[0]) if len(free) == 1 else None


def check_place(board: Board, action: ChoosePlace) -> None:
    free = _free_places(board)
    if action.place not in free:
        raise PlaceTaken(expected=f"one of {free}", found=str(action.place))


def play_place(script: RaceScript, action: ChoosePlace) -> None:
    chariot = find_unplaced(script.board)
    assert chariot is not None, "every chariot has its place"
    put_on_grid(script, chariot, action.place)


def default_place(board: Board) -> Action:
    return ChoosePlace(place=_free_places(board)[0])


def _clockwise(board: Board) -> tuple[Seat, ...]:
    assert board.first_chooser is not None, "the draft has not begun"
    first = board.seats.index(board.first_chooser)
    return board.seats[first:] + board.seats[:first]


def _boards_of(board: Board, seat: Seat) -> tuple[Chariot, ...]:
    return tuple(chariot for chariot in board.chariots if chariot.seat == seat)


def _table(board: Board, action: ChooseBoard) -> ChariotBoard:
    return next(table for table in board.tables if table.colour == action.colour)


def _free_places(board: Board) -> tuple[int, ...]:
    taken = [chariot.place for chariot in board.chariots if chariot.status == "racing"]
    return tuple(place for place in range(1, CHARIOTS_MAX + 1) if place not in taken)
