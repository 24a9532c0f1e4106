"""Rolls that their owners may change: who is asked, in which order, and at which price."""

import pytest

from domain.ids import DecisionId
from domain.rulesets.chariotmaster.harm.luck import NoSuchDie, check_luck, roll_for, roll_together
from domain.rulesets.chariotmaster.race.actions import LeaveRoll, ModifyRoll
from domain.rulesets.chariotmaster.race.outcomes import RollLeft, RollModified, RollOffered
from tests.domain.rulesets.chariotmaster.fake_ruleset_pileup import chariot_at
from tests.domain.rulesets.chariotmaster.loaded_script import LoadedScript, cascade_on, pose_at, table

LEAVE = LeaveRoll()


def up(die: int) -> ModifyRoll:
    return ModifyRoll(die=die, change=1)


def down(die: int) -> ModifyRoll:
    return ModifyRoll(die=die, change=-1)


@pytest.mark.rule("CM-102", "CM-135")
def test_nobody_is_asked_without_a_modify_left() -> None:
    script = LoadedScript(table(chariot_at(0, pose_at(0))), faces=[4])

    faces = roll_for(cascade_on(script), "test", 0)

    assert (faces, script.outcomes) == ((4,), [])


@pytest.mark.rule("CM-102", "CM-135")
def test_a_modify_changes_one_die_and_is_gone() -> None:
    script = LoadedScript(table(chariot_at(0, pose_at(0), modifies=1)), faces=[2, 5], answers=[down(1)])

    faces = roll_for(cascade_on(script), "test", 0, dice=2)

    assert faces == (2, 4)
    offered = RollOffered(chariot=0, faces=(2, 5), decision=DecisionId("t1/luck/1"))
    assert script.outcomes == [offered, RollModified(chariot=0, die=1, face=4)]
    assert script.board.chariots[0].modifies == 0
    assert script.board.offered is None


@pytest.mark.rule("CM-102", "CM-135")
def test_several_modifies_may_be_used_on_one_roll() -> None:
    script = LoadedScript(table(chariot_at(0, pose_at(0), modifies=3)), faces=[2], answers=[up(0), up(0), LEAVE])

    faces = roll_for(cascade_on(script), "test", 0)

    assert faces == (4,)
    assert script.board.chariots[0].modifies == 1
    script.assert_done()


@pytest.mark.rule("CM-102", "MT-25")
@pytest.mark.parametrize(("face", "answer"), [(6, up(0)), (1, down(0))])
def test_a_die_stays_between_one_and_six(face: int, answer: ModifyRoll) -> None:
    script = LoadedScript(table(chariot_at(0, pose_at(0), modifies=1)), faces=[face], answers=[answer])

    assert roll_for(cascade_on(script), "test", 0) == (face,)


@pytest.mark.rule("CM-102", "CM-135")
def test_two_sides_alternate_the_active_chariot_first_until_both_pass_in_a_row() -> None:
    chariots = chariot_at(0, pose_at(0), modifies=3), chariot_at(1, pose_at(100), modifies=3)
    answers = [up(0), LEAVE, LEAVE]
    script = LoadedScript(table(*chariots, active=1), faces=[3, 4], answers=answers)

    mine, theirs = roll_together(cascade_on(script), "both", ((0, 1), (1, 1)))

    assert (mine, theirs) == ((3,), (5,))
    assert [decision.seat for decision in script.asked] == [1, 0, 1]
    script.assert_done()


@pytest.mark.rule("CM-135")
def test_who_passed_is_asked_again_when_the_other_side_changes_something() -> None:
    chariots = chariot_at(0, pose_at(0), modifies=1), chariot_at(1, pose_at(100), modifies=1)
    script = LoadedScript(table(*chariots), faces=[3, 4], answers=[LEAVE, down(0), up(0)])

    mine, theirs = roll_together(cascade_on(script), "both", ((0, 1), (1, 1)))

    assert (mine, theirs) == ((4,), (3,))
    assert [decision.seat for decision in script.asked] == [0, 1, 0]


@pytest.mark.rule("CM-135")
def test_dice_of_walls_and_wrecks_are_nobodys_to_change() -> None:
    script = LoadedScript(table(chariot_at(0, pose_at(0), modifies=1)), faces=[3, 4, 5], answers=[LEAVE])

    mine, walls = roll_together(cascade_on(script), "both", ((0, 1), (None, 2)))

    assert (mine, walls) == ((3,), (4, 5))
    assert script.told(RollLeft) == [RollLeft(chariot=0)]


@pytest.mark.rule("CM-135")
def test_a_chariot_on_both_sides_has_one_roll_of_all_its_dice() -> None:
    script = LoadedScript(table(chariot_at(0, pose_at(0), modifies=1)), faces=[3, 4, 5], answers=[up(2)])

    first, second = roll_together(cascade_on(script), "both", ((0, 2), (0, 1)))

    assert (first, second) == ((3, 4), (6,))


@pytest.mark.rule("CM-135")
def test_questions_have_names_of_their_own() -> None:
    script = LoadedScript(table(chariot_at(0, pose_at(0), modifies=9)), faces=[3, 3], answers=[up(0), LEAVE, LEAVE])
    cascade = cascade_on(script)

    roll_for(cascade, "test", 0)
    roll_for(cascade, "test", 0)

    assert [decision.id for decision in script.asked] == ["t1/luck/1", "t1/luck/2", "t1/luck/3"]


@pytest.mark.rule("CM-102")
def test_a_die_that_was_not_rolled_is_refused() -> None:
    script = LoadedScript(table(chariot_at(0, pose_at(0))))
    script.emit(RollOffered(chariot=0, faces=(3, 4), decision=DecisionId("t1/luck/1")))

    check_luck(script.board, up(1))
    check_luck(script.board, LEAVE)
    with pytest.raises(NoSuchDie) as refusal:
        check_luck(script.board, up(2))

    assert (refusal.value.expected, refusal.value.found) == ("a die from 0 to 1", "2")
