"""CH-10, CH-50 to CH-55, CH-91: a turn, once all is turned up: chariot by chariot, each move with its rewards."""

from msgspec import UNSET

from domain.ids import Seat
from domain.rulesets.charioteer import outcomes as told
from domain.rulesets.charioteer.attacks import attack_of, close_boxes, strike_rivals
from domain.rulesets.charioteer.board import Driver, PlayedMove, PlayedReset, driver_of, racing
from domain.rulesets.charioteer.components import Components
from domain.rulesets.charioteer.end_of_turn import complete_laps, finish_turn
from domain.rulesets.charioteer.evolution import FAN_BAG
from domain.rulesets.charioteer.moving import Stride, is_cornering, moving_order, tell_walk, walk
from domain.rulesets.charioteer.reckoning import MoveParts, Reckoning, Tally, reckon, tally
from domain.rulesets.charioteer.skills import advanced_place, emperor_steps, skill_bonus
from domain.rulesets.charioteer.whips import use_whips
from domain.rulesets.charioteer.writing import CharioteerScript


def run_turn_if_all_are_up(components: Components, script: CharioteerScript) -> bool:
    """Run and finish the turn, unless a seat has still to open; return whether it ran."""
    drivers = racing(script.board)
    if script.board.phase != "opening" or any(driver.played is None for driver in drivers):
        return False
    for driver in drivers:
        _close_boxes_if_protected(components, script, driver)
    for seat in moving_order(script.board):
        _drive(components, script, seat)
    finish_turn(components, script)
    return True


def parts_of(played: PlayedMove) -> MoveParts:
    faces = tuple(face for card, face in zip(played.cards, played.faces, strict=True) if card != played.changed)
    return MoveParts(
        symbol=played.symbol,
        faces=faces,
        is_wild=played.changed is not None,
        crowd_face=played.crowd_face,
        token=played.token,
    )


def _close_boxes_if_protected(components: Components, script: CharioteerScript, driver: Driver) -> None:
    if isinstance(driver.played, PlayedReset):
        close_boxes(script, driver.seat, "reset")
    elif isinstance(driver.played, PlayedMove) and tally(components, parts_of(driver.played)).shields:
        close_boxes(script, driver.seat, "shield")


def _drive(components: Components, script: CharioteerScript, seat: Seat) -> None:
    driver = driver_of(script.board, seat)
    if isinstance(driver.played, PlayedReset):
        script.emit(told.ChariotCalmed(seat=seat, removed=driver.damage))
    elif isinstance(driver.played, PlayedMove):
        _drive_move(components, script, driver, driver.played)


def _drive_move(components: Components, script: CharioteerScript, driver: Driver, played: PlayedMove) -> None:
    """Recovery, distance, attack, steps, whip, skill, fan token: in this order."""
    seat = driver.seat
    counted = tally(components, parts_of(played))
    reckoned = reckon(components, driver, parts_of(played), counted)
    if reckoned.recoveries:
        script.emit(
            told.DamageRecovered(
                seat=seat, recoveries=reckoned.recoveries, removed=reckoned.removed, left=reckoned.damage
            )
        )  # fmt: skip
    script.emit(_tell_distance(seat, counted.symbol.name, reckoned))
    attack = attack_of(components, counted.symbol, cards=counted.cards)
    if attack is not None:
        strike_rivals(components, script, seat, attack)
    stride = Stride(points=reckoned.distance, is_black=is_cornering(counted.symbol))
    moved = _move(components, script, seat, stride)
    use_whips(components, script, moved, counted)
    complete_laps(components, script, seat, came_from=driver.progress)
    advance_skill(components, script, seat, counted)
    earn_fan_token(components, script, seat, symbols=counted.symbols)


def _move(components: Components, script: CharioteerScript, seat: Seat, stride: Stride) -> told.ChariotMoved:
    driver = driver_of(script.board, seat)
    walked = walk(components, script.board, driver, stride)
    moved = tell_walk(components, driver, walked, distance=stride.points)
    script.emit(moved)
    return moved


def _tell_distance(seat: Seat, symbol: str, reckoned: Reckoning) -> told.DistanceReckoned:
    return told.DistanceReckoned(
        seat=seat,
        symbol=symbol,
        symbols=reckoned.symbols,
        number=reckoned.number,
        token=reckoned.token,
        skill=reckoned.skill,
        damage=reckoned.damage,
        distance=reckoned.distance,
    )


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
        told.SkillAdvanced(
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
    if not bag.left:
        script.emit(told.FanTokenEarned(seat=seat, symbols=symbols, fan_token=None))
        return
    is_open = script.board.options.fan_tokens == "open"
    token = components.tokens[bag.order[bag.taken]].name if is_open else UNSET
    script.emit(told.FanTokenEarned(seat=seat, symbols=symbols, fan_token=bag.draws, token=token))
