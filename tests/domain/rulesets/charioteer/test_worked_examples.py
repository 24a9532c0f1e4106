"""The worked examples of the rulebook and the numbers that follow from it, as tables."""

import pytest

from domain.rejection import IllegalAction
from domain.rulesets.charioteer.actions import Stack
from domain.rulesets.charioteer.board import Driver
from domain.rulesets.charioteer.outcomes import (
    BoxesClosed,
    ChariotMoved,
    CrowdCardDealt,
    DamageRecovered,
    DamageTaken,
    DistanceReckoned,
    FanTokenEarned,
    SkillAdvanced,
    WhipUsed,
)
from domain.rulesets.charioteer.reckoning import MoveParts, reckon, tally
from domain.rulesets.charioteer.skills import skill_bonus, starting_places
from domain.rulesets.charioteer.track import space_at
from tests.domain.rulesets.charioteer.boards import (
    ADA,
    BOB,
    BOX,
    CAI,
    NO_SKILL,
    Turn,
    board,
    check,
    driver,
    fan,
    move,
    own,
)

ELAINE = ("red-5 red-5 green-2", "red-5 red-5 yellow-4", "red-5 red-5 black-2")
# On this straight nothing is near, so that a move is as long as its distance.
ALONE = 30


def elaine(**changes: object) -> Driver:
    return driver(ADA, *ELAINE, "green-6 green-6 black-1", progress=ALONE, fan=("plus-3-red",), **changes)


def distance_of(symbol: str, *faces: str) -> int:
    parts = MoveParts(
        symbol=BOX.symbol_places[symbol],
        faces=tuple(BOX.face_places[face] for face in faces),
        is_wild=False,
        crowd_face=None,
        token=None,
    )
    return reckon(BOX, driver(ADA), parts, tally(BOX, parts)).distance


@pytest.mark.rule("CH-11", "CH-16", "CH-20", "CO-1", "CO-2", "CT-1")
def test_elaine_moves_eleven_and_may_not_add_a_card_without_red_five() -> None:
    on = board(elaine(), driver(BOB))

    turn = Turn(on, {ADA: move("red-5", 0, 1, 2)})

    reckoned = turn.one(DistanceReckoned, ADA)
    assert (reckoned.symbols, reckoned.number, reckoned.distance) == (6, 5, 11)
    with pytest.raises(IllegalAction):
        check(on, ADA, move("red-5", 0, 1, 3))


@pytest.mark.rule("CH-20", "CT-2")
@pytest.mark.parametrize(
    ("symbol", "faces", "distance"),
    [
        ("green-4", ("green-4 green-4 red-1", "red-3 red-3 green-4"), 7),
        ("green-2", ("green-2 green-2 red-1", "green-2 green-2 red-3", "green-2 green-2 red-5"), 8),
        ("black-0", ("black-0 black-0 red-1", "black-0 black-0 red-3"), 4),
    ],
)
def test_symbols_and_number_make_the_base(symbol: str, faces: tuple[str, ...], distance: int) -> None:
    assert distance_of(symbol, *faces) == distance


@pytest.mark.rule("CH-21", "CH-65", "CH-66", "CT-3")
def test_elaine_with_token_skill_and_damage_moves_thirteen() -> None:
    red_in_the_middle = (0, 4, 1, 2)
    on = board(elaine(skills=red_in_the_middle, damage=2, attacked=1), driver(BOB))

    turn = Turn(on, {ADA: move("red-5", 0, 1, 2, token=fan(0))})

    reckoned = turn.one(DistanceReckoned, ADA)
    assert (reckoned.token, reckoned.skill, reckoned.damage, reckoned.distance) == (3, 1, 2, 13)
    assert turn.driver(ADA).progress == ALONE + 13


@pytest.mark.rule("CH-31", "CH-32", "CH-33", "CT-4")
def test_david_spends_five_points_on_two_rivals_and_three_spaces() -> None:
    yellow, green = driver(BOB, progress=32), driver(CAI, progress=32)
    david = driver(ADA, "black-1 black-1 red-1", "black-1 black-1 red-3", progress=30)
    on = board(yellow, green, david)

    turn = Turn(on, {ADA: move("black-1", 0, 1)})

    moved = turn.one(ChariotMoved, ADA)
    assert moved.distance == 5
    assert moved.entered == (31, 32, 33)
    assert [(each.rival, each.space, each.price) for each in moved.passed] == [(CAI, 32, 1), (BOB, 32, 1)]


@pytest.mark.rule("CH-12", "CH-55", "CT-5")
def test_david_matches_seven_symbols_with_the_crowd_and_earns_a_fan_token() -> None:
    hand = ("yellow-4 yellow-4 red-1", "yellow-4 yellow-4 red-3", "red-5 red-5 yellow-4")
    on = board(driver(ADA, *hand, progress=ALONE), driver(BOB), crowd="yellow-4 yellow-4 black-1")

    turn = Turn(on, {ADA: move("yellow-4", 0, 1, 2, crowd=True)})

    assert turn.one(FanTokenEarned) == FanTokenEarned(seat=ADA, symbols=7, fan_token=1_000)
    assert turn.driver(ADA).fan_tokens == (1_000,)


@pytest.mark.rule("CH-41", "CT-6")
def test_four_red_cards_are_a_major_attack_on_every_rival() -> None:
    on = board(elaine(), driver(BOB), driver(CAI), crowd="red-5 red-5 yellow-0")

    turn = Turn(on, {ADA: move("red-5", 0, 1, 2, crowd=True)})

    struck = [(event.seat, event.cause, event.attacker, event.cubes) for event in turn.tell(DamageTaken)]
    assert struck[:2] == [(BOB, "major_attack", ADA, 2), (CAI, "major_attack", ADA, 2)]


@pytest.mark.rule("CH-22", "CH-42", "CT-7")
def test_a_yellow_move_removes_three_of_five_cubes_before_it_counts_them() -> None:
    hand = ("yellow-4 yellow-4 red-1", "yellow-4 yellow-4 red-3")
    on = board(driver(ADA, *hand, progress=ALONE, damage=5), driver(BOB))

    turn = Turn(on, {ADA: move("yellow-4", 0, 1)})

    assert turn.one(DamageRecovered, ADA) == DamageRecovered(seat=ADA, recoveries=1, removed=3, left=2)
    assert turn.one(DistanceReckoned, ADA).damage == 2


@pytest.mark.rule("CH-35", "CH-36", "CH-43", "CT-8")
def test_emily_corners_from_an_outer_space_over_regular_ones_only() -> None:
    hand = ("black-1 black-1 red-1", "black-1 black-1 red-3")
    on = board(driver(ADA, *hand, progress=3), driver(BOB))

    turn = Turn(on, {ADA: move("black-1", 0, 1)})

    assert turn.one(ChariotMoved, ADA).entered == (4, 6, 8, 10, 12)
    assert [BOX.track.spaces[space].kind for space in (3, 4, 6)] == ["outer", "regular", "regular"]


@pytest.mark.rule("CH-35", "CH-40", "CT-9")
def test_eliot_sprints_through_regular_and_outer_spaces_alike() -> None:
    hand = ("green-4 green-4 red-1", "green-4 green-4 red-3")
    on = board(driver(ADA, *hand, progress=3), driver(BOB))

    turn = Turn(on, {ADA: move("green-4", 0, 1)})

    entered = turn.one(ChariotMoved, ADA).entered
    assert entered == (4, 5, 6, 7, 8, 9, 10, 11)
    assert [BOX.track.spaces[space].kind for space in entered] == ["regular", "outer"] * 4


@pytest.mark.rule("CH-80", "CT-10")
def test_at_the_end_of_a_turn_the_crowd_cards_slide() -> None:
    on = board(driver(ADA), driver(BOB), crowd="red-1 red-1 red-3")

    turn = Turn(on, {})

    dealt = turn.one(CrowdCardDealt)
    assert (dealt.slot, BOX.face_places["red-1 red-1 red-3"] in turn.board.discards.shown) == (3, True)
    assert [card.draw for card in turn.board.crowd] == [901, 902, dealt.draw]


@pytest.mark.rule("CH-05", "CT-11")
def test_the_skills_card_of_the_rulebook() -> None:
    assert starting_places(BOX.skills_track, ("green", "red", "yellow", "black")) == (3, 2, 1, 0)


@pytest.mark.rule("CH-53", "CH-54", "CT-12")
def test_emilys_yellow_marker_takes_the_second_bonus_and_stays() -> None:
    green_in_the_box, yellow_before_it = 10, 9
    hand = ("yellow-4 yellow-4 red-1", "yellow-4 yellow-4 red-3")
    skills = (green_in_the_box, 0, yellow_before_it, 1)
    on = board(driver(ADA, *hand, progress=ALONE, skills=skills), driver(BOB), emperor="all")

    turn = Turn(on, {ADA: move("yellow-4", 0, 1)})

    assert turn.one(SkillAdvanced, ADA).bonus == 5
    assert turn.driver(ADA).skills == (10, 0, 11, 1)


@pytest.mark.rule("CH-53", "CO-8", "CO-9", "CT-13")
def test_alecs_markers_give_nothing_one_one_and_three() -> None:
    red, yellow, green, black = 2, 4, 9, 10

    bonuses = [skill_bonus(BOX.skills_track, place) for place in (red, yellow, green, black)]

    assert bonuses == [0, 1, 1, 3]


@pytest.mark.rule("CH-16", "CH-70", "CO-3", "CO-4", "CT-14")
def test_davids_shield_counts_with_red_one_and_is_illegal_with_black_one() -> None:
    hand = ("red-1 red-1 black-1", "black-1 black-1 red-1", "red-1 red-1 shield")
    on = board(driver(ADA, *hand, progress=ALONE), driver(BOB))

    turn = Turn(on, {ADA: move("red-1", 0, 1, 2)})

    assert turn.one(BoxesClosed) == BoxesClosed(seat=ADA, reason="shield", removed=0)
    with pytest.raises(IllegalAction):
        check(on, ADA, move("black-1", 0, 1, 2))


@pytest.mark.rule("CH-14", "CT-15")
def test_a_black_token_goes_with_black_moves_and_a_shield_with_any() -> None:
    hand = ("red-1 red-1 black-1", "black-1 black-1 red-1")
    on = board(driver(ADA, *hand, fan=("shield",)), driver(BOB))

    check(on, ADA, move("black-1", 0, 1, token=own("plus-5-black")))
    check(on, ADA, move("black-1", 0, 1, token=fan(0)))
    with pytest.raises(IllegalAction):
        check(on, ADA, move("red-1", 0, 1, token=own("plus-5-black")))


@pytest.mark.rule("CH-41", "CH-70", "CT-16")
def test_alecs_shield_keeps_eliots_major_attack_out() -> None:
    alec = driver(BOB, "red-1 red-1 shield", "red-1 red-1 red-3", attacked=1)
    on = board(elaine(), alec, driver(CAI), crowd="red-5 red-5 yellow-0")

    turn = Turn(on, {ADA: move("red-5", 0, 1, 2, crowd=True), BOB: move("red-1", 10, 11)})

    struck = {
        event.seat: (event.cubes, event.ignored, event.ignored_because)
        for event in turn.tell(DamageTaken)
        if event.attacker == ADA
    }
    assert struck == {BOB: (0, 2, "shield"), CAI: (2, 0, None)}
    assert (turn.driver(BOB).damage, turn.driver(CAI).damage) == (0, 2)


@pytest.mark.rule("CH-71", "CH-72", "CT-17")
def test_emilys_whip_takes_her_beside_david_and_no_further() -> None:
    hand = ("red-1 red-1 black-1", "red-1 red-1 red-3", "whip")
    on = board(driver(ADA, *hand, progress=ALONE), driver(BOB, progress=ALONE + 7))

    turn = Turn(on, {ADA: move("red-1", 0, 1, 2)})

    used = turn.one(WhipUsed)
    assert (used.entered, used.ended_by, used.steps_max) == ((ALONE + 6, ALONE + 7), "rival_ahead", 5)
    assert turn.board.row == (BOB, ADA)


@pytest.mark.rule("CH-76", "CT-18")
def test_davids_wild_makes_two_red_threes_of_a_shield_card() -> None:
    hand = ("red-3 red-3 black-1", "red-3 red-3 green-2", "yellow-2 yellow-2 shield")
    on = board(driver(ADA, *hand, progress=ALONE, fan=("wild-red",)), driver(BOB))

    turn = Turn(on, {ADA: move("red-3", 0, 1, 2, changed=2, token=fan(0))})

    assert turn.one(DistanceReckoned, ADA).symbols == 6
    assert turn.tell(BoxesClosed) == []
    assert turn.one(FanTokenEarned).seat == ADA
    assert turn.one(DamageTaken, BOB).cause == "minor_attack"


@pytest.mark.rule("CH-77", "CT-19")
def test_a_plus_three_makes_ten_of_seven() -> None:
    hand = ("green-4 green-4 red-1", "red-3 red-3 green-4")
    on = board(driver(ADA, *hand, progress=ALONE, fan=("plus-3-green",)), driver(BOB))

    turn = Turn(on, {ADA: move("green-4", 0, 1, token=fan(0))})

    assert turn.one(DistanceReckoned, ADA).distance == 10


@pytest.mark.rule("CH-15", "CH-79", "CT-20")
def test_elaine_plays_a_recovery_and_a_discard_token_in_one_turn() -> None:
    hand = (*ELAINE, "green-2 green-2 red-1", "green-4 green-4 red-1", "whip", "whip", "whip")
    on = board(driver(ADA, *hand, progress=ALONE, damage=1, fan=("recovery", "discard-2")), driver(BOB))

    turn = Turn(on, {ADA: move("red-5", 0, 1, token=fan(0), discard=Stack(cards=(3, 4), token=fan(1)))})

    after = turn.driver(ADA)
    assert turn.one(DamageRecovered).removed == 1
    assert (len(after.hand), after.hand[:4]) == (8, (2, 5, 6, 7))
    assert after.fan_tokens == ()


@pytest.mark.rule("CH-68", "CH-75", "CT-22")
def test_a_yellow_move_with_a_recovery_token_removes_everything() -> None:
    hand = ("yellow-4 yellow-4 red-1", "yellow-4 yellow-4 red-3")
    on = board(driver(ADA, *hand, progress=ALONE, damage=7, fan=("recovery",)), driver(BOB))

    turn = Turn(on, {ADA: move("yellow-4", 0, 1, token=fan(0))})

    assert turn.one(DamageRecovered, ADA) == DamageRecovered(seat=ADA, recoveries=2, removed=7, left=0)
    assert turn.driver(ADA).damage == 0


@pytest.mark.rule("CH-21", "CH-50", "CT-23")
def test_a_move_that_damage_makes_nothing_still_earns_its_rewards() -> None:
    hand = ("black-0 black-0 red-1", "black-0 black-0 red-3")
    on = board(driver(ADA, *hand, progress=ALONE, damage=6), driver(BOB))

    turn = Turn(on, {ADA: move("black-0", 0, 1)})

    assert turn.one(DistanceReckoned, ADA).distance == 0
    assert turn.driver(ADA).progress == ALONE
    assert turn.driver(ADA).skills == (*NO_SKILL[:3], 4)


@pytest.mark.rule("CH-38", "CH-72", "CT-26")
@pytest.mark.parametrize(
    ("turn_number", "rival", "ended_by"),
    [(2, 0, "is_leading"), (2, ALONE + 2, "has_passed"), (1, ALONE + 7, "first_turn")],
)
def test_a_whip_gives_nothing_to_the_leader_after_passing_and_on_turn_one(
    turn_number: int, rival: int, ended_by: str
) -> None:
    hand = ("red-1 red-1 black-1", "red-1 red-1 red-3", "whip")
    ahead = driver(CAI, progress=ALONE + 40) if ended_by == "has_passed" else driver(CAI, progress=0)
    on = board(driver(ADA, *hand, progress=ALONE), driver(BOB, progress=rival), ahead, turn=turn_number)

    turn = Turn(on, {ADA: move("red-1", 0, 1, 2)})

    used = turn.one(WhipUsed)
    assert (used.entered, used.ended_by) == ((), ended_by)
    assert turn.driver(ADA).progress == turn.one(ChariotMoved, ADA).progress


@pytest.mark.rule("CH-41", "CT-28")
def test_two_red_cards_are_no_attack() -> None:
    on = board(elaine(), driver(BOB))

    turn = Turn(on, {ADA: move("red-5", 0, 1)})

    assert [event for event in turn.tell(DamageTaken) if event.attacker is not None] == []


@pytest.mark.rule("CH-13", "CH-47", "CT-31")
def test_without_a_pair_and_without_the_crowd_only_a_reset_is_legal() -> None:
    on = board(driver(ADA, "green-2 green-2 red-1", "yellow-0 yellow-0 black-1"), driver(BOB))

    for symbol in BOX.symbol_places:
        for cards in ((0,), (1,), (0, 1)):
            with pytest.raises(IllegalAction):
                check(on, ADA, move(symbol, *cards))


@pytest.mark.rule("CH-07", "CH-38", "CT-32")
def test_on_turn_one_leaving_start_past_the_others_costs_nothing() -> None:
    hand = ("black-1 black-1 red-1", "black-1 black-1 red-3")
    on = board(driver(BOB, progress=-3), driver(CAI, progress=-3), driver(ADA, *hand, progress=-3), turn=1)

    turn = Turn(on, {ADA: move("black-1", 0, 1)})

    moved = turn.one(ChariotMoved, ADA)
    assert [space_at(BOX.track, space) for space in (-2, -1)] == [70, 71]
    assert moved.entered == (70, 71, 0, 1, 2)
    assert [(each.rival, each.price) for each in moved.passed] == [(CAI, 0), (BOB, 0)]
