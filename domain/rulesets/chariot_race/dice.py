"""The dice of a race: the first throw (CR-22), re-rolls and manipulations.

Dice fall in public, and only here: nothing but the first throw, one free re-roll and paid ones ever throws a die.
"""

from domain.rulesets.chariot_race import outcomes as told
from domain.rulesets.chariot_race.board import Board, current_chariot, current_turn
from domain.rulesets.chariot_race.rejections import NoSuchDice
from domain.rulesets.chariot_race.wreck import RaceScript

# The labels of a race's rolls in its log.
ROLL_NAME = "dice"


def throw_first(script: RaceScript) -> None:
    """Throw as many dice as the initial speed has (CR-22)."""
    chariot = current_chariot(script.board)
    throw(script, "first", tuple(range(chariot.table.dice_at(chariot.speed))), fate=chariot.fate)


def throw(script: RaceScript, cause: told.Throw, dice: tuple[int, ...], *, fate: int) -> None:
    chariot = current_chariot(script.board)
    script.emit(told.DiceThrown(chariot=chariot.colour, throw=cause, dice=dice, fate=fate))
    script.roll(ROLL_NAME, dice=len(dice), sides=len(script.board.components.die.faces))


def check_dice(board: Board, dice: tuple[int, ...]) -> None:
    count = len(current_turn(board).dice)
    if list(dice) != sorted(set(dice)) or not dice or not 0 <= dice[0] <= dice[-1] < count:
        raise NoSuchDice(expected=f"dice from 0 to {count - 1}, ascending", found=str(list(dice)))
