"""CM-90: losing points, and the rolls for missing ones: the eight tables, one roll after the other."""

from domain.rulesets.chariotmaster.box.component_file import Points, PointsEffect
from domain.rulesets.chariotmaster.box.tables import points_row, third_of
from domain.rulesets.chariotmaster.harm.crashes import break_up, drop_driver, kill_driver, let_go
from domain.rulesets.chariotmaster.harm.luck import roll_for
from domain.rulesets.chariotmaster.race import outcomes as told
from domain.rulesets.chariotmaster.race.board import (
    Chariot,
    modifier_of,
    owned_tokens,
    points_left,
    table_of,
    team_piece,
)
from domain.rulesets.chariotmaster.race.cascade import Cascade
from domain.rulesets.chariotmaster.table.course import UM_PER_MM
from domain.rulesets.chariotmaster.table.sines import HALF_TURN, QUARTER_TURN

_UM_PER_CM = 10 * UM_PER_MM


def lose(cascade: Cascade, chariot: int, kind: Points, *, count: int = 1, away: int | None = None) -> None:
    """CM-90: take points one by one; each that is not there is a roll, carried out before the next.

    `away` leads away from the cause of the loss; None where no piece on the table is the cause.
    """
    for _ in range(count):
        if table_of(cascade.board.chariots[chariot], kind) is None:
            return  # nothing is left that could suffer
        left = points_left(cascade.board.chariots[chariot], kind)
        if left:
            cascade.script.emit(told.PointsLost(chariot=chariot, kind=kind, left=left - 1))
        else:
            _roll_on_table(cascade, chariot, kind, away)


def _roll_on_table(cascade: Cascade, chariot: int, kind: Points, away: int | None) -> None:
    table = table_of(cascade.board.chariots[chariot], kind)
    if table is None:
        return
    modifier = modifier_of(cascade.board.chariots[chariot], kind)
    (face,) = roll_for(cascade, f"table-{kind}", chariot)
    row = points_row(cascade.box, table, face + modifier)
    following = modifier // 2 if "halve_modifier" in row.effects else modifier + row.adds
    cascade.script.emit(
        told.TableRolled(
            chariot=chariot,
            kind=kind,
            table=table,
            face=face,
            modifier=modifier,
            effects=row.effects,
            next_modifier=following,
        )
    )
    for effect in row.effects:
        _suffer(cascade, chariot, effect, away)


def _suffer(cascade: Cascade, chariot: int, effect: PointsEffect, away: int | None) -> None:
    match effect:
        case "back_d3":
            (face,) = roll_for(cascade, "back", chariot)
            _shove(cascade, chariot, HALF_TURN, third_of(face), "stumbled")
        case "back_d6":
            _shove(cascade, chariot, HALF_TURN, roll_for(cascade, "back", chariot)[0], "stumbled")
        case "sweep_left_d6":
            _shove(cascade, chariot, QUARTER_TURN, roll_for(cascade, "sweep", chariot)[0], "swept")
        case "sweep_right_d6":
            _shove(cascade, chariot, -QUARTER_TURN, roll_for(cascade, "sweep", chariot)[0], "swept")
        case "lose_stamina":
            lose(cascade, chariot, "stamina", away=away)
        case "lose_skill":
            lose(cascade, chariot, "skill", away=away)
        case "lose_token":
            _lose_token(cascade, chariot)
        case "horse_dies":
            _lose_horse(cascade, chariot)
        case "crash":
            crash(cascade, chariot, away=away)
        case "falls_off":
            drop_driver(cascade, chariot)
        case "dies":
            kill_driver(cascade, chariot)
        case "halve_modifier":
            pass  # the outcome of the roll has stated so
        case "exhausted" | "damaged_wheel" | "unconscious" | "out_of_control":
            gain(cascade, chariot, effect)
        case "falls":
            gain(cascade, chariot, "fallen")
        case "lose_reins":
            gain(cascade, chariot, "no_reins")
        case "lose_knife":
            gain(cascade, chariot, "no_knife")


def crash(cascade: Cascade, chariot: int, *, away: int | None) -> None:
    """CM-70: turn the body into a wreck; the driver loses health first, and is then dragged or hurled."""
    if not cascade.board.chariots[chariot].has_body:
        return
    if cascade.board.chariots[chariot].driver == "riding":
        lose(cascade, chariot, "health", count=cascade.box.numbers.crash_health, away=away)
    # A fall or a push on the way may have wrecked the body already.
    if cascade.board.chariots[chariot].has_body:
        break_up(cascade, chariot, away=away)


def _lose_horse(cascade: Cascade, chariot: int) -> None:
    left = cascade.board.chariots[chariot].horses - 1
    cascade.script.emit(told.HorseDied(chariot=chariot, horses_left=left))
    if left:
        return
    if cascade.board.chariots[chariot].has_body:
        crash(cascade, chariot, away=None)
    else:
        let_go(cascade, chariot)


def _lose_token(cascade: Cascade, chariot: int) -> None:
    highest = max(owned_tokens(cascade.board.chariots[chariot]))
    if highest:
        cascade.script.emit(told.TokenLost(chariot=chariot, token=highest))


def gain(cascade: Cascade, chariot: int, condition: told.Condition) -> None:
    """Make a chariot worse off, unless it is already."""
    if _has(cascade.board.chariots[chariot], condition):
        return
    # "Until the end of its next chariot turn": the end of the one it is in does not count.
    turn_ends = 2 if cascade.board.active == chariot else 1
    cascade.script.emit(told.ConditionGained(chariot=chariot, condition=condition, turn_ends=turn_ends))


def _has(chariot: Chariot, condition: told.Condition) -> bool:
    match condition:
        case "exhausted":
            return chariot.is_exhausted
        case "damaged_wheel":
            return chariot.has_damaged_wheel
        case "no_reins":
            return not chariot.has_reins
        case "no_knife":
            return not chariot.has_knife
        case "no_whip":
            return not chariot.has_whip
        case "unconscious" | "out_of_control" | "fallen":
            return False  # it lasts longer by being gained again


def _shove(cascade: Cascade, chariot: int, turn: int, centimetres: int, reason: told.MoveReason) -> None:
    pose = cascade.board.chariots[chariot].team_pose
    if pose is not None:
        heading = (pose.heading + turn) % (2 * HALF_TURN)
        cascade.drive(team_piece(chariot), heading=heading, distance_um=centimetres * _UM_PER_CM, reason=reason)
