"""Whole pile-ups through the script: questions in the middle of cascades, chains that end, nothing on anything."""

from itertools import pairwise
from typing import Any

import pytest

from domain.ruleset.playout import Playout
from domain.rulesets.chariotmaster.harm.free_room import is_inside
from domain.rulesets.chariotmaster.race.actions import LeaveRoll, ModifyRoll
from domain.rulesets.chariotmaster.race.board import Board
from domain.rulesets.chariotmaster.race.outcomes import PiecesCollided, PointsLost, RollOffered, TableRolled
from domain.rulesets.chariotmaster.race.racetrack import obstacles, standing
from domain.rulesets.chariotmaster.table.travel import is_free
from tests.domain.rulesets.chariotmaster.cases import CM, Cases
from tests.domain.rulesets.chariotmaster.fake_ruleset_pileup import ARENA, Charge, in_a_row, play_out


def weak(cases: Cases) -> dict[str, Any]:
    """Chariots near the end of everything, where one point leads to another."""
    return {
        "stamina": cases.number(0, 2),
        "structure": cases.number(0, 2),
        "health": cases.number(0, 2),
        "skill": cases.number(0, 3),
        "modifies": cases.number(0, 3),
        "stamina_modifier": cases.number(0, 5),
        "structure_modifier": cases.number(0, 5),
        "health_modifier": cases.number(0, 5),
        "skill_modifier": cases.number(0, 5),
    }


def play(playout: Playout, cases: Cases) -> int:
    """Answer at random until no decision is owed; count the questions in the middle of a move."""
    questions = 0
    while playout.owed():
        (decision,) = playout.owed()
        if decision.id.startswith("charge/"):
            playout.answer(decision, Charge(distance_mm=cases.number(10, 180)))
            continue
        questions += 1
        offered = playout.board.offered
        die = cases.number(0, len(offered.faces) - 1)
        up, down = ModifyRoll(die=die, change=1), ModifyRoll(die=die, change=-1)
        playout.answer(decision, (up, down, LeaveRoll())[cases.number(0, 2)])
    return questions


def collisions_a_turn(playout: Playout) -> list[int]:
    counts = [0]
    for event in playout.written:
        if type(event).__name__ == "TurnCame":
            counts.append(0)
        counts[-1] += isinstance(event, PiecesCollided)
    return counts


def assert_sound(board: Board) -> None:
    for piece, shape, pose in standing(ARENA, board):
        assert is_free(shape, pose, obstacles(ARENA, board, without=(piece,)))
        assert is_inside(ARENA, x_um=pose.x_um, y_um=pose.y_um)
    for chariot in board.chariots:
        assert min(chariot.stamina, chariot.structure, chariot.health, chariot.skill, chariot.modifies) >= 0
        assert 0 <= chariot.horses + chariot.dead_horses <= 2
        assert 0 in chariot.tokens
        assert (chariot.driver == "on_foot") == (chariot.driver_pose is not None)
        assert (chariot.horses > 0) == (chariot.team_pose is not None)
        assert not (chariot.driver == "dragged" and chariot.has_body)
        assert not (chariot.driver == "riding" and not chariot.has_body)
    assert len({wreck.chariot for wreck in board.wrecks}) == len(board.wrecks)
    assert board.offered is None


@pytest.mark.rule("CM-40", "CM-123", "CM-135")
def test_random_pile_ups_end_with_nothing_on_anything() -> None:
    cases = Cases(seed=80)
    questions = 0
    for seed in range(60):
        playout = play_out(in_a_row(5, gap_um=cases.number(0, 2) * CM, **weak(cases)), seed=seed)
        questions += play(playout, cases)

        assert_sound(playout.board)
        assert max(collisions_a_turn(playout)) <= 12
    assert questions > 200


@pytest.mark.rule("CM-135")
def test_a_question_may_come_between_any_two_steps_of_a_cascade() -> None:
    cases = Cases(seed=81)
    before: set[str] = set()
    for seed in range(30):
        playout = play_out(in_a_row(5, gap_um=CM, **(weak(cases) | {"modifies": 3})), seed=seed)
        play(playout, cases)
        told = [event for event in playout.written if type(event).__name__ != "DiceRolled"]
        before |= {type(first).__name__ for first, second in pairwise(told) if isinstance(second, RollOffered)}

    assert {"PieceMoved", "PointsLost", "TableRolled", "RollModified", "RollLeft"} <= before


@pytest.mark.rule("CM-135")
def test_leaving_every_roll_alone_changes_nothing_but_the_asking() -> None:
    lucky = play_out(in_a_row(4, structure=1, stamina=1, modifies=2), seed=5)
    plain = play_out(in_a_row(4, structure=1, stamina=1), seed=5)
    for playout in (lucky, plain):
        while playout.owed():
            (decision,) = playout.owed()
            is_charge = decision.id.startswith("charge/")
            playout.answer(decision, Charge(distance_mm=120) if is_charge else LeaveRoll())

    told = [
        [event for event in playout.written if type(event).__name__ not in ("RollOffered", "RollLeft")]
        for playout in (lucky, plain)
    ]
    assert told[0] == told[1]
    assert any(isinstance(event, PointsLost | TableRolled) for event in told[0])


def test_the_same_answers_lead_to_the_same_table() -> None:
    boards = []
    for _ in range(2):
        cases = Cases(seed=82)
        playout = play_out(in_a_row(5, **weak(cases)), seed=9)
        play(playout, cases)
        boards.append((playout.board, playout.written))

    assert boards[0] == boards[1]
