"""Phase 3: the free re-roll (CR-23)."""

from domain.rulesets.chariot_race import outcomes as told
from domain.rulesets.chariot_race.actions import Action, Pass, Reroll
from domain.rulesets.chariot_race.board import Board, current_chariot, current_turn
from domain.rulesets.chariot_race.choices import RerollChoices
from domain.rulesets.chariot_race.dice import check_dice, throw
from domain.rulesets.chariot_race.wreck import RaceScript


def choices(board: Board) -> RerollChoices:
    return RerollChoices(dice=current_turn(board).dice)


def check(board: Board, action: Reroll | Pass) -> None:
    if isinstance(action, Reroll):
        check_dice(board, action.dice)


def play(script: RaceScript, action: Reroll | Pass) -> None:
    chariot = current_chariot(script.board)
    if isinstance(action, Reroll):
        throw(script, "free", action.dice, fate=chariot.fate)
    else:
        script.emit(told.DiceKept(chariot=chariot.colour))


def default(_: Board) -> Action:
    """Answer for an absent seat: the dice as they are (CR-65)."""
    return Pass()


def sole_answer(_: Board) -> Action | None:
    """Find no sole answer: a free re-roll can always be taken or declined."""
    return None
