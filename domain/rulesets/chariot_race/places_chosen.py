"""The choice of places on the grid, the last chooser first (CR-54, CR-72)."""

from domain.rulesets.chariot_race.actions import Action, ChoosePlace
from domain.rulesets.chariot_race.board import Board
from domain.rulesets.chariot_race.choices import PlaceChoices
from domain.rulesets.chariot_race.components import CHARIOTS_MAX
from domain.rulesets.chariot_race.draft import find_unplaced
from domain.rulesets.chariot_race.rejections import PlaceTaken
from domain.rulesets.chariot_race.setup import put_on_grid
from domain.rulesets.chariot_race.wreck import RaceScript


def choices(board: Board) -> PlaceChoices:
    chariot = find_unplaced(board)
    assert chariot is not None, "every chariot has its place"
    return PlaceChoices(chariot=chariot.colour, places=_free_places(board))


def sole_answer(board: Board) -> Action | None:
    free = _free_places(board)
    return ChoosePlace(place=free[0]) if len(free) == 1 else None


def check(board: Board, action: ChoosePlace) -> None:
    free = _free_places(board)
    if action.place not in free:
        raise PlaceTaken(expected=f"one of {free}", found=str(action.place))


def play(script: RaceScript, action: ChoosePlace) -> None:
    chariot = find_unplaced(script.board)
    assert chariot is not None, "every chariot has its place"
    put_on_grid(script, chariot, action.place)


def default(board: Board) -> Action:
    return ChoosePlace(place=_free_places(board)[0])


def _free_places(board: Board) -> tuple[int, ...]:
    taken = [chariot.place for chariot in board.chariots if chariot.status == "racing"]
    return tuple(place for place in range(1, CHARIOTS_MAX + 1) if place not in taken)
