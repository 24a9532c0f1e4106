"""Phase 4: paid manipulations, and Fortuna's favour (CR-24 to CR-26)."""

from domain.rulesets.chariot_race import outcomes as told
from domain.rulesets.chariot_race.actions import Action, Pass, Reroll, TurnDie
from domain.rulesets.chariot_race.board import Board, current_chariot, current_turn
from domain.rulesets.chariot_race.choices import ManipulationChoices
from domain.rulesets.chariot_race.components import Face
from domain.rulesets.chariot_race.dice import check_dice, throw
from domain.rulesets.chariot_race.rejections import FateTooLow, FortunaNotForSale
from domain.rulesets.chariot_race.wreck import RaceScript


def choices(board: Board) -> ManipulationChoices:
    return ManipulationChoices(
        dice=current_turn(board).dice,
        faces=_faces_for_sale(board),
        cost=board.components.numbers.manipulation_fate,
        fate=current_chariot(board).fate,
    )


def sole_answer(board: Board) -> Action | None:
    return None if _can_pay(board) else Pass()


def check(board: Board, action: Reroll | TurnDie | Pass) -> None:
    match action:
        case Pass():
            return
        case Reroll():
            check_dice(board, action.dice)
        case TurnDie():
            check_dice(board, (action.die,))
            if action.face not in _faces_for_sale(board):
                raise FortunaNotForSale(expected=f"one of {', '.join(_faces_for_sale(board))}", found=action.face)
    if not _can_pay(board):
        cost = board.components.numbers.manipulation_fate
        raise FateTooLow(expected=f"Fate {cost} or more", found=f"Fate {current_chariot(board).fate}")


def play(script: RaceScript, action: Reroll | TurnDie | Pass) -> None:
    chariot = current_chariot(script.board)
    fate = chariot.fate - script.board.components.numbers.manipulation_fate
    match action:
        case Reroll():
            throw(script, "paid", action.dice, fate=fate)
        case TurnDie():
            script.emit(told.DieTurned(chariot=chariot.colour, die=action.die, face=action.face, fate=fate))
        case Pass():
            _settle(script)


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


def default(_: Board) -> Action:
    """Answer for an absent seat: the dice as they are (CR-65)."""
    return Pass()
