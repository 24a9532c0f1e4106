"""Turns of random legal steps, several chariots one after the other: invariants under any play."""

import pytest

from domain.rejection import IllegalAction
from domain.rulesets.chariotmaster.race.actions import (
    AnnounceSubMove,
    ChangeSpeed,
    GoOn,
    MakeSubMove,
    MakeUTurn,
    MoveAction,
    Pivot,
    Stop,
)
from domain.rulesets.chariotmaster.race.board import Board, is_under_control
from domain.rulesets.chariotmaster.race.outcomes import (
    AttackEnded,
    CascadeEnded,
    PieceMoved,
    TurnBegan,
    TurnClosed,
    TurnEnded,
)
from domain.rulesets.chariotmaster.table.shapes import HINGES
from domain.rulesets.chariotmaster.turn.attacks import list_attacks
from domain.rulesets.chariotmaster.turn.chariot_turn import begin_turn, check_move, play_move
from tests.domain.rulesets.chariotmaster.cases import Cases
from tests.domain.rulesets.chariotmaster.fake_ruleset_pileup import ARENA, chariot_at
from tests.domain.rulesets.chariotmaster.loaded_script import RandomScript, pose_at
from tests.domain.rulesets.chariotmaster.test_pileup import assert_sound

# Braking can go on for ever, but a player who tries things at random soon stops, or spends the way he has.
STEPS_MAX = 1_000


def some_action(cases: Cases) -> MoveAction:
    pivot = Pivot(hinge=HINGES[cases.number(0, 4)], degrees=cases.number(-30, 30))
    distance_mm = cases.number(10, 120) if cases.number(0, 4) else None
    choices: tuple[MoveAction, ...] = (
        ChangeSpeed(change=("brake", "spur", "whip")[cases.number(0, 2)]),
        MakeUTurn(pivot=pivot),
        AnnounceSubMove(),
        MakeSubMove(way="ahead", distance_mm=distance_mm, pivot=pivot if cases.number(0, 1) else None),
        MakeSubMove(way="ahead", distance_mm=distance_mm, pivot=None),
        MakeSubMove(way=("left", "right")[cases.number(0, 1)], distance_mm=distance_mm, pivot=None),
        GoOn(),
        Stop(),
    )
    return choices[cases.number(0, len(choices) - 1)]


def play_turn(script: RandomScript, cases: Cases, chariot: int) -> int:
    """Try random steps until the turn is over; describe how many were legal."""
    tokens = script.board.chariots[chariot].tokens
    begin_turn(script, ARENA, chariot=chariot, token=tokens[cases.number(0, len(tokens) - 1)])
    legal = 0
    for step in range(STEPS_MAX):
        attacks = list_attacks(ARENA, script.board)
        action = attacks[cases.number(0, len(attacks) - 1)].attack if attacks else some_action(cases)
        try:
            check_move(ARENA, script.board, action)
        except IllegalAction:
            continue
        legal += 1
        play_move(script, ARENA, action, name=f"{chariot}/{step}")
        if script.board.turn is None:
            script.emit(TurnClosed(chariot=chariot))
            return legal
    raise AssertionError(f"chariot {chariot} has not ended its turn in {STEPS_MAX} tries")


def assert_counted(script: RandomScript) -> None:
    """No chariot travels further in a turn than the furthest that any brake, spur or token ever allowed it."""
    furthest, travelled, active = 0, 0, None
    for outcome in script.outcomes:
        if isinstance(outcome, TurnBegan):
            furthest, travelled, active = outcome.max_um, 0, outcome.chariot
        elif isinstance(outcome, TurnEnded):
            assert travelled <= furthest
            active = None
        elif isinstance(outcome, PieceMoved) and outcome.piece == active and outcome.reason == "moved":
            travelled += outcome.distance_um
        furthest = max(furthest, getattr(outcome, "max_um", 0))


@pytest.mark.rule("CM-22", "CM-30", "CM-31")
def test_random_turns_end_and_leave_nothing_on_anything() -> None:
    cases = Cases(seed=90)
    turns = legal = attacks = 0
    for _ in range(16):
        # Flush, or now and then as on the grid, so that there is a target from the first move on.
        gap_mm = cases.number(0, 3) // 3 * 5
        poses = [pose_at(-20, 85 - (20 + gap_mm) * seat) for seat in range(4)]
        chariots = tuple(chariot_at(seat, poses[seat], stamina=cases.number(0, 9)) for seat in range(4))
        script = RandomScript(Board(chariots=chariots, game_turns=2), cases)
        for number in (turn % 4 for turn in range(12)):
            if is_under_control(script.board.chariots[number]):
                legal += play_turn(script, cases, number)
                turns += 1
                assert script.board.active is None
                assert_sound(script.board)
        assert_counted(script)
        attacks += len(script.told(AttackEnded))
        assert script.board.threat is None
        assert not any(isinstance(outcome, CascadeEnded) for outcome in script.outcomes)
    assert turns > 100
    assert legal > 2 * turns
    assert attacks > 10
