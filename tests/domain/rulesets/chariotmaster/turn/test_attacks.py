"""Attacks: targets and means, prices, evasions and effects."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.rulesets.chariotmaster.race.actions import Defend, ModifyRoll, Stop
from domain.rulesets.chariotmaster.race.board import (
    Grasp,
    Wreck,
    driver_piece,
    wreck_piece,
)
from domain.rulesets.chariotmaster.race.evolution import evolve
from domain.rulesets.chariotmaster.race.options import Options, WhipRollRule
from domain.rulesets.chariotmaster.race.outcomes import (
    AttackEnded,
    DefenceChosen,
    DefenceOffered,
    DefenceTried,
    PiecesCollided,
    RollOffered,
    TurnEnded,
)
from domain.rulesets.chariotmaster.turn.attacks import NoSuchAttack
from domain.rulesets.chariotmaster.turn.chariot_turn import begin_turn
from tests.domain.rulesets.chariotmaster.attackers import (
    BOARS,
    ENDURE,
    HORROR,
    HORSES_BESIDE,
    THEM,
    attack,
    attacking,
    means,
    moves,
    them,
)
from tests.domain.rulesets.chariotmaster.fake_ruleset_pileup import ARENA, FITTING, chariot_at
from tests.domain.rulesets.chariotmaster.loaded_script import LoadedScript, pose_at, table
from tests.domain.rulesets.chariotmaster.turns import ahead, go, refused


@pytest.mark.rule("CM-50", "CM-53")
def test_what_can_be_attacked_is_what_the_axle_is_beside() -> None:
    assert means(attacking(others=(them(),)).board) == [(1, 1, "ram"), (1, 1, "whip_driver")]
    assert means(attacking(others=(them(HORSES_BESIDE),)).board) == [(1, 0, "ram"), (1, 0, "whip_horses")]
    assert means(attacking(others=(them(pose_at(75, -20)),)).board) == []


@pytest.mark.rule("CM-50")
@pytest.mark.parametrize(("gap_mm", "count"), [(1, 2), (2, 0)])
def test_a_gap_of_a_millimetre_is_bridged(gap_mm: int, count: int) -> None:
    assert len(means(attacking(others=(them(pose_at(50, -20 - gap_mm)),)).board)) == count


@pytest.mark.rule("CM-50", "CM-53")
def test_a_neighbour_at_an_angle_is_attacked_where_the_axle_is_level_with_it_though_another_part_touches() -> None:
    # The corner of their horses touches the left side; their body, level with the axle, is 4 mm off.
    askew = them(pose_at(50, 24, 349))

    assert means(attacking(others=(askew,)).board) == [(1, 1, "ram"), (1, 1, "whip_driver")]


@pytest.mark.rule("CM-47", "CM-55")
def test_a_ram_of_a_neighbour_at_an_angle_turns_the_attacker_flush_about_the_touching_corner() -> None:
    script = attacking(*[1] * 8, others=(them(pose_at(50, 24, 349)),), answers=(ENDURE,))

    go(script, attack("ram"))

    script.assert_done()
    assert moves(script, 0)[-1] == ("aligned", 0)
    assert script.board.chariots[0].team_pose is not None
    assert script.board.chariots[0].team_pose.heading == 349


@pytest.mark.rule("CM-50", "CM-53")
def test_wrecks_and_drivers_are_rammed_and_a_dragged_driver_is_not_whipped() -> None:
    walking = chariot_at(1, None, driver="on_foot", driver_pose=pose_at(40, -15))
    dragged = them(pose_at(55, -20), driver="dragged", has_body=False)
    wreck = Wreck(chariot=2, pose=pose_at(40, 20))
    gone = chariot_at(2, None, has_body=False, driver="dead", horses=0)

    assert means(attacking(others=(walking,)).board) == [(driver_piece(1), 0, "ram")]
    assert means(attacking(others=(them(), gone), wrecks=(wreck,)).board)[-1] == (wreck_piece(2), 0, "ram")
    assert all(how == "ram" for _, _, how in means(attacking(others=(dragged,)).board))


@pytest.mark.rule("CM-53")
def test_without_a_whip_there_is_only_the_ram() -> None:
    assert means(attacking(others=(them(),), has_whip=False).board) == [(1, 1, "ram")]
    assert means(attacking(others=(them(HORSES_BESIDE),), has_whip=False).board) == [(1, 0, "ram")]


@pytest.mark.rule("CM-53")
def test_a_body_without_a_driver_is_only_rammed() -> None:
    on_the_shaft = them(has_reins=False, grasp=Grasp(aim="reins", held_reins=False))

    assert means(attacking(others=(them(driver="dead"),)).board) == [(1, 1, "ram")]
    assert means(attacking(others=(on_the_shaft,)).board) == [(1, 1, "ram")]


@pytest.mark.rule("CM-51", "MT-19")
def test_nobody_attacks_in_the_first_game_turn() -> None:
    script = attacking(others=(them(),), game_turns=1)

    assert isinstance(refused(script, attack("ram")), NoSuchAttack)


@pytest.mark.rule("CM-51")
def test_who_ran_across_something_does_not_attack() -> None:
    wreck = Wreck(chariot=0, pose=pose_at(35))
    board = replace(
        table(chariot_at(0, pose_at(0)), them(pose_at(100, -20)), active=None), wrecks=(wreck,), game_turns=2
    )
    script = LoadedScript(board, faces=[1, 1, 1, 1])
    begin_turn(script, ARENA, chariot=0, token=10)

    go(script, ahead(100))

    assert means(script.board) == []


@pytest.mark.rule("CM-52")
def test_one_attack_is_made_after_a_sub_move() -> None:
    script = go(attacking(1, 1, 1, 1, 1, 1, 1, 1, others=(them(),), answers=(ENDURE,)), attack("ram"))

    assert isinstance(refused(script, attack("ram")), NoSuchAttack)
    assert [ended.result for ended in script.told(AttackEnded)] == ["carried_out"]


@pytest.mark.rule("CM-52", "CM-24")
def test_the_end_of_the_way_leaves_time_for_an_attack() -> None:
    board = replace(table(chariot_at(0, pose_at(0)), them(pose_at(100, -20)), active=None), game_turns=2)
    script = LoadedScript(board)
    begin_turn(script, ARENA, chariot=0, token=5)

    go(script, ahead(100))

    assert means(script.board)
    go(script, Stop())
    assert [ended.reason for ended in script.told(TurnEnded)] == ["stopped"]


@pytest.mark.rule("CM-52", "CM-106", "MT-5", "MT-18")
@pytest.mark.parametrize(
    ("earlier", "mine", "theirs", "price"),
    [
        (0, FITTING, FITTING, 0),
        (1, FITTING, FITTING, 1),
        (2, FITTING, FITTING, 1),
        (0, FITTING, HORROR, 1),
        (1, FITTING, HORROR, 2),
        (0, HORROR, HORROR, 0),
        (1, HORROR, HORROR, 1),
    ],
)
def test_later_attacks_and_frightening_targets_cost_stamina(earlier: int, mine: Any, theirs: Any, price: int) -> None:
    script = attacking(1, 6, others=(them(fitting=theirs),), answers=(ENDURE,), stamina=9, fitting=mine)
    assert script.board.turn is not None
    script.board = replace(script.board, turn=replace(script.board.turn, attacked=(wreck_piece(2),) * earlier))

    go(script, attack("whip_driver"))

    assert script.board.chariots[0].stamina == 9 - price


@pytest.mark.rule("CM-54", "MO-8")
@pytest.mark.parametrize(("earlier", "face", "result"), [(0, 5, "avoided"), (1, 5, "carried_out"), (3, 1, "avoided")])
def test_a_defence_is_a_test_with_one_more_for_each_attack_on_the_same_target(
    earlier: int, face: int, result: str
) -> None:
    dice = (face, 2) if result == "avoided" else (face, 1, 6)
    script = attacking(*dice, others=(them(stamina=9),), answers=(Defend(means="brake"),))
    assert script.board.turn is not None
    script.board = replace(script.board, turn=replace(script.board.turn, attacked=(wreck_piece(2), *[THEM] * earlier)))

    go(script, attack("whip_driver"))

    script.assert_done()
    assert [tried.modifier for tried in script.told(DefenceTried)] == [earlier + 1]
    assert [ended.result for ended in script.told(AttackEnded)] == [result]
    assert script.board.chariots[1].stamina == 8


@pytest.mark.rule("CM-54")
@pytest.mark.parametrize(("way", "reason", "pose"), [("brake", "braked", (20, -20)), ("evade", "evaded", (50, -50))])
def test_a_brake_goes_straight_back_and_an_evasion_away_from_the_attacker(
    way: Any, reason: str, pose: tuple[int, int]
) -> None:
    script = go(attacking(1, 3, others=(them(),), answers=(Defend(means=way),)), attack("ram"))

    script.assert_done()
    assert moves(script, 1) == [(reason, 30)]
    assert script.board.chariots[1].team_pose == pose_at(*pose)
    assert not script.told(PiecesCollided)


@pytest.mark.rule("CM-54", "CM-123", "T5")
@pytest.mark.parametrize(("face", "y_mm"), [(4, -60), (3, -20)])
def test_an_evasion_leads_across_a_wreck_if_it_comes_clear(face: int, y_mm: int) -> None:
    wreck, gone = Wreck(chariot=2, pose=pose_at(60, -40)), chariot_at(2, None, has_body=False, driver="dead", horses=0)
    script = attacking(1, face, *[1] * 4, others=(them(), gone), wrecks=(wreck,), answers=(Defend(means="evade"),))

    go(script, attack("ram"))

    script.assert_done()
    assert script.board.chariots[1].team_pose == pose_at(50, y_mm)


@pytest.mark.rule("CM-54")
@pytest.mark.parametrize("changes", [{"has_reins": False}, {"out_of_control_for": 1}, {"is_halted": True}])
def test_who_is_not_in_control_or_was_halted_is_not_asked(changes: dict[str, Any]) -> None:
    script = go(attacking(*[1] * 8, others=(them(**changes),)), attack("ram"))

    assert not script.asked
    assert script.told(PiecesCollided)


@pytest.mark.rule("CM-55", "CM-122")
def test_a_ram_is_a_collision_square_to_the_side_with_two_dice_more() -> None:
    script = go(attacking(6, 6, 6, 1, 1, 1, 1, 1, others=(them(),), answers=(ENDURE,)), attack("ram"))

    (collided,) = script.told(PiecesCollided)
    assert (collided.is_ram, collided.heading, collided.bounce) == (True, 270, 5)
    assert (collided.initiator_part, collided.target_part) == ("body", "body")
    assert moves(script, 1) == [("pushed", 30)]
    assert script.board.threat is None


@pytest.mark.rule("MO-5", "CM-42")
def test_a_ram_may_hold_back_and_roll_no_dice_more() -> None:
    script = attacking(*[1] * 6, others=(them(),), answers=(ENDURE,))
    held = replace(attack("ram"), holds_back=True)

    assert isinstance(refused(script, replace(attack("whip_driver"), holds_back=True)), NoSuchAttack)
    go(script, held)

    script.assert_done()
    assert [len(collided.initiator_faces) for collided in script.told(PiecesCollided)] == [3]


@pytest.mark.rule("CM-55")
def test_a_ram_that_fails_badly_ends_the_turn() -> None:
    bounced = attacking(*[1] * 5, *[6] * 3, others=(them(),), answers=(ENDURE,), structure=5)
    go(bounced, attack("ram"))

    assert bounced.told(PiecesCollided)[0].bounce == -1
    assert [ended.reason for ended in bounced.told(TurnEnded)] == ["bounce"]


@pytest.mark.rule("CM-24", "CM-52", "MO-4")
def test_an_attack_whose_price_makes_the_horses_stumble_into_a_chariot_behind_ends_the_turn() -> None:
    # A step back of 2 cm, and a collision that bounces by one: nothing but being the initiator ends the turn.
    script = attacking(5, 3, 6, 1, 1, 1, 1, others=(them(fitting=HORROR),), stamina=0)
    script.board = replace(script.board, chariots=(*script.board.chariots, chariot_at(2, pose_at(5))))

    go(script, attack("ram"))

    assert [ended.reason for ended in script.told(TurnEnded)] == ["collision"]


@pytest.mark.rule("CM-46")
def test_a_driver_thrown_out_by_a_ram_does_not_end_the_turn_of_the_chariot_that_rammed() -> None:
    # The body breaks, the driver is hurled on against a wreck, and comes off worse: that is no push of the ram.
    gone = chariot_at(2, None, has_body=False, driver="dead", horses=0)
    wreck = Wreck(chariot=2, pose=pose_at(40, -60))
    script = attacking(
        *(6, 1, 1, 1, 1), *(6, 6), *(1, 3, 4), *(1, 1, 1),
        others=(them(structure=0, structure_modifier=7), gone), answers=(ENDURE,), wrecks=(wreck,),
    )  # fmt: skip

    go(script, attack("ram"))

    assert [hit.bounce for hit in script.told(PiecesCollided)] == [2, -1]
    assert not script.told(TurnEnded)


@pytest.mark.rule("CM-56", "MT-16")
@pytest.mark.parametrize(("face", "is_out"), [(6, 1), (5, 0)])
def test_whipped_horses_run_ahead_and_tire(face: int, is_out: int) -> None:
    script = attacking(face, others=(them(HORSES_BESIDE, stamina=9),), answers=(ENDURE,))

    go(script, attack("whip_horses", 0))

    script.assert_done()
    assert moves(script, 1) == [("whipped", 10 * face)]
    assert (script.board.chariots[1].stamina, script.board.chariots[1].out_of_control_for) == (7, is_out)


@pytest.mark.rule("CM-56", "CM-102")
@pytest.mark.parametrize(("rule", "asked"), [("attacker", 0), ("target", 1)])
def test_the_die_of_whipped_horses_is_of_the_side_that_the_game_has_chosen(rule: WhipRollRule, asked: int) -> None:
    lucky = ENDURE, ModifyRoll(die=0, change=-1)
    script = attacking(6, others=(them(HORSES_BESIDE, modifies=1),), answers=lucky, modifies=1)
    script.board = replace(script.board, options=Options(whip_roll=rule))

    go(script, attack("whip_horses", 0))

    script.assert_done()
    assert [offered.chariot for offered in script.told(RollOffered)] == [asked]
    assert moves(script, 1) == [("whipped", 50)]


@pytest.mark.rule("CM-46", "CM-56")
def test_whipped_horses_that_push_their_attacker_into_something_may_end_his_turn() -> None:
    # They face his side: at once they run into his body, and push him against the chariot on his left.
    facing, beyond = them(pose_at(40, -30, 90), fitting=BOARS), chariot_at(2, pose_at(80, 25))
    script = attacking(1, *[6] * 3, *[1] * 3, *[1] * 5, others=(facing, beyond), answers=(ENDURE,))

    go(script, attack("whip_horses", 0))

    script.assert_done()
    assert [(hit.initiator, hit.target, hit.bounce) for hit in script.told(PiecesCollided)] == [(1, 0, 3), (0, 2, -1)]
    assert [ended.reason for ended in script.told(TurnEnded)] == ["bounce"]


@pytest.mark.rule("CM-57", "MT-17")
@pytest.mark.parametrize(
    ("faces", "skill", "health", "has_whip"),
    [((3, 2, 3), 5, 5, True), ((3, 2, 4), 6, 4, True), ((2, 2), 6, 5, False), ((2, 3), 6, 5, True)],
)
def test_a_duel_of_whips(faces: tuple[int, ...], skill: int, health: int, has_whip: object) -> None:
    script = go(attacking(*faces, others=(them(),), answers=(ENDURE,)), attack("whip_driver"))

    script.assert_done()
    chariot = script.board.chariots[1]
    assert (chariot.skill, chariot.health) == (skill, health)
    assert script.board.chariots[0].has_whip is has_whip


@pytest.mark.rule("CM-91", "CM-52")
def test_an_attack_whose_price_makes_the_horses_stumble_out_of_reach_comes_to_nothing() -> None:
    script = attacking(5, 6, others=(them(fitting=HORROR),), stamina=0)

    go(script, attack("ram"))

    script.assert_done()
    assert [ended.result for ended in script.told(AttackEnded)] == ["out_of_reach"]
    assert not script.asked


@pytest.mark.rule("CM-54")
def test_the_board_names_the_question_for_as_long_as_the_target_is_asked() -> None:
    before = attacking(others=(them(),)).board
    script = go(LoadedScript(before, faces=[6, 4, 4], answers=[Defend(means="brake")]), attack("whip_driver"))

    asked = {}
    for outcome in script.outcomes:
        before = evolve(before, outcome)
        if before.threat is not None and before.threat.decision is not None:
            asked[type(outcome)] = before.threat.decision

    assert asked == {DefenceOffered: script.asked[0].id}
    assert [chosen.means for chosen in script.told(DefenceChosen)] == ["brake"]


@pytest.mark.rule("CM-54", "CM-91")
def test_horses_that_drop_dead_of_their_own_defence_are_not_whipped_as_well() -> None:
    last_legs = {"horses": 1, "dead_horses": 1, "stamina": 0, "stamina_modifier": 7}
    script = attacking(1, 1, others=(them(HORSES_BESIDE, **last_legs),), answers=(Defend(means="brake"),))

    go(script, attack("whip_horses", 0))

    script.assert_done()
    assert [ended.result for ended in script.told(AttackEnded)] == ["out_of_reach"]
    assert (script.board.chariots[1].team_pose, script.board.chariots[1].driver) == (None, "on_foot")


@pytest.mark.rule("CM-54", "CM-91")
def test_a_defence_that_makes_the_horses_stumble_away_has_avoided_the_attack_even_if_it_fails() -> None:
    script = attacking(5, 6, 6, others=(them(stamina=0),), answers=(Defend(means="evade"),))

    go(script, attack("ram"))

    script.assert_done()
    assert moves(script, 1) == [("stumbled", 30)]
    assert [ended.result for ended in script.told(AttackEnded)] == ["out_of_reach"]
