"""CM-65, CM-74: on the shaft: climbing there, grabbing for lost reins, cutting a dead horse free, and falling off.

From climbing to climbing back no hand holds the reins (CM-126). Both aims go the same way, one at a time.
"""

from domain.rulesets.chariotmaster.box.component_file import TokenName
from domain.rulesets.chariotmaster.box.tables import grab_modifier, is_test_passed
from domain.rulesets.chariotmaster.harm.crashes import set_down
from domain.rulesets.chariotmaster.harm.losses import lose
from domain.rulesets.chariotmaster.harm.luck import roll_for
from domain.rulesets.chariotmaster.race.aftermath_outcomes import GrabTested
from domain.rulesets.chariotmaster.race.board import Chariot, GraspAim
from domain.rulesets.chariotmaster.race.cascade import Cascade
from domain.rulesets.chariotmaster.table.shapes import Pose, Shape, shifted
from domain.rulesets.chariotmaster.table.sines import FULL_TURN, QUARTER_TURN


def climb_aims(chariot: Chariot) -> tuple[GraspAim, ...]:
    """CM-65, CM-74: list the aims for which the driver of a chariot could climb on the shaft now."""
    if chariot.driver != "riding" or chariot.grasp is not None or chariot.unconscious_for:
        return ()
    lost: tuple[GraspAim, ...] = () if chariot.has_reins else ("reins",)
    return (*lost, "dead_horse") if chariot.dead_horses else lost


def may_grab(chariot: Chariot) -> bool:
    """CM-65: state whether the driver is on the shaft and awake: then he must try."""
    return chariot.driver == "riding" and chariot.grasp is not None and not chariot.unconscious_for


def grab(cascade: Cascade, chariot: int, token: TokenName) -> None:
    """T7: reach the aim of the climb and be back in the body, cling on, or fall to a side of the horses."""
    before = cascade.board.chariots[chariot]
    assert before.grasp is not None, "only who is on the shaft grabs"
    (face,) = roll_for(cascade, "grab", chariot)
    modifier = grab_modifier(cascade.box, token)
    is_passed = is_test_passed(cascade.box, face, modifier=modifier, skill=before.skill)
    cascade.script.emit(
        GrabTested(chariot=chariot, aim=before.grasp.aim, face=face, modifier=modifier, is_passed=is_passed)
    )
    if face == cascade.box.numbers.failing_test:
        _fall(cascade, chariot)


def _fall(cascade: Cascade, chariot: int) -> None:
    """CM-65: lose balance: the fall hurts first, and its consequences may have taken him off the shaft already."""
    lose(cascade, chariot, "health", count=cascade.box.numbers.fall_health)
    before = cascade.board.chariots[chariot]
    if before.driver != "riding" or before.team_pose is None:
        return
    (face,) = roll_for(cascade, "fall", chariot)
    side = 1 if face >= cascade.box.numbers.fall_left_min else -1
    pose = before.team_pose
    spot = _beside_horses(cascade.arena.chariot, cascade.arena.driver, pose, side)
    set_down(cascade, chariot, spot, heading=(pose.heading + side * QUARTER_TURN) % FULL_TURN)


def _beside_horses(base: Shape, driver: Shape, pose: Pose, side: int) -> Pose:
    horses, man = base.parts[0], driver.parts[0]
    return shifted(
        pose, ahead_um=(horses.rear_um + horses.front_um) // 2, left_um=side * (horses.left_um + man.left_um)
    )
