"""Tables full of chariots mostly out of control, whole turns one after the other: invariants under any play."""

from itertools import pairwise
from typing import Any

import pytest
from msgspec.structs import replace

from domain.rejection import IllegalAction
from domain.ruleset.decision import Decision
from domain.ruleset.playout import Playout
from domain.ruleset.script import Script
from domain.rulesets.chariotmaster.aftermath.aftermath import (
    begin_aftermath,
    check_aftermath,
    default_aftermath,
    owed_aftermath,
    play_aftermath,
)
from domain.rulesets.chariotmaster.aftermath.dragging import lose_dragged_health
from domain.rulesets.chariotmaster.race.actions import (
    AftermathAction,
    Climb,
    CutLoose,
    HangOn,
    LeaveRoll,
    Leg,
    ModifyRoll,
    StayPut,
    Walk,
)
from domain.rulesets.chariotmaster.race.board import Board, Chariot, Grasp, is_under_control
from domain.rulesets.chariotmaster.race.mug_outcomes import MugFilled
from domain.rulesets.chariotmaster.race.outcomes import (
    PieceMoved,
    PiecesCollided,
    TurnBegan,
    TurnClosed,
    TurnEnded,
)
from domain.rulesets.chariotmaster.race.racetrack import obstacles, standing, team_base
from domain.rulesets.chariotmaster.rounds.mug import is_on_table, tokens_to_choose
from domain.rulesets.chariotmaster.table.laps import place_at
from domain.rulesets.chariotmaster.table.shapes import Pose, shifted
from domain.rulesets.chariotmaster.table.travel import is_free
from domain.rulesets.chariotmaster.turn.runaway import begin_uncontrolled
from tests.domain.rulesets.chariotmaster.cases import Cases
from tests.domain.rulesets.chariotmaster.fake_ruleset_heat import Heat, HeatOptions
from tests.domain.rulesets.chariotmaster.fake_ruleset_pileup import ARENA, chariot_at
from tests.domain.rulesets.chariotmaster.loaded_script import RandomScript, cascade_on
from tests.domain.rulesets.chariotmaster.test_pileup import assert_sound
from tests.domain.rulesets.chariotmaster.test_random_turns import play_turn

# A walk tried at random is often in a chariot's way; staying never is.
_TRIES = 5
# Through the thickest crowd a run has a dozen legs: no chariot creeps.
LEGS_MAX = 40


def some_state(cases: Cases) -> dict[str, Any]:
    """Chariots in all conditions, near the end of everything or with something left."""
    states: tuple[dict[str, Any], ...] = (
        {},
        {"has_reins": False},
        {"has_reins": False, "grasp": Grasp(aim="reins", held_reins=False)},
        {"horses": 1, "dead_horses": 1},
        {"horses": 1, "dead_horses": 1, "has_reins": False, "grasp": Grasp(aim="dead_horse", held_reins=True)},
        {"driver": "dragged", "has_body": False, "has_reins": False},
        {"driver": "dead", "has_reins": False},
        {"driver": "left", "has_reins": False, "has_body": False},
        {"unconscious_for": 1, "has_reins": False},
        {"out_of_control_for": 2},
    )
    worn = {kind: cases.number(0, 3) for kind in ("stamina", "structure", "health", "skill")} | {
        f"{kind}_modifier": cases.number(0, 7) for kind in ("stamina", "structure", "health", "skill")
    }
    state = states[cases.number(0, len(states) - 1)] | {"last_token": (0, 5, 10)[cases.number(0, 2)]}
    return state | worn if cases.number(0, 2) else state


def some_table(cases: Cases, *, size: int) -> Board:
    """Set chariots down close together, most of them along the track, none on another and all inside the walls."""
    chariots: list[Chariot] = []
    start_um = cases.number(0, ARENA.middle.length_um)
    while len(chariots) < size:
        place = place_at(ARENA.middle, start_um + cases.number(0, 250) * 1_000)
        on_line = Pose(x_um=place.point_um[0], y_um=place.point_um[1], heading=place.heading)
        spot = shifted(on_line, ahead_um=0, left_um=cases.number(-70, 70) * 1_000)
        heading = (spot.heading + cases.number(-20, 20) * cases.number(0, 9)) % 360
        pose = Pose(x_um=spot.x_um, y_um=spot.y_um, heading=heading)
        chariot = chariot_at(len(chariots), pose, **some_state(cases))
        board = Board(chariots=tuple(chariots))
        if is_free(team_base(ARENA, chariot), pose, obstacles(ARENA, board, without=())):
            chariots.append(chariot)
    return Board(chariots=tuple(chariots), game_turns=2)


def some_answer(cases: Cases, script: RandomScript) -> AftermathAction:
    legs = tuple(
        Leg(heading=cases.number(0, 359), distance_mm=cases.number(1, 30) if cases.number(0, 3) else None)
        for _ in range(cases.number(0, 3))
    )
    choices: tuple[AftermathAction, ...] = (
        Walk(legs=legs),
        CutLoose(),
        HangOn(),
        Climb(aim="reins"),
        Climb(aim="dead_horse"),
        StayPut(),
    )
    for _ in range(_TRIES):
        action = choices[cases.number(0, len(choices) - 1)]
        try:
            check_aftermath(ARENA, script.board, action)
        except IllegalAction:
            continue
        return action
    action = default_aftermath(ARENA, script.board)
    check_aftermath(ARENA, script.board, action)
    return action


def play_whole_turn(script: RandomScript, cases: Cases, chariot: int) -> None:
    """Play a chariot turn from its token to its end."""
    if is_under_control(script.board.chariots[chariot]):
        play_turn(script, cases, chariot)
        return
    lose_dragged_health(cascade_on(script), chariot)
    (token,) = tokens_to_choose(script.board.chariots[chariot])
    begin_uncontrolled(script, ARENA, chariot=chariot, token=token)
    assert_sound(script.board)
    begin_aftermath(script, ARENA, chariot=chariot)
    answers = 0
    while owed_aftermath(script.board):
        play_aftermath(script, ARENA, some_answer(cases, script), name=f"{chariot}/after/{answers}")
        answers += 1
    assert answers <= 3
    script.emit(TurnClosed(chariot=chariot))


def assert_runs(script: RandomScript) -> None:
    """A team out of control goes no further than its token, and no cascade is longer than it may be."""
    travelled, legs, collisions, allowed_um, is_running = 0, 0, 0, 0, False
    for outcome in script.outcomes:
        if isinstance(outcome, TurnBegan):
            travelled, legs, collisions = 0, 0, 0
            allowed_um, is_running = outcome.max_um, not outcome.is_driven
        elif isinstance(outcome, PieceMoved) and outcome.reason in ("ran", "swerved", "moved") and is_running:
            travelled += outcome.distance_um
            legs += 1
        elif isinstance(outcome, PiecesCollided):
            collisions += 1
        elif isinstance(outcome, TurnEnded) and is_running:
            assert travelled <= allowed_um
            assert legs <= LEGS_MAX
            assert collisions <= ARENA.box.numbers.cascade_collisions_max
            is_running = False


@pytest.mark.rule("CM-60", "CM-62", "CM-123", "CM-125")
@pytest.mark.parametrize("seed", range(12))
def test_random_stampedes_end_and_leave_nothing_on_anything(seed: int) -> None:
    cases = Cases(seed=700 + seed)
    script = RandomScript(some_table(cases, size=cases.number(4, 6)), cases)
    for _ in range(4):
        for number in range(len(script.board.chariots)):
            if is_on_table(script.board.chariots[number]):
                play_whole_turn(script, cases, number)
                assert_sound(script.board)
                assert script.board.active is None
                assert script.board.aftermath is None
    assert_runs(script)
    # Every leg begins where the one before it ended, unless something else happened in between.
    for first, second in pairwise(script.outcomes):
        if isinstance(first, PieceMoved) and isinstance(second, PieceMoved) and first.piece == second.piece:
            assert first.after == second.before


@pytest.mark.rule("CM-62", "CM-125")
def test_a_run_does_not_depend_on_the_order_in_which_others_are_listed() -> None:
    cases = Cases(seed=798)
    swerved = 0
    for seed in range(25):
        mover, *others = some_table(cases, size=6).chariots
        mover = replace(mover, driver="dead", has_reins=False, grasp=None, stamina=40)
        ways = []
        for listed in (others, others[::-1]):
            script = RandomScript(Board(chariots=(mover, *listed), game_turns=2), Cases(seed=seed))
            begin_uncontrolled(script, ARENA, chariot=0, token=10)
            ways.append([(moved.reason, moved.after) for moved in script.told(PieceMoved) if moved.piece == 0])
        swerved += any(reason == "swerved" for reason, _ in ways[0])
        assert ways[0] == ways[1]
    assert swerved > 10


class Stampede(Heat):
    """Every chariot runs as far as it must, once, and luck alone can change that."""

    def begin(self, script: Script[Board, Any, Any]) -> None:
        for number in range(len(script.board.chariots)):
            chariot = script.board.chariots[number]
            if chariot.team_pose is not None:
                (token,) = tokens_to_choose(chariot)
                script.emit(MugFilled(game_turn=script.board.game_turns + 1, slips=()))
                begin_uncontrolled(script, ARENA, chariot=number, token=token)
                script.emit(TurnClosed(chariot=number))

    def decisions(self, board: Board) -> tuple[Decision, ...]:
        del board  # the seat in question is asked on the way
        return ()


@pytest.mark.rule("CM-135", "MO-20")
def test_luck_may_interrupt_a_run_at_any_roll() -> None:
    cases = Cases(seed=799)
    questions = 0
    for seed in range(8):
        worn = {"stamina": 0, "stamina_modifier": seed % 4, "modifies": 2, "driver": "dead", "has_reins": False}
        poses = [chariot.team_pose for chariot in some_table(cases, size=3).chariots]
        chariots = tuple(chariot_at(seat, pose, **worn) for seat, pose in enumerate(poses))
        if not _are_apart(chariots):
            continue
        race = Playout(
            Stampede(),
            seats=tuple(chariot.seat for chariot in chariots),
            options=HeatOptions(chariots=chariots),
            secret=seed.to_bytes(32, "big"),
        )
        while race.owed():
            (decision,) = race.owed()
            race.answer(decision, LeaveRoll() if cases.number(0, 1) else ModifyRoll(die=0, change=1))
            questions += 1

        assert_sound(race.board)
    assert questions > 30


def _are_apart(chariots: tuple[Chariot, ...]) -> bool:
    """Return whether chariots that are whole now still have room where others of theirs stood."""
    board = Board(chariots=chariots)
    return all(
        is_free(shape, pose, obstacles(ARENA, board, without=(piece,))) for piece, shape, pose in standing(ARENA, board)
    )
