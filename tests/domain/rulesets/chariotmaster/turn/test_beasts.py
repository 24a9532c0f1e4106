"""Teams that bite, boars that ram, and chariots that frighten."""

import pytest

from domain.rulesets.chariotmaster.race.actions import Defend
from domain.rulesets.chariotmaster.race.outcomes import (
    DefenceTried,
    PiecesCollided,
)
from tests.domain.rulesets.chariotmaster.attackers import (
    BOARS,
    ENDURE,
    HORROR,
    HORSES_BESIDE,
    WOLVES,
    attack,
    attacking,
    means,
    them,
)
from tests.domain.rulesets.chariotmaster.loaded_script import pose_at
from tests.domain.rulesets.chariotmaster.turns import go


@pytest.mark.rule("CM-50", "CM-53")
def test_what_can_be_attacked_is_what_the_axle_is_beside() -> None:
    assert means(attacking(others=(them(),)).board) == [(1, 1, "ram"), (1, 1, "whip_driver")]
    assert means(attacking(others=(them(HORSES_BESIDE),)).board) == [(1, 0, "ram"), (1, 0, "whip_horses")]
    assert means(attacking(others=(them(pose_at(75, -20)),)).board) == []


@pytest.mark.rule("CM-104", "CM-105")
def test_teams_bite_and_boars_ram_a_neighbour_at_an_angle_that_touches_with_another_part() -> None:
    # The rear corner of their body touches the side of the team; their horses, level with it, stand off.
    askew = them(pose_at(69, 24, 11))

    assert (1, 0, "bite") in means(attacking(others=(askew,), fitting=BOARS).board)
    assert (1, 0, "ram_with_horses") in means(attacking(others=(askew,), fitting=BOARS).board)


@pytest.mark.rule("CM-103", "CM-105", "MT-24")
def test_wolves_bite_horses_beside_them() -> None:
    # The attacker's horses are beside theirs; the axle is not.
    level = them(stamina=9)
    script = attacking(4, 5, 6, 1, 4, 1, others=(level,), answers=(ENDURE,), fitting=WOLVES)

    go(script, attack("bite", 0))

    script.assert_done()
    assert script.board.chariots[1].stamina == 7


@pytest.mark.rule("CM-105")
@pytest.mark.parametrize(("faces", "mine", "theirs"), [((1, 1, 1, 1, 4, 4), 7, 9), ((4, 1, 1, 1, 4, 1), 9, 9)])
def test_who_hits_less_loses_the_difference(faces: tuple[int, ...], mine: int, theirs: int) -> None:
    script = attacking(*faces, others=(them(stamina=9),), answers=(ENDURE,), fitting=WOLVES, stamina=9)

    go(script, attack("bite", 0))

    assert [chariot.stamina for chariot in script.board.chariots] == [mine, theirs]


@pytest.mark.rule("CM-104")
def test_boars_ram_to_the_sides_and_to_the_front_with_their_teams_value() -> None:
    beside = attacking(*[1] * 7, others=(them(),), answers=(ENDURE,), fitting=BOARS)
    in_front = attacking(*[1] * 8, others=(them(pose_at(90)),), answers=(ENDURE,), fitting=BOARS)

    go(beside, attack("ram_with_horses", 0))
    go(in_front, attack("ram_with_horses", 1))

    assert [len(collided.initiator_faces) for collided in beside.told(PiecesCollided)] == [5]
    assert [collided.initiator_part for collided in beside.told(PiecesCollided)] == ["horses"]
    assert [collided.heading for collided in in_front.told(PiecesCollided)] == [0]


@pytest.mark.rule("CM-106")
def test_horses_shy_at_a_frightening_attacker_without_a_roll_but_do_not_brake_so() -> None:
    shying = attacking(2, others=(them(stamina=9),), answers=(Defend(means="evade"),), fitting=HORROR)
    braking = attacking(6, *[1] * 8, others=(them(stamina=9),), answers=(Defend(means="brake"),), fitting=HORROR)

    go(shying, attack("ram"))
    go(braking, attack("ram"))

    assert [(tried.face, tried.is_passed) for tried in shying.told(DefenceTried)] == [(None, True)]
    assert [(tried.face, tried.is_passed) for tried in braking.told(DefenceTried)] == [(6, False)]
    assert shying.board.chariots[1].stamina == 8


@pytest.mark.rule("CM-106")
def test_one_horror_is_not_afraid_of_another() -> None:
    script = attacking(1, 2, others=(them(fitting=HORROR),), answers=(Defend(means="evade"),), fitting=HORROR)

    go(script, attack("ram"))

    script.assert_done()
    assert [tried.face for tried in script.told(DefenceTried)] == [1]
