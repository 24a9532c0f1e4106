"""Phases 3 and 4: the roll, the free re-roll, paid manipulations, Fortuna's favour (CR-22 to CR-26).

Dice fall in public, and only here: nothing but the first throw, one free re-roll and paid ones ever throws a die.
"""

from domain.rulesets.chariot_race import outcomes as told
from domain.rulesets.chariot_race.actions import Action, Pass, Reroll, TurnDie
from domain.rulesets.chariot_race.board import Board, current_chariot, current_turn
from domain.rulesets.chariot_race.choices import ManipulationChoices, RerollChoices
from domain.rulesets.chariot_race.components import Face
from domain.rulesets.chariot_race.rejections import FateTooLow, FortunaNotForSale, NoSuchDice
from domain.rulesets.chariot_race.wreck import RaceScript

# The labels of a race's rolls in its log.
ROLL_NAME = "dice"


def throw_first(script: RaceScript) -> None:
    """Throw as many dice as the initial speed has (CR-22)."""
    chariot = current_chariot(script.board)
    _throw(script, "first", tuple(range(chariot.table.dice_at(chariot.speed))), fate=chariot.fate)


def reroll_choices(board: Board) -> RerollChoices:
    return RerollChoices(dice=current_turn(board).dice)


def check_reroll(board: Board, action: Reroll | Pass) -> None:
    if isinstance(action, Reroll):
        _check_dice(board, action.dice)


def play_reroll(script: RaceScript, action: Reroll | Pass) -> None:
    chariot = current_chariot(script.board)
    if isinstance(action, Reroll):
        _throw(script, "free", action.dice, fate=chariot.fate)
    else:
        script.emit(told.DiceKept(chariot=chariot.colour))


def manipulation_choices(board: Board) -> ManipulationChoices:
    return ManipulationChoices(
        dice=current_turn(board).dice,
        faces=_faces_for_sale(board),
        cost=board.components.numbers.manipulation_fate,
        fate=current_chariot(board).fate,
    )


def sole_manipulation(board: Board) -> Action | None:
    return None if _can_pay(board) else Pass()


def check_manipulation(board: Board, action: Reroll | TurnDie | Pass) -> None:
    match action:
        case Pass():
            return
        case Reroll():
            _check_dice(board, action.dice)
        case TurnDie():
            _check_dice(board, (action.die,))
            if action.face not in _faces_for_sale(board):
                raise FortunaNotForSale(expected=f"one of {', '.join(_faces_for_sale(board))}", found=action.face)
    if not _can_pay(board):
        cost = board.components.numbers.manipulation_fate
        raise FateTooLow(expected=f"Fate {cost} or more", found=f"Fate {current_chariot(board).fate}")


def play_manipulation(script: RaceScript, action: Reroll | TurnDie | Pass) -> None:
    chariot = current_chariot(script.board)
    fate = chariot.fate - script.board.components.numbers.manipulation_fate
    match action:
        case Reroll():
            _throw(script, "paid", action.dice, fate=fate)
        case TurnDie():
            script.emit(told.DieTurned(chariot=chariot.colour, die=action.die, face=action.face, fate=fate))
        case Pass():
            _settle(script)


def keep(_: Board) -> Action:
    """Answer for an absent seat: the dice as they are (CR-65)."""
    return Pass()


def always_asked(_: Board) -> Action | None:
    """Find no sole answer: a free re-roll can always be taken or declined."""
    return None


def _throw(script: RaceScript, throw: told.Throw, dice: tuple[int, ...], *, fate: int) -> None:
    chariot = current_chariot(script.board)
    script.emit(told.DiceThrown(chariot=chariot.colour, throw=throw, dice=dice, fate=fate))
    script.roll(ROLL_NAME, dice=len(dice), sides=len(script.board.components.die.faces))


def _settle(script: RaceScript) -> None:
    faces = current_turn(script.board).dice
    chariot = current_chariot(script.board)
    script.emit(told.DiceSettled(chariot=chariot.colour, faces=faces))
    favours = faces.count("fortuna")
    if favours:
        gained = chariot.fate + favours * script.board.components.numbers.fortuna_fate
        fate = min(chariot.table.fate_max, gained)
        script.emit(told.FortunaFavoured(chariot=chariot.colour, faces=favours, fate=fate))


def _faces_for_sale(board: Board) -> tuple[Face, ...]:
    # In the order of the die, each once.
    return tuple(face for face in dict.fromkeys(board.components.die.faces) if face != "fortuna")


def _can_pay(board: Board) -> bool:
    return current_chariot(board).fate >= board.components.numbers.manipulation_fate


def _check_dice(board: Board, dice: tuple[int, ...]) -> None:
    count = len(current_turn(board).dice)
    if list(dice) != sorted(set(dice)) or not dice or not 0 <= dice[0] <= dice[-1] < count:
        raise NoSuchDice(expected=f"dice from 0 to {count - 1}, ascending", found=str(list(dice)))
