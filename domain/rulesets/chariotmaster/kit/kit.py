"""The kit of Chariotmaster."""

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from domain.ruleset.courses import CourseFault, CourseRules
from domain.ruleset.figures import Figures
from domain.ruleset.kit import Kit, Marker
from domain.rulesets.chariotmaster.bots.roster import BOTS
from domain.rulesets.chariotmaster.harm.free_room import is_inside
from domain.rulesets.chariotmaster.race.board import Board, can_finish
from domain.rulesets.chariotmaster.race.outcomes import AttackAnnounced, PiecesCollided, SubMoveTested
from domain.rulesets.chariotmaster.race.racetrack import obstacles, standing
from domain.rulesets.chariotmaster.ruleset import ChariotmasterRuleset, build_ruleset
from domain.rulesets.chariotmaster.table.course import UnfitCourse
from domain.rulesets.chariotmaster.table.course_plan import CoursePlan
from domain.rulesets.chariotmaster.table.travel import is_free

# The end of a chariot: the first of these that is so.
Fate = Literal["finished", "racing", "driver_dead", "driver_off", "horses_dead"]


def measure(board: Board, written: Sequence[Struct]) -> Figures:
    told = Counter(type(event) for event in written)
    return {
        "game turns": board.game_turns,
        "chariot turns": board.turns_closed,
        "collisions": told[PiecesCollided],
        "attacks": told[AttackAnnounced],
        "tests": told[SubMoveTested],
        "ended by": (board.ended or "",),
        "chariots in the end": tuple(_fate(board, number) for number in range(len(board.chariots))),
    }


def find_unsound(rules: ChariotmasterRuleset, board: Board) -> tuple[str, ...]:
    """List the faults of a board between two decisions; a sound board has none."""
    found, arena = [], rules.arena_of(board.options)
    for piece, shape, pose in standing(arena, board):
        if not is_free(shape, pose, obstacles(arena, board, without=(piece,))):
            found.append(f"piece {piece} stands on something: {pose}")
        if not is_inside(arena, x_um=pose.x_um, y_um=pose.y_um):
            found.append(f"piece {piece} stands outside the walls: {pose}")
    for number, chariot in enumerate(board.chariots):
        if min(chariot.stamina, chariot.structure, chariot.health, chariot.skill, chariot.modifies) < 0:
            found.append(f"chariot {number} has less than nothing: {chariot}")
    return tuple(found)


def list_courses(rules: ChariotmasterRuleset) -> tuple[CoursePlan, ...]:
    """CM-140: return the courses of the box, as a player would have drawn them."""
    fields = CoursePlan.__struct_fields__
    return tuple(CoursePlan(**{name: getattr(row, name) for name in fields}) for row in rules.courses.values())


def find_course_fault(rules: ChariotmasterRuleset, plan: CoursePlan) -> CourseFault | None:
    """CM-140: return why no race can be held on a course, and where."""
    try:
        rules.lay(plan)
    except UnfitCourse as unfit:
        return CourseFault(
            expected=unfit.expected,
            found=unfit.found,
            place=unfit.place,
            piece=unfit.piece,
            obstacle=unfit.obstacle,
            at_mm=unfit.at_mm,
        )
    return None


def _fate(board: Board, number: int) -> Fate:
    chariot = board.chariots[number]
    if number in board.finished:
        return "finished"
    if can_finish(chariot):
        return "racing"
    if chariot.driver == "dead":
        return "driver_dead"
    return "horses_dead" if chariot.driver == "riding" else "driver_off"


KIT = Kit(
    ruleset=ChariotmasterRuleset,
    build=build_ruleset,
    folder=__file__.rsplit("/", 2)[0],
    turn=Marker(event="mug_filled", field="game_turn"),
    lap=Marker(event="lap_completed", field="lap"),
    bots=BOTS,
    favourites=("ruthless", "steady"),
    # The three laps of the rules are some fifty game turns; a lap shows all there is to see.
    short={"laps": 1},
    # A turn is a token and two or three steps.
    think_ms=3_000,
    measure=measure,
    find_unsound=find_unsound,
    courses=CourseRules(plan_type=CoursePlan, list_released=list_courses, find_fault=find_course_fault),
)
