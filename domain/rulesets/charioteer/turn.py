"""CH-10, CH-91: a turn, once everything is turned up: chariot by chariot, each with its rewards after its own move."""

from domain.ids import Seat
from domain.rulesets.charioteer.attacks import attack_of, close_boxes, strike_rivals
from domain.rulesets.charioteer.board import Driver, PlayedMove, PlayedReset, driver_of, racing
from domain.rulesets.charioteer.components import Components
from domain.rulesets.charioteer.cornering import is_cornering
from domain.rulesets.charioteer.end_of_turn import finish_turn
from domain.rulesets.charioteer.laps import complete_laps
from domain.rulesets.charioteer.moving import Stride, moving_order, tell_walk, walk
from domain.rulesets.charioteer.outcomes import ChariotCalmed, ChariotMoved, DamageRecovered, DistanceReckoned
from domain.rulesets.charioteer.reckoning import MoveParts, Reckoning, reckon, tally
from domain.rulesets.charioteer.rewards import advance_skill, earn_fan_token
from domain.rulesets.charioteer.whips import use_whips
from domain.rulesets.charioteer.writing import CharioteerScript


def run_turn_if_all_are_up(components: Components, script: CharioteerScript) -> None:
    """Run and finish the turn, unless a seat has still to open."""
    drivers = racing(script.board)
    if script.board.phase != "opening" or any(driver.played is None for driver in drivers):
        return
    for driver in drivers:
        _close_boxes_if_protected(components, script, driver)
    for seat in moving_order(script.board):
        _drive(components, script, seat)
    finish_turn(components, script)


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
        script.emit(ChariotCalmed(seat=seat, removed=driver.damage))
    elif isinstance(driver.played, PlayedMove):
        _drive_move(components, script, driver, driver.played)


def _drive_move(components: Components, script: CharioteerScript, driver: Driver, played: PlayedMove) -> None:
    """Recovery, distance, attack, steps, whip, skill, fan token: in this order."""
    seat = driver.seat
    counted = tally(components, parts_of(played))
    reckoned = reckon(components, driver, parts_of(played), counted)
    if reckoned.recoveries:
        script.emit(
            DamageRecovered(
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


def _move(components: Components, script: CharioteerScript, seat: Seat, stride: Stride) -> ChariotMoved:
    driver = driver_of(script.board, seat)
    walked = walk(components, script.board, driver, stride)
    moved = tell_walk(components, driver, walked, distance=stride.points)
    script.emit(moved)
    return moved


def _tell_distance(seat: Seat, symbol: str, reckoned: Reckoning) -> DistanceReckoned:
    return DistanceReckoned(
        seat=seat,
        symbol=symbol,
        symbols=reckoned.symbols,
        number=reckoned.number,
        token=reckoned.token,
        skill=reckoned.skill,
        damage=reckoned.damage,
        distance=reckoned.distance,
    )
