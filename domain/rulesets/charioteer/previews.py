"""The effects of a move that are certain while the others choose: all but its encounters on the way."""

from msgspec import Struct

from domain.rulesets.charioteer.actions import Action, Reset
from domain.rulesets.charioteer.attacks import attack_cubes, attack_of
from domain.rulesets.charioteer.board import Board, Driver
from domain.rulesets.charioteer.components import Components
from domain.rulesets.charioteer.legality import move_parts
from domain.rulesets.charioteer.reckoning import reckon, tally
from domain.rulesets.charioteer.skills import advanced_place, emperor_steps
from domain.rulesets.charioteer.whips import whip_steps_max


class MovePreview(Struct, frozen=True, kw_only=True, tag_field="kind", tag="move"):
    """distance = symbols + number + token + skill - damage. `attack` is the number of cubes that each rival takes."""

    symbols: int
    number: int
    token: int
    skill: int
    damage: int
    distance: int
    recoveries: int
    damage_removed: int
    is_shielded: bool
    whip_steps_max: int
    attack: int
    skill_place: int
    earns_fan_token: bool


class ResetPreview(Struct, frozen=True, kw_only=True, tag_field="kind", tag="reset"):
    damage_removed: int
    attack_boxes_emptied: int


Preview = MovePreview | ResetPreview


def preview_action(components: Components, board: Board, driver: Driver, action: Action) -> Preview:
    """Foresee a legal action."""
    if isinstance(action, Reset):
        return ResetPreview(damage_removed=driver.damage, attack_boxes_emptied=driver.attacked)
    parts = move_parts(components, board, driver, action)
    counted = tally(components, parts)
    reckoned = reckon(components, driver, parts, counted)
    symbol = counted.symbol
    attack = attack_of(components, symbol, cards=counted.cards)
    emperor = 0 if board.emperor is None else emperor_steps(board.emperor, symbol.colour)
    steps = 1 + emperor + counted.learnings
    return MovePreview(
        symbols=reckoned.symbols,
        number=reckoned.number,
        token=reckoned.token,
        skill=reckoned.skill,
        damage=reckoned.damage,
        distance=reckoned.distance,
        recoveries=reckoned.recoveries,
        damage_removed=reckoned.removed,
        is_shielded=counted.shields > 0,
        whip_steps_max=whip_steps_max(components, board, whips=counted.whips),
        attack=0 if attack is None else attack_cubes(components, attack),
        skill_place=advanced_place(components.skills_track, driver.skills, symbol.colour_index, steps),
        earns_fan_token=counted.symbols >= components.numbers.fan_symbols_min,
    )
