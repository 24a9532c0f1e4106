"""The mug: the tokens that a seat may put in, the draws, and the value of a drawn token."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.ids import Seat
from domain.rejection import IllegalAction
from domain.rulesets.chariotmaster.box.component_file import TokenName
from domain.rulesets.chariotmaster.race.actions import ChangeSpeed, Defend, Endure, LeaveRoll, ModifyRoll, PutToken
from domain.rulesets.chariotmaster.race.board import Board
from domain.rulesets.chariotmaster.race.mug_outcomes import ChariotDrawn, MugClosed, MugFilled, TokenLapsed, TokenShown
from domain.rulesets.chariotmaster.race.outcomes import PointsLost, RollOffered, TurnBegan
from domain.rulesets.chariotmaster.rounds.mug import (
    TokenNotYours,
    check_token,
    close_mug,
    draw_token,
    fill_mug,
    forfeit_token,
    halt,
    owed_tokens,
    show_token,
    tokens_to_choose,
)
from domain.rulesets.chariotmaster.turn.attacks import list_attacks
from domain.rulesets.chariotmaster.turn.pace import allowed_tokens
from tests.domain.rulesets.chariotmaster.cases import Cases
from tests.domain.rulesets.chariotmaster.default_course import GRID
from tests.domain.rulesets.chariotmaster.fake_ruleset_heat import GAME_TURNS, play_out
from tests.domain.rulesets.chariotmaster.fake_ruleset_pileup import ARENA, chariot_at
from tests.domain.rulesets.chariotmaster.loaded_script import LoadedScript
from tests.domain.rulesets.chariotmaster.test_pileup import assert_sound
from tests.domain.rulesets.chariotmaster.test_random_turns import some_action
from tests.domain.rulesets.chariotmaster.turns import BRAKE, go, turn_of


def mug_of(*changes: dict[str, Any], faces: tuple[int, ...] = ()) -> LoadedScript:
    """Chariots on the grid, each of a seat of its own, with the mug filled."""
    chariots = tuple(chariot_at(seat, GRID[0][seat], **change) for seat, change in enumerate(changes))
    script = LoadedScript(Board(chariots=chariots), faces=faces)
    fill_mug(script)
    return script


def names(script: LoadedScript) -> list[tuple[str, str]]:
    return [(decision.id, decision.kind) for decision in owed_tokens(script.board)]


OUT: dict[str, Any] = {"out_of_control_for": 1}


@pytest.mark.rule("CM-10", "CM-130")
def test_every_chariot_with_a_choice_owes_a_sealed_token() -> None:
    script = mug_of({}, {"tokens": (0,)}, {"tokens": (0, 5)}, OUT)

    assert names(script) == [("g1/c0/token", "sealed"), ("g1/c2/token", "sealed")]
    assert not script.told(MugClosed)


@pytest.mark.rule("CM-10", "CM-130")
def test_where_nobody_has_a_choice_the_first_is_drawn_at_once() -> None:
    script = mug_of({"tokens": (0,)}, OUT, faces=(2,))

    assert [type(outcome) for outcome in script.outcomes] == [MugFilled, MugClosed, ChariotDrawn, TokenShown]
    assert script.told(TokenShown) == [TokenShown(chariot=1, put_in=10, token=10)]


@pytest.mark.rule("CM-10", "CM-130")
def test_tokens_are_opened_one_at_a_time_as_they_are_drawn() -> None:
    script = mug_of({}, {}, {}, faces=(3, 1))
    close_mug(script)
    first = names(script)

    show_token(script, 5)
    draw_token(script)
    second = names(script)
    show_token(script, 0)
    draw_token(script)

    assert (first, second, names(script)) == (
        [("g1/c2/token", "opening")],
        [("g1/c0/token", "opening")],
        [("g1/c1/token", "opening")],
    )
    show_token(script, 10)
    assert not draw_token(script)
    script.assert_done()


@pytest.mark.rule("CM-130")
def test_a_chariot_that_is_gone_before_its_draw_is_not_drawn() -> None:
    script = mug_of({}, {})
    gone = replace(script.board.chariots[0], team_pose=None, horses=0)
    script.board = replace(script.board, chariots=(gone, script.board.chariots[1]))

    close_mug(script)

    assert names(script) == [("g1/c1/token", "opening")]


@pytest.mark.rule("CM-130")
@pytest.mark.parametrize("token", [0, 5])
def test_a_token_may_be_put_in_if_it_was_there_when_the_mug_was_filled(token: TokenName) -> None:
    script = mug_of({"tokens": (0, 5)})
    (decision,) = owed_tokens(script.board)
    lost = replace(script.board.chariots[0], tokens=(0,))
    script.board = replace(script.board, chariots=(lost,))

    check_token(script.board, decision, PutToken(token=token))
    with pytest.raises(TokenNotYours):
        check_token(script.board, decision, PutToken(token=10))


@pytest.mark.rule("CM-92")
@pytest.mark.parametrize(("left", "counts_as"), [((0, 5), 5), ((0,), 0)])
def test_a_token_lost_in_the_mug_counts_as_the_fastest_left(left: tuple[TokenName, ...], counts_as: TokenName) -> None:
    script = mug_of({})
    close_mug(script)
    script.board = replace(script.board, chariots=(replace(script.board.chariots[0], tokens=left),))

    show_token(script, 10)

    assert script.told(TokenShown) == [TokenShown(chariot=0, put_in=10, token=counts_as)]
    assert script.board.chariots[0].last_token == counts_as


@pytest.mark.rule("CM-130")
@pytest.mark.parametrize(
    ("changes", "tokens"),
    [
        ({}, (0, 5, 10)),
        (OUT, (10,)),
        (OUT | {"last_token": 5}, (5,)),
        (OUT | {"last_token": 10, "tokens": (0, 5)}, (5,)),
        ({"has_reins": False, "last_token": 0}, (0,)),
        ({"horses": 1, "dead_horses": 1}, (0,)),
        ({"horses": 1}, (0, 5)),
        ({"horses": 0, "dead_horses": 2}, (0,)),
    ],
)
def test_who_is_out_of_control_keeps_its_token_and_dead_horses_allow_fewer(
    changes: dict[str, Any], tokens: tuple[TokenName, ...]
) -> None:
    assert tokens_to_choose(chariot_at(0, GRID[0][0], **changes)) == tokens


@pytest.mark.rule("CM-73")
def test_after_a_horse_has_died_the_fastest_token_is_gone_for_good() -> None:
    assert allowed_tokens(chariot_at(0, GRID[0][0], horses=1, dead_horses=1)) == (0,)
    assert allowed_tokens(chariot_at(0, GRID[0][0], horses=1)) == (0, 5)
    assert allowed_tokens(chariot_at(0, GRID[0][0], horses=1, tokens=(0,))) == (0,)


@pytest.mark.rule("CM-60", "CM-125", "CM-138")
@pytest.mark.parametrize(("shown", "runs_by"), [(5, 5), (0, 0), (None, 10)])
def test_the_token_of_a_chariot_that_lost_control_in_the_mug_lapses_unseen(
    shown: TokenName | None, runs_by: TokenName
) -> None:
    script = mug_of({"last_token": shown})
    script.board = replace(script.board, chariots=(replace(script.board.chariots[0], has_reins=False),))

    close_mug(script)

    assert names(script) == []
    assert script.told(TokenLapsed) == [TokenLapsed(chariot=0, token=runs_by)]
    assert not script.told(TokenShown)


@pytest.mark.rule("CM-138")
@pytest.mark.parametrize(("token", "faces"), [(10, (3, 4, 3)), (10, (6, 6)), (5, (5,)), (5, (1, 1, 6))])
def test_a_forfeited_token_costs_a_point_more_than_braking_to_a_halt(token: TokenName, faces: tuple[int, ...]) -> None:
    tokens = tuple(known for known in (0, 5, 10) if known <= token)
    forfeited = mug_of({"tokens": tokens, "stamina": 9}, faces=faces)
    honest = go(turn_of(token, *faces, stamina=9), *[BRAKE] * len(faces))
    close_mug(forfeited)

    forfeit_token(forfeited)
    halt(forfeited, ARENA, chariot=0)

    forfeited.assert_done()
    assert honest.board.chariots[0].stamina == 9 - len(faces)
    assert forfeited.board.chariots[0].stamina == 9 - len(faces) - 1
    assert forfeited.board.chariots[0].is_halted
    assert forfeited.board.chariots[0].team_pose == GRID[0][0]
    assert forfeited.board.turn is None


@pytest.mark.rule("CM-138")
def test_a_forfeit_counts_as_the_fastest_token_whatever_was_sealed() -> None:
    script = mug_of({}, faces=(6, 6))
    close_mug(script)

    forfeit_token(script)
    halt(script, ARENA, chariot=0)

    assert [began.token for began in script.told(TurnBegan)] == [10]
    assert len(script.told(PointsLost)) == 3


def play_heat(seed: int, **changes: Any) -> Any:
    """Choose at random until the heat is over: tokens, steps of turns, luck, and now and then not to show a token."""
    cases = Cases(seed)
    chariots = tuple(chariot_at(number // 2, GRID[0][number], **changes) for number in range(6))
    heat = play_out(chariots, seed=seed)
    answered: set[str] = set()
    while heat.owed():
        decision = heat.owed()[0]
        assert decision.id not in answered
        if decision.kind == "sealed":
            slips = {f"g{heat.board.game_turns}/c{slip.chariot}/token": slip for slip in heat.board.mug.slips}
            tokens = slips[decision.id].tokens
            if cases.number(0, 9):
                heat.answer(decision, PutToken(token=tokens[cases.number(0, len(tokens) - 1)]))
            else:
                heat.withhold(decision)
        elif "/defence/" in decision.id:
            heat.answer(decision, Defend(means="evade") if cases.number(0, 1) else Endure())
        elif heat.board.offered is not None:
            heat.answer(decision, LeaveRoll() if cases.number(0, 1) else ModifyRoll(die=0, change=1))
        else:
            try_some(heat, decision, cases)
        answered |= {decision.id} - {decision.id for decision in heat.owed()}
    return heat


def try_some(heat: Any, decision: Any, cases: Cases) -> None:
    attacks = list_attacks(ARENA, heat.board)
    try:
        heat.answer(decision, attacks[0].attack if attacks else some_action(cases))
    except IllegalAction:
        if not cases.number(0, 20):
            heat.answer(decision, ChangeSpeed(change="brake"))


@pytest.mark.rule("CM-10", "CM-130", "CM-135")
def test_heats_run_through_seals_openings_and_questions_to_their_end() -> None:
    offered = drawn = 0
    for seed in range(8):
        heat = play_heat(seed, modifies=2, stamina=3)

        assert_sound(heat.board)
        assert heat.board.game_turns == GAME_TURNS
        told = heat.written
        drawn += sum(isinstance(event, ChariotDrawn) for event in told)
        offered += sum(isinstance(event, RollOffered) for event in told)
        assert [event.game_turn for event in told if isinstance(event, MugFilled)] == list(range(1, GAME_TURNS + 1))
        assert sorted(event.chariot for event in told if isinstance(event, ChariotDrawn))[:4] == [0] * 4
    assert drawn > 6 * 3 * 8
    assert offered > 50


def test_a_seat_that_drives_two_chariots_seals_a_token_for_each() -> None:
    heat = play_out(tuple(chariot_at(0, GRID[0][number]) for number in range(2)), seed=1)

    assert [(decision.seat, decision.id) for decision in heat.owed()] == [
        (Seat(0), "g1/c0/token"),
        (Seat(0), "g1/c1/token"),
    ]
