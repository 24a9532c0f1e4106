"""The certain effects of an action before it is taken. Dice are not certain: a throw foresees only its price."""

from msgspec.structs import replace

from domain.rulesets.chariot_race import actions, attacks, draft, move, repair
from domain.rulesets.chariot_race.board import Board, Chariot, current_chariot, current_turn
from domain.rulesets.chariot_race.choices import Foreseen


def foresee(board: Board, action: actions.Action) -> Foreseen:
    """Foresee a legal action."""
    match action:
        case actions.ChooseBoard():
            table = next(table for table in board.tables if table.colour == action.colour)
            return Foreseen(chariot=table.colour, damage_left=table.damage_max, speed=table.speed, fate=table.fate)
        case actions.ChoosePlace():
            chariot = draft.find_unplaced(board)
            assert chariot is not None, "every chariot has its place"
            return _values(chariot)
        case _:
            return _foresee_in_turn(board, action)


def _foresee_in_turn(board: Board, action: actions.Action) -> Foreseen:
    now = _values(current_chariot(board))
    match action:
        case actions.Repair():
            repaired = repair.choices(board)
            return replace(now, damage_left=repaired.damage_left, fate=repaired.fate)
        case actions.Reroll() | actions.TurnDie():
            # The one free re-roll costs nothing.
            is_paid = current_turn(board).phase == "manipulation"
            cost = board.components.numbers.manipulation_fate if is_paid else 0
            return replace(now, fate=now.fate - cost)
        case actions.Move():
            offer = move.offer(board, action)
            speed = move.speed_with(board, action.minuses)
            return replace(now, damage_left=offer.damage_left, speed=speed, move=offer)
        case actions.ThrowJavelin():
            targets = attacks.choices(board).targets
            target = next(target for target in targets if target.chariot == action.chariot)
            return replace(now, target=target.chariot, target_damage_left=target.damage_left)
        case _:
            return now


def _values(chariot: Chariot) -> Foreseen:
    return Foreseen(chariot=chariot.colour, damage_left=chariot.damage_left, speed=chariot.speed, fate=chariot.fate)
