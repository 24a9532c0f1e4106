"""A sweep is paid for before it is made: the payment may move the chariot, or leave it no way at all."""

from typing import Any

import pytest

from domain.rulesets.chariotmaster.race.outcomes import (
    PiecesCollided,
    SubMoveLost,
    SubMoveMade,
    TokenReplaced,
    TurnEnded,
)
from domain.rulesets.chariotmaster.turn.attacks import list_attacks
from domain.rulesets.chariotmaster.turn.chariot_turn import check_move, owed_step
from tests.domain.rulesets.chariotmaster.fake_ruleset_pileup import ARENA, chariot_at
from tests.domain.rulesets.chariotmaster.loaded_script import LoadedScript, moves, pose_at
from tests.domain.rulesets.chariotmaster.turns import ANNOUNCE, SPUR, STOP, ahead, go, left, state, turn_of

BEHIND, BESIDE = chariot_at(1, pose_at(-190, 40)), chariot_at(2, pose_at(-150, 60))


def stumbling(*others: Any, **changes: Any) -> LoadedScript:
    """A chariot without stamina: the price of its first sweep throws it 1 cm back."""
    return turn_of(5, 5, 1, pose=pose_at(-150), stamina=0, others=others, **changes)


@pytest.mark.rule("CM-91", "CM-112", "CM-115")
def test_a_sweep_until_contact_stops_at_the_contact_that_is_there_after_its_payment() -> None:
    script = go(stumbling(BEHIND, BESIDE), ahead(None, way="left"))

    script.assert_done()
    assert moves(script) == [(0, "stumbled", 10), (0, "moved", 20)]
    assert not script.told(PiecesCollided)
    assert not script.told(TurnEnded)


@pytest.mark.rule("CM-91", "CM-112")
def test_without_the_contact_it_was_to_end_at_a_sweep_goes_as_far_as_it_would_have_gone() -> None:
    # Two millimetres of it stood beside the horses; behind it is the wall.
    script = go(stumbling(chariot_at(1, pose_at(-112, 40))), ahead(None, way="left"))

    assert moves(script) == [(0, "stumbled", 10), (0, "moved", 20)]


@pytest.mark.rule("CM-20", "CM-91", "CM-92")
@pytest.mark.parametrize("distance_mm", [20, 40])
def test_a_sweep_whose_payment_costs_the_way_that_was_left_is_no_sub_move(distance_mm: int) -> None:
    # A 1 passes the test. The 1 on the table, with 6 added, costs the token, and 11 cm are more than the next one has.
    script = turn_of(10, 1, 1, stamina=0, stamina_modifier=6, game_turns=2, others=(chariot_at(1, pose_at(110, -20)),))
    go(script, ahead(110), ANNOUNCE)
    before = owed_step(script.board)

    go(script, ahead(distance_mm, left(10), way="left"))

    script.assert_done()
    assert len(script.told(TokenReplaced)) == len(script.told(SubMoveLost)) == len(script.told(SubMoveMade)) == 1
    assert script.board.chariots[0].team_pose == pose_at(110)
    assert not list_attacks(ARENA, script.board)
    assert (state(script).sub_moves, state(script).may_attack) == (1, False)
    assert owed_step(script.board) != before
    check_move(ARENA, script.board, SPUR)
    check_move(ARENA, script.board, STOP)


@pytest.mark.rule("CM-20", "CM-91", "CM-112")
@pytest.mark.parametrize("gap_mm", [0, 9])
def test_a_chariot_that_its_payment_sets_beside_something_has_no_centimetre_to_sweep(gap_mm: int) -> None:
    behind = chariot_at(1, pose_at(-190, 20 + gap_mm))

    script = go(stumbling(behind, BESIDE), ahead(None, way="left"))

    assert moves(script) == [(0, "stumbled", 10)]
    assert script.told(SubMoveLost)
    assert not script.told(SubMoveMade)
    check_move(ARENA, script.board, ahead(50))
