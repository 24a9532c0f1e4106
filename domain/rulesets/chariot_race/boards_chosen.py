"""The choice of boards, clockwise and, for second ones, back again (CR-52, CR-53)."""

from domain.rulesets.chariot_race.actions import Action, ChooseBoard
from domain.rulesets.chariot_race.board import Board
from domain.rulesets.chariot_race.choices import BoardChoices
from domain.rulesets.chariot_race.components import ChariotBoard
from domain.rulesets.chariot_race.draft import find_chooser
from domain.rulesets.chariot_race.outcomes import BoardChosen
from domain.rulesets.chariot_race.rejections import BoardTaken
from domain.rulesets.chariot_race.wreck import RaceScript


def choices(board: Board) -> BoardChoices:
    taken = [chariot.colour for chariot in board.chariots]
    free = tuple(table for table in board.tables if table.colour not in taken)
    return BoardChoices(boards=free)


def sole_answer(board: Board) -> Action | None:
    free = choices(board).boards
    return ChooseBoard(colour=free[0].colour) if len(free) == 1 else None


def check(board: Board, action: ChooseBoard) -> None:
    free = [table.colour for table in choices(board).boards]
    if action.colour not in free:
        raise BoardTaken(expected=f"one of {', '.join(free)}", found=action.colour)


def play(script: RaceScript, action: ChooseBoard) -> None:
    seat = find_chooser(script.board)
    assert seat is not None, "every board is chosen"
    table = _table(script.board, action)
    script.emit(
        BoardChosen(seat=seat, chariot=table.colour, damage_left=table.damage_max, speed=table.speed, fate=table.fate)
    )


def default(board: Board) -> Action:
    return ChooseBoard(colour=choices(board).boards[0].colour)


def _table(board: Board, action: ChooseBoard) -> ChariotBoard:
    return next(table for table in board.tables if table.colour == action.colour)
