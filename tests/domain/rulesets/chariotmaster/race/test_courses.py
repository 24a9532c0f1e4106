"""Courses of one's own: which are refused and where, one spelling for each, and races on them from end to end."""

from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.canonical import encode
from domain.ids import Seat
from domain.ruleset.courses import encode_plan, hash_plan
from domain.ruleset.playout import Playout
from domain.rulesets.chariotmaster.bots.roster import BOTS
from domain.rulesets.chariotmaster.race.course_check import check_course
from domain.rulesets.chariotmaster.race.options import Options
from domain.rulesets.chariotmaster.race.race_outcomes import LapCompleted
from domain.rulesets.chariotmaster.race.racetrack import build_arena
from domain.rulesets.chariotmaster.rounds.workshop import UnfitRaceOptions
from domain.rulesets.chariotmaster.table.course import Arc, Piece, Straight, UnfitCourse
from domain.rulesets.chariotmaster.table.course_plan import CoursePlan, ObstaclePlan
from tests.domain.rulesets.chariotmaster.default_course import OVAL
from tests.domain.rulesets.chariotmaster.own_components import BOX
from tests.domain.rulesets.chariotmaster.races import RULES, play_out, told
from tests.domain.rulesets.chariotmaster.random_plans import is_fit, random_plans
from tests.domain.rulesets.chariotmaster.random_races import seeded

PLAN = CoursePlan(name="My oval", width_mm=200, pieces=OVAL)
BEND, LONG, HALF = OVAL[1], OVAL[2], OVAL[0]


def block(x_mm: int, y_mm: int, *, length_mm: int = 20, width_mm: int = 20, **changes: Any) -> ObstaclePlan:
    given: dict[str, Any] = {"height": "high", "dice": 2, **changes}
    return ObstaclePlan(x_mm=x_mm, y_mm=y_mm, length_mm=length_mm, width_mm=width_mm, **given)


def bend(radius_mm: int, degrees: int, turn: Any = "left") -> Arc:
    return Arc(radius_mm=radius_mm, degrees=degrees, turn=turn)


def straight(length_mm: int) -> Straight:
    return Straight(length_mm=length_mm)


def oval(*obstacles: ObstaclePlan, pieces: Sequence[Piece] = OVAL, width_mm: int = 200, **changes: Any) -> CoursePlan:
    return replace(PLAN, pieces=tuple(pieces), width_mm=width_mm, obstacles=obstacles, **changes)


FENCE = tuple(block(0, 155 + 28 * row, width_mm=27, length_mm=10) for row in range(7))
# The plan, the place that its refusal names, and the beginning of the expected value.
UNFIT: dict[str, tuple[CoursePlan, str, str]] = {
    "one straight": (oval(pieces=[straight(900)]), "piece 1 at (900, 0) mm", "arcs that turn 360°"),
    "open by two degrees": (oval(pieces=[HALF, BEND, LONG, bend(120, 178), HALF]), "piece 5", "arcs that turn 360°"),
    "to the right": (oval(pieces=[HALF, bend(120, 180, "right"), LONG, bend(120, 180, "right"), HALF]),
                     "piece 5 at (0, 0) mm", "arcs that turn 360°"),
    "twice round": (oval(pieces=[*OVAL, *OVAL]), "piece 10 at (0, 0) mm", "arcs that turn 360°"),
    "too long a home straight": (oval(pieces=[*OVAL, straight(10)]), "piece 6 at (10, 0) mm", "an end at (0, 0)"),
    "too wide a last bend": (oval(pieces=[HALF, BEND, LONG, bend(121, 180), HALF]), "piece 5 at (0, -2) mm",
                             "an end at (0, 0)"),
    "too tight a bend": (oval(pieces=[HALF, bend(100, 180), LONG, bend(100, 180), HALF]), "piece 2 at (300, 0) mm",
                         "a radius above half the width"),
    "too wide a track": (oval(width_mm=240), "piece 2 at (300, 0) mm", "a radius above half the width"),
    "too narrow a track": (oval(width_mm=150), "at (0, 0) mm", "room for 6 chariots"),
    "a wide gap on the grid": (oval(grid_gap_mm=20), "at (0, 0) mm", "room for 6 chariots"),
    "a line in front of a bend": (oval(pieces=[LONG, BEND, LONG, BEND]), "at (0, 0) mm", "a last piece straight"),
    "a short home straight": (oval(pieces=[straight(520), BEND, LONG, BEND, straight(80)]), "at (0, 0) mm",
                              "a last piece straight"),
    "a straight of no length": (oval(pieces=[HALF, straight(0), *OVAL[1:]]), "piece 2 at (300, 0) mm", "some length"),
    "a figure that crosses itself": (oval(pieces=[straight(600), bend(120, 270), straight(360), bend(120, 270),
                                                  bend(120, 180, "right"), straight(120)]),
                                     "piece", ""),
    "a hairpin onto itself": (oval(pieces=[straight(400), BEND, straight(100), bend(105, 180, "right"), straight(100),
                                           BEND, straight(400), bend(225, 180)]), "piece", ""),
    "too short a lap": (oval(pieces=[straight(10), bend(85, 180), straight(95), bend(85, 180), straight(85)],
                             width_mm=160), "the course", "a lap of 800"),
    "too long a lap": (oval(pieces=[straight(5_000), BEND, straight(10_000), BEND, straight(5_000)]), "the course",
                       "a lap of 800 to 20000 mm"),
    "too many bends": (oval(pieces=[bend(120, 360)] * 9), "the course", "at most 2880° of bends"),
    "an obstacle on the inner wall": (oval(block(0, 140)), "obstacle 1 at (0, 140) mm", "an obstacle between"),
    "an obstacle beyond the outer wall": (oval(block(200, 0), block(0, -300)), "obstacle 2 at (0, -300) mm",
                                          "an obstacle between"),
    "an obstacle on the spina": (oval(block(0, 120, length_mm=4, width_mm=4)), "obstacle 1 at (0, 120) mm",
                                 "an obstacle between"),
    "an obstacle on a start place": (oval(block(-60, 0)), "obstacle 1 at (-60, 0) mm", "start places free"),
    "an obstacle before the line": (oval(block(40, 0)), "obstacle 1 at (40, 0) mm", "start places free"),
    "an obstacle on another": (oval(block(0, 240), block(15, 240)), "obstacle 2 at (15, 240) mm", "obstacles that"),
    "a fence across the track": (oval(*FENCE), "at (17, 240) mm", "a way 20 mm wide past the obstacles"),
    "a gate too narrow": (oval(block(0, 190, width_mm=90), block(0, 290, width_mm=80)), "at (17, 240) mm",
                          "a way 20 mm"),
}  # fmt: skip


@pytest.mark.rule("CM-140", "CM-141")
@pytest.mark.parametrize("name", UNFIT)
def test_a_course_that_cannot_be_raced_on_is_refused_with_its_place(name: str) -> None:
    plan, place, expected = UNFIT[name]

    with pytest.raises(UnfitCourse) as refusal:
        check_course(build_arena(BOX, plan))

    assert refusal.value.place.startswith(place)
    assert refusal.value.expected.startswith(expected)
    with pytest.raises(UnfitRaceOptions):
        play_out(2, Options(course=plan))


@pytest.mark.rule("CM-141")
def test_a_gate_as_wide_as_a_chariot_is_wide_enough() -> None:
    gate = (block(0, 190, width_mm=90), block(0, 303, width_mm=70))

    assert is_fit(oval(*gate))


@pytest.mark.rule("CM-140")
def test_every_course_of_the_box_is_fit() -> None:
    for row in BOX.courses:
        check_course(build_arena(BOX, row))


def test_a_plan_has_one_spelling_and_is_read_again_from_it() -> None:
    plan = oval(block(200, 0))

    assert msgspec.json.decode(encode_plan(plan), type=CoursePlan) == plan
    assert len({hash_plan(replace(plan, obstacles=())), hash_plan(plan), hash_plan(replace(plan, name="Oval 2"))}) == 3


@pytest.mark.rule("CM-140", "MO-3")
def test_a_race_on_a_course_of_ones_own_has_its_laps_unless_the_game_states_others() -> None:
    plan = oval(laps=2)

    laps = [RULES.view(play_out(2, Options(course=plan, laps=each)).board, None).laps for each in (None, 1)]

    assert laps == [2, 1]


def driven(plan: CoursePlan | str, *, seed: int) -> Playout:
    """Let two steady bots race one lap to the end."""
    random = seeded(seed)
    race = play_out(2, Options(course=plan, laps=1, equipment="none", survivor="must_finish"), secret=seed)
    while race.owed():
        decision = race.owed()[0]
        view, choices = RULES.view(race.board, decision.seat), RULES.legal_actions(race.board, decision)
        race.answer(decision, BOTS["steady"](view, choices, random))
    return race


@pytest.mark.rule("CM-140", "CM-141")
def test_random_courses_are_drawn_and_lapped_or_refused(courses: int) -> None:
    plans = random_plans(Random(29))  # noqa: S311 - repeatable courses, no secret
    lapped = 0
    for seed in range(courses):
        plan = next(plans)
        if not is_fit(plan):
            continue
        race = driven(plan, seed=seed)
        lapped += 1
        assert told(race, LapCompleted), encode(msgspec.to_builtins(plan))
    assert lapped


@pytest.mark.rule("CM-07")
@pytest.mark.parametrize("name", RULES.courses)
def test_bots_lap_every_course_of_the_box(name: str) -> None:
    race = driven(name, seed=1)

    assert {lap.chariot for lap in told(race, LapCompleted)} == {0, 1}
    assert RULES.ranking(race.board)[0].seat in (Seat(0), Seat(1))
