"""Previews come true: the effect shown before an action holds when it is taken."""

from collections import Counter
from itertools import chain
from typing import Any

import pytest

from domain.rulesets.chariotmaster.offers.choices import Odds
from domain.rulesets.chariotmaster.offers.foreseen import (
    AnnounceForeseen,
    AttackForeseen,
    Dice,
    GoOnForeseen,
    Price,
    SpeedForeseen,
    SubMoveForeseen,
    UTurnForeseen,
)
from domain.rulesets.chariotmaster.offers.previews import foresee_move
from domain.rulesets.chariotmaster.race.actions import Attack, GoOn, MakeSubMove
from domain.rulesets.chariotmaster.race.board import Wreck
from domain.rulesets.chariotmaster.race.outcomes import (
    PieceMoved,
    PiecesCollided,
    PointsLost,
    SpeedChanged,
    SubMoveTested,
    TableRolled,
)
from domain.rulesets.chariotmaster.turn.chariot_turn import play_move
from tests.domain.rulesets.chariotmaster.attackers import BOARS, WOLVES, attacking, them
from tests.domain.rulesets.chariotmaster.fake_ruleset_pileup import ARENA, chariot_at
from tests.domain.rulesets.chariotmaster.loaded_script import LoadedScript, RandomScript, pose_at
from tests.domain.rulesets.chariotmaster.offers.test_move_choices import moves, random_turns
from tests.domain.rulesets.chariotmaster.turns import ANNOUNCE, BRAKE, GO_ON, SPUR, ahead, go, left, turn_of


def foresee(script: LoadedScript, action: Any) -> Any:
    return foresee_move(ARENA, script.board, action)


@pytest.mark.rule("CM-12", "CM-13", "CM-91")
def test_a_brake_or_a_spur_is_foreseen_as_a_range_and_a_price() -> None:
    assert foresee(turn_of(10, stamina=3), BRAKE) == SpeedForeseen(
        change="brake",
        price=Price(stamina=1, table_rolls=0, table_modifier=0),
        min_um=(40_000, 90_000),
        max_um=(90_000, 140_000),
    )
    spur = foresee(turn_of(0, stamina=0, stamina_modifier=4), SPUR)
    assert spur.price == Price(stamina=1, table_rolls=1, table_modifier=4)
    assert spur.max_um == (60_000, 110_000)


@pytest.mark.rule("CM-20")
def test_a_sub_move_is_foreseen_to_its_last_pivot() -> None:
    seen = foresee(turn_of(5), ahead(60, left(20)))

    assert isinstance(seen, SubMoveForeseen)
    assert (seen.way.after, seen.way.clash, seen.left_um) == (pose_at(60), None, 40_000)
    assert seen.end is not None
    assert (seen.end.pose, seen.end.off_track_degrees) == (pose_at(60, 0, 20), 20)
    assert foresee(turn_of(5), ahead(60, way="left")).price.stamina == 1
    assert foresee(turn_of(5), ahead(60)).end.gain_um == 60_000
    assert foresee(turn_of(5), ahead(60, way="left")).end.gain_um == 0


@pytest.mark.rule("CM-33", "CM-45")
def test_what_is_run_across_comes_with_its_dice_and_no_certain_end() -> None:
    script = turn_of(10, others=(chariot_at(1, pose_at(0, 80)),), wrecks=(Wreck(chariot=1, pose=pose_at(60)),))
    seen = foresee(script, ahead(100))

    # Two horses against a wreck: two dice each, and four faces hit nothing less than half the time.
    assert seen.way.clash.dice == Dice(own=2, theirs=2, hit_faces=3)
    assert (seen.way.distance_um, seen.end) == (30_000, None)


@pytest.mark.rule("CM-21", "CM-23")
def test_a_test_is_foreseen_with_the_skid_that_failing_it_means() -> None:
    seen = foresee(go(turn_of(5), ahead(50, left(30))), ANNOUNCE)

    assert isinstance(seen, AnnounceForeseen)
    assert seen.odds == Odds(modifier=1, skill=6, passing_faces=5)
    assert seen.skid.after == pose_at(100, 0, 30)
    assert foresee(go(turn_of(5, 6), ahead(50, left(30)), ANNOUNCE), GO_ON).way.after == pose_at(100, 0, 30)


@pytest.mark.rule("CM-55", "CM-57", "CM-104", "CM-105")
def test_attacks_are_foreseen_as_dice() -> None:
    beside = attacking(others=(them(),))
    ram, duel = (foresee(beside, offered.action) for offered in moves(beside).candidates if _attacks(offered.action))
    wolves = attacking(others=(them(pose_at(50, -20)),), fitting=WOLVES)
    boars = attacking(others=(them(pose_at(50, -20)),), fitting=BOARS)

    assert isinstance(ram, AttackForeseen)
    assert (ram.dice, ram.price.stamina, ram.may_be_defended) == (Dice(own=5, theirs=3, hit_faces=3), 0, True)
    # Equal drivers: 15 of 36 throws are won, 6 drawn.
    assert (duel.duel_won, duel.duel_drawn, duel.dice) == (15, 6, None)
    assert Dice(own=4, theirs=2, hit_faces=3) in [foresee(wolves, each).dice for each in _attacks_of(wolves)]
    assert Dice(own=5, theirs=2, hit_faces=3) in [foresee(boars, each).dice for each in _attacks_of(boars)]


def _attacks(action: Any) -> bool:
    return isinstance(action, Attack)


def _attacks_of(script: LoadedScript) -> list[Any]:
    return [candidate.action for candidate in moves(script).candidates if _attacks(candidate.action)]


def test_what_is_foreseen_comes_true() -> None:
    kinds: Counter[type] = Counter()
    for script, cases in chain.from_iterable(random_turns(seed) for seed in range(20, 23)):
        before = script.board
        offered = [candidate.action for candidate in moves(script).candidates]
        for action in dict.fromkeys((*filter(_attacks, offered), *offered[cases.number(0, 3) :: 4])):
            seen = foresee(script, action)
            assert script.board is before
            kinds[type(seen)] += 1
            trial = RandomScript(before, cases)
            play_move(trial, ARENA, action, name="trial")
            assert_foreseen(seen, action, trial)

    assert {SpeedForeseen, SubMoveForeseen, AnnounceForeseen, AttackForeseen} <= set(kinds)


def assert_foreseen(seen: Any, action: Any, trial: RandomScript) -> None:
    moved, paid = trial.told(PieceMoved), trial.told(PointsLost) + trial.told(TableRolled)
    match seen:
        case SpeedForeseen():
            # A payment with points that are not there may lead anywhere, to another token too.
            for told in () if seen.price.table_rolls else trial.told(SpeedChanged):
                assert seen.min_um[0] <= told.min_um <= seen.min_um[1]
                assert seen.max_um[0] <= told.max_um <= seen.max_um[1]
            assert paid
        case AnnounceForeseen():
            (told,) = trial.told(SubMoveTested)
            assert told.modifier == seen.odds.modifier
        case SubMoveForeseen() | GoOnForeseen():
            is_free = isinstance(action, GoOn) or (isinstance(action, MakeSubMove) and action.way == "ahead")
            if is_free and seen.way.after != seen.way.before:
                assert (moved[0].before, moved[0].after) == (seen.way.before, seen.way.after)
            if is_free:
                assert bool(trial.told(PiecesCollided)) == (seen.way.clash is not None)
            if is_free and isinstance(seen, SubMoveForeseen) and seen.end is not None:
                assert (moved[-1].after if moved else seen.way.before) == seen.end.pose
        case UTurnForeseen():
            assert moved[-1].after == seen.end.pose
        case AttackForeseen() if seen.dice is not None:
            for told in trial.told(PiecesCollided)[:1]:
                assert seen.may_be_defended or len(told.initiator_faces) == seen.dice.own
