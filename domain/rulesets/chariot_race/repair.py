"""Phases 1 and 2: an optional repair, then the speed that the damage still allows (CR-20, CR-21, CR-55)."""

from domain.rulesets.chariot_race.actions import Action, Pass, Repair
from domain.rulesets.chariot_race.board import Board, Chariot, current_chariot
from domain.rulesets.chariot_race.choices import RepairChoices
from domain.rulesets.chariot_race.dice import throw_first
from domain.rulesets.chariot_race.outcomes import ChariotRepaired, SpeedAdjusted
from domain.rulesets.chariot_race.rejections import RepairNotPossible
from domain.rulesets.chariot_race.wreck import RaceScript

# CR-65: an absent seat repairs from this damage downwards.
DEFAULT_REPAIR_DAMAGE = 6


def choices(board: Board) -> RepairChoices:
    chariot = current_chariot(board)
    repaired = chariot.damage_left + _gain(board, chariot)
    return RepairChoices(damage_left=repaired, fate=chariot.fate - board.components.numbers.repair_fate)


def sole_answer(board: Board) -> Action | None:
    return None if _is_possible(board) else Pass()


def check(board: Board, action: Repair | Pass) -> None:
    if isinstance(action, Repair) and not _is_possible(board):
        chariot = current_chariot(board)
        raise RepairNotPossible(
            expected=f"Fate {board.components.numbers.repair_fate} and some damage to repair",
            found=f"Fate {chariot.fate}, Damage {chariot.damage_left} of {chariot.table.damage_max}",
        )


def play(script: RaceScript, action: Repair | Pass) -> None:
    if isinstance(action, Repair):
        chariot = current_chariot(script.board)
        gain = _gain(script.board, chariot)
        script.emit(
            ChariotRepaired(
                chariot=chariot.colour,
                repaired=gain,
                damage_left=chariot.damage_left + gain,
                fate=chariot.fate - script.board.components.numbers.repair_fate,
            )
        )
    _adjust_speed(script)
    throw_first(script)


def default(board: Board) -> Action:
    return Repair() if current_chariot(board).damage_left <= DEFAULT_REPAIR_DAMAGE else Pass()


def speed_allowed(chariot: Chariot) -> int:
    """Find the highest speed for the damage; where two speeds share a step, the higher of them (CR-55)."""
    return chariot.table.speed_by_damage[chariot.damage_left - 1]


def _is_possible(board: Board) -> bool:
    chariot = current_chariot(board)
    return chariot.fate >= board.components.numbers.repair_fate and chariot.damage_left < chariot.table.damage_max


def _gain(board: Board, chariot: Chariot) -> int:
    return min(board.components.numbers.repair_damage, chariot.table.damage_max - chariot.damage_left)


def _adjust_speed(script: RaceScript) -> None:
    chariot = current_chariot(script.board)
    allowed = speed_allowed(chariot)
    if chariot.speed > allowed:
        script.emit(
            SpeedAdjusted(
                chariot=chariot.colour, speed_before=chariot.speed, speed=allowed, damage_left=chariot.damage_left
            )
        )
