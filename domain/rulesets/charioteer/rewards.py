"""CH-50 to CH-55, CH-81: the rewards of a move when it is over, even of one of length 0."""

from domain.ids import Seat
from domain.rulesets.charioteer.board import driver_of
from domain.rulesets.charioteer.components import Components
from domain.rulesets.charioteer.evolution import FAN_BAG
from domain.rulesets.charioteer.outcomes import FanTokenEarned, SkillAdvanced
from domain.rulesets.charioteer.reckoning import Tally
from domain.rulesets.charioteer.skills import advanced_place, emperor_steps, skill_bonus
from domain.rulesets.charioteer.writing import CharioteerScript


def advance_skill(components: Components, script: CharioteerScript, seat: Seat, counted: Tally) -> None:
    """One step for the move, one if the emperor wished it, one for each learning icon; none out of the bonus box."""
    emperor = script.board.emperor
    assert emperor is not None, "the emperor speaks before a move"
    skills, symbol = driver_of(script.board, seat).skills, counted.symbol
    came_from = skills[symbol.colour_index]
    steps = 1 + emperor_steps(emperor, symbol.colour) + counted.learnings
    place = advanced_place(components.skills_track, skills, symbol.colour_index, steps)
    if place == came_from:
        return
    script.emit(
        SkillAdvanced(
            seat=seat,
            colour=symbol.colour,
            move=1,
            emperor=emperor_steps(emperor, symbol.colour),
            learning=counted.learnings,
            came_from=came_from,
            place=place,
            bonus=skill_bonus(components.skills_track, place),
        )
    )


def earn_fan_token(components: Components, script: CharioteerScript, seat: Seat, *, symbols: int) -> None:
    """One token for six symbols or more, drawn unseen; the bag is refilled only now, from tokens of earlier turns."""
    if symbols < components.numbers.fan_symbols_min:
        return
    discarded = len(script.board.fan_discards.faces)
    if not script.board.bag.left and discarded:
        script.shuffle(FAN_BAG, size=discarded)
    bag = script.board.bag
    script.emit(FanTokenEarned(seat=seat, symbols=symbols, fan_token=bag.draws if bag.left else None))
