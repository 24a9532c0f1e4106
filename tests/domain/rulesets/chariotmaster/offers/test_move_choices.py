"""The next steps of a chariot's turn: ranges that end where the rules end, candidates that the rules accept."""

from collections import Counter
from collections.abc import Iterator
from itertools import chain

import pytest

from domain.rejection import IllegalAction
from domain.rulesets.chariotmaster.offers.choices import HingeRange, MoveChoices, Odds, Span, WayOffer
from domain.rulesets.chariotmaster.offers.move_choices import list_moves
from domain.rulesets.chariotmaster.race.actions import (
    AnnounceSubMove,
    Attack,
    ChangeSpeed,
    GoOn,
    MakeSubMove,
    MakeUTurn,
    MoveAction,
    Pivot,
    Stop,
)
from domain.rulesets.chariotmaster.race.board import Board, Wreck, is_under_control
from domain.rulesets.chariotmaster.turn.chariot_turn import NotNow, begin_turn, check_move, play_move
from domain.rulesets.chariotmaster.turn.sub_moves import BadDistance, BadPivot, WouldCollide
from tests.domain.rulesets.chariotmaster.attackers import attacking, them
from tests.domain.rulesets.chariotmaster.cases import Cases
from tests.domain.rulesets.chariotmaster.fake_ruleset_pileup import ARENA, chariot_at
from tests.domain.rulesets.chariotmaster.loaded_script import LoadedScript, RandomScript, pose_at
from tests.domain.rulesets.chariotmaster.turns import ANNOUNCE, BRAKE, GO_ON, SPUR, STOP, ahead, go, turn_of

STEPS_MAX = 200


def moves(script: LoadedScript) -> MoveChoices:
    return list_moves(ARENA, script.board)


def way(choices: MoveChoices, name: str) -> WayOffer:
    return next(offer for offer in choices.ways if offer.way == name)


def refusal(board: Board, action: MoveAction) -> type[Exception] | None:
    try:
        check_move(ARENA, board, action)
    except IllegalAction as refused:
        return type(refused)
    return None


@pytest.mark.rule("CM-20", "CM-112")
def test_a_free_way_is_as_long_as_the_token_allows() -> None:
    choices = moves(turn_of(5))

    assert way(choices, "ahead").distances == Span(low_mm=10, high_mm=100)
    assert (way(choices, "ahead").contact_um, way(choices, "ahead").stamina) == (None, 0)
    assert (way(choices, "left").contact_um, way(choices, "left").stamina) == (90_000, 1)
    assert [landing.distance_mm for landing in way(choices, "ahead").landings] == [50, 75, 100]
    assert (choices.may_stop, choices.may_go_on, choices.test, choices.u_turns) == (False, False, None, ())


@pytest.mark.rule("CM-31", "CM-112")
def test_a_way_ends_to_the_micrometre_before_what_stands_in_it() -> None:
    other = chariot_at(1, pose_at(80, 0, 1))
    ahead_of_us = way(moves(turn_of(5, others=(other,))), "ahead")

    assert ahead_of_us.contact_um is not None
    assert ahead_of_us.distances == Span(low_mm=10, high_mm=ahead_of_us.contact_um // 1_000)
    assert [(met.piece, met.part) for met in ahead_of_us.contacts] == [(1, "body")]
    assert ahead_of_us.may_touch
    assert ahead_of_us.landings[-1].distance_mm is None


@pytest.mark.rule("CM-33")
def test_a_wreck_may_be_crossed_from_where_it_is_left_behind() -> None:
    wreck = Wreck(chariot=1, pose=pose_at(60))
    script = turn_of(10, others=(chariot_at(1, pose_at(0, 80)),), wrecks=(wreck,))
    passage = way(moves(script), "ahead").passage

    assert passage is not None
    # Its far edge is 70 mm off and our rear 20 mm behind us.
    assert passage.distances == Span(low_mm=90, high_mm=150)
    assert refusal(script.board, ahead(89)) is WouldCollide
    assert {candidate.action for candidate in moves(script).candidates} >= {ahead(90), ahead(150)}


@pytest.mark.rule("CM-16")
def test_a_u_turn_is_offered_about_every_hinge() -> None:
    turns = moves(turn_of(0)).u_turns

    assert [turn.hinge for turn in turns] == ["centre", "front_left", "rear_left", "rear_right", "front_right"]
    assert turns[0] == HingeRange(hinge="centre", left_degrees=180, right_degrees=180)
    assert any(isinstance(candidate.action, MakeUTurn) for candidate in moves(turn_of(0)).candidates)


@pytest.mark.rule("CM-21", "MT-8")
def test_the_test_for_another_sub_move_comes_with_its_odds() -> None:
    after_one = go(turn_of(10), ahead(20))
    choices = moves(after_one)

    # Skill 6, one more for the sub-move made and one for the token: 1 passes anyway, 6 fails anyway, 5 is one too many.
    assert choices.test == Odds(modifier=2, skill=6, passing_faces=4)
    assert choices.ways == ()
    assert way(moves(go(turn_of(10, 1), ahead(20), ANNOUNCE)), "ahead").distances == Span(low_mm=10, high_mm=130)


@pytest.mark.rule("CM-23", "CM-120")
def test_in_a_skid_there_is_only_braking_and_going_on() -> None:
    choices = moves(go(turn_of(5, 6), ahead(50), ANNOUNCE))

    assert [candidate.action for candidate in choices.candidates] == [BRAKE, GO_ON]
    assert (choices.speeds, choices.may_go_on, choices.ways) == (("brake",), True, ())


@pytest.mark.rule("CM-22")
def test_who_has_gone_far_enough_may_stop() -> None:
    choices = moves(go(turn_of(5), ahead(50)))

    assert choices.may_stop
    assert {STOP, SPUR, ANNOUNCE} <= {candidate.action for candidate in choices.candidates}


@pytest.mark.rule("CM-52", "CM-53")
def test_attacks_are_offered_with_their_price() -> None:
    choices = moves(attacking(others=(them(),)))

    assert [(attack.target, attack.part_name, attack.means, attack.stamina) for attack in choices.attacks] == [
        (1, "body", "ram", 0),
        (1, "body", "whip_driver", 0),
    ]
    assert all(attack.may_be_defended for attack in choices.attacks)
    assert sum(isinstance(candidate.action, Attack) for candidate in choices.candidates) == 2


def random_turns(seed: int) -> Iterator[tuple[RandomScript, Cases]]:
    """Play turns of candidates, several chariots and a wreck close together; stop at every choice of a step."""
    cases = Cases(seed=seed)
    poses = [pose_at(-20, 85 - (20 + cases.number(0, 1) * 5) * seat) for seat in range(4)]
    chariots = tuple(chariot_at(seat, poses[seat], stamina=cases.number(0, 9)) for seat in range(4))
    wrecks = (Wreck(chariot=3, pose=pose_at(cases.number(60, 120), cases.number(-40, 60), cases.number(0, 359))),)
    script = RandomScript(Board(chariots=chariots, wrecks=wrecks, game_turns=2), cases)
    for turn in range(12):
        number = turn % 4
        tokens = script.board.chariots[number].tokens
        if not is_under_control(script.board.chariots[number]):
            continue
        begin_turn(script, ARENA, chariot=number, token=tokens[cases.number(0, len(tokens) - 1)])
        for step in range(STEPS_MAX):
            if script.board.turn is None:
                break
            yield script, cases
            offered = moves(script).candidates
            action = offered[cases.number(0, len(offered) - 1)].action
            play_move(script, ARENA, action, name=f"{turn}/{step}")


@pytest.mark.rule("CM-20", "CM-31", "CM-115")
def test_every_candidate_is_legal_and_leads_where_it_says() -> None:
    kinds: Counter[type] = Counter()
    for script, _ in chain.from_iterable(random_turns(seed) for seed in range(4)):
        board = script.board
        choices = moves(script)
        assert choices.candidates
        for candidate in choices.candidates:
            check_move(ARENA, board, candidate.action)
            kinds[type(candidate.action)] += 1
        assert len({candidate.action for candidate in choices.candidates}) == len(choices.candidates)
        for candidate in choices.candidates[:: max(len(choices.candidates) // 4, 1)]:
            is_free = isinstance(candidate.action, MakeUTurn) or (
                isinstance(candidate.action, MakeSubMove) and candidate.action.way == "ahead"
            )
            if candidate.end is not None and is_free:
                trial = LoadedScript(board)
                play_move(trial, ARENA, candidate.action, name="trial")
                assert trial.board.chariots[choices.chariot].team_pose == candidate.end.pose

    assert {MakeSubMove, ChangeSpeed, Stop, AnnounceSubMove} <= set(kinds)


@pytest.mark.rule("CM-20", "CM-31", "CM-112")
def test_ranges_end_where_the_rules_end() -> None:
    looked_at = 0
    for script, cases in chain.from_iterable(random_turns(seed) for seed in range(10, 14)):
        choices = moves(script)
        for offer in choices.ways:
            if offer.distances is not None:
                looked_at += 1
                high_mm = offer.distances.high_mm
                some_mm = cases.number(offer.distances.low_mm, high_mm)
                for legal_mm in (offer.distances.low_mm, some_mm, high_mm):
                    assert refusal(script.board, ahead(legal_mm, way=offer.way)) is None
                beyond = refusal(script.board, ahead(high_mm + 1, way=offer.way))
                is_at_the_end = (high_mm + 1) * 1_000 > choices.left_um
                assert beyond in (BadDistance, WouldCollide) if is_at_the_end else beyond is WouldCollide
            assert (refusal(script.board, ahead(None, way=offer.way)) is None) == offer.may_touch
            assert refusal(script.board, ahead(9, way=offer.way)) is not None
            for landing in offer.landings:
                for turn in landing.pivots:
                    legal = Pivot(hinge=turn.hinge, degrees=turn.left_degrees)
                    assert refusal(script.board, ahead(landing.distance_mm, legal, way=offer.way)) is None
                    wider = Pivot(hinge=turn.hinge, degrees=-turn.right_degrees - 1)
                    expected = BadPivot if turn.right_degrees == choices.pivot_degrees else WouldCollide
                    assert refusal(script.board, ahead(landing.distance_mm, wider, way=offer.way)) is expected
        for turn in choices.u_turns:
            assert refusal(script.board, MakeUTurn(pivot=Pivot(hinge=turn.hinge, degrees=turn.left_degrees))) is None
            if turn.left_degrees < 180:
                wider = Pivot(hinge=turn.hinge, degrees=turn.left_degrees + 1)
                assert refusal(script.board, MakeUTurn(pivot=wider)) is WouldCollide
        assert (refusal(script.board, GoOn()) is None) == choices.may_go_on
        if not choices.may_stop:
            assert refusal(script.board, STOP) is NotNow

    assert looked_at > 60
