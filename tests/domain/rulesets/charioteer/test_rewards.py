"""Skill and fan tokens: the earnings of a move."""

import pytest
from msgspec.structs import replace

from domain.chance import DeckShuffled
from domain.rulesets.charioteer.board import UNKNOWN, Pile, Supply, driver_of
from domain.rulesets.charioteer.options import Options
from domain.rulesets.charioteer.outcomes import FanTokenEarned, SkillAdvanced
from domain.rulesets.charioteer.skills import EmperorFace
from tests.domain.rulesets.charioteer.boards import (
    ADA,
    BOB,
    BOX,
    NO_SKILL,
    RULES,
    Turn,
    board,
    driver,
    fan,
    move,
    own,
    reset,
)

RED = ("red-5 red-5 green-2", "red-5 red-5 yellow-4", "red-5 red-5 black-2")
LEARNING = ("red-5 red-5 learning", "red-5 red-5 green-2")
ALONE = 30
BOX_START = 10


def red_place(turn: Turn) -> int:
    return turn.driver(ADA).skills[1]


@pytest.mark.rule("CH-50", "CH-51", "CH-60", "CO-11")
@pytest.mark.parametrize(
    ("emperor", "steps"), [("attack", 2), ("all", 2), ("sprint", 1), ("recover", 1), ("corner", 1), ("disrupt", 1)]
)
def test_the_marker_of_the_colour_advances_and_once_more_if_the_emperor_wishes(
    emperor: EmperorFace, steps: int
) -> None:
    on = board(driver(ADA, *RED, progress=ALONE), driver(BOB), emperor=emperor)

    turn = Turn(on, {ADA: move("red-5", 0, 1)})

    assert turn.driver(ADA).skills == (0, 1 + steps, 2, 3)
    assert sorted(BOX.emperor_die) == ["all", "attack", "corner", "disrupt", "recover", "sprint"]


@pytest.mark.rule("CH-52", "CH-78")
def test_each_learning_icon_is_one_more_step_beside_the_emperors() -> None:
    on = board(driver(ADA, *LEARNING, progress=ALONE, fan=("learning-red",)), driver(BOB), emperor="attack")

    turn = Turn(on, {ADA: move("red-5", 0, 1, token=fan(0))})

    told = turn.one(SkillAdvanced)
    assert (told.move, told.emperor, told.learning, told.place) == (1, 1, 2, 5)


@pytest.mark.rule("CH-23")
def test_the_bonus_is_that_of_the_place_before_the_move() -> None:
    on = board(driver(ADA, *RED, progress=ALONE, skills=(0, 3, 1, 2)), driver(BOB))

    turn = Turn(on, {ADA: move("red-5", 0, 1)})

    assert turn.driver(ADA).progress == ALONE + 9
    assert turn.one(SkillAdvanced).bonus == 1


@pytest.mark.rule("CH-46")
def test_a_reset_earns_neither_skill_nor_fan_token() -> None:
    on = board(driver(ADA, *RED, progress=ALONE), driver(BOB), emperor="all")

    turn = Turn(on, {ADA: reset(0, 1, 2)})

    assert turn.driver(ADA).skills == NO_SKILL
    assert turn.tell(FanTokenEarned) == []


@pytest.mark.rule("CH-54")
def test_a_marker_takes_the_lowest_free_bonus_and_loses_the_steps_left_over() -> None:
    on = board(driver(ADA, *LEARNING, progress=ALONE, skills=(10, 9, 11, 0)), driver(BOB), emperor="attack")

    turn = Turn(on, {ADA: move("red-5", 0, 1)})

    assert (red_place(turn), turn.one(SkillAdvanced).bonus) == (BOX_START + 2, 7)


@pytest.mark.rule("CH-54", "CH-78")
def test_a_marker_in_the_bonus_box_never_moves_again() -> None:
    on = board(driver(ADA, *LEARNING, progress=ALONE, skills=(0, 10, 1, 2)), driver(BOB), emperor="attack")

    turn = Turn(on, {ADA: move("red-5", 0, 1)})

    assert red_place(turn) == BOX_START
    assert turn.tell(SkillAdvanced) == []


@pytest.mark.rule("CH-54")
def test_start_and_middle_spaces_hold_any_number_of_markers() -> None:
    on = board(driver(ADA, *RED, progress=ALONE, skills=(4, 3, 4, 4)), driver(BOB))

    turn = Turn(on, {ADA: move("red-5", 0, 1)})

    assert turn.driver(ADA).skills == (4, 4, 4, 4)


@pytest.mark.rule("CH-55", "CH-92")
def test_where_fan_tokens_are_open_all_see_the_face_with_and_without_the_secret() -> None:
    on = replace(board(driver(ADA, *RED, progress=ALONE), driver(BOB)), options=Options(fan_tokens="open"))

    turn = Turn(on, {ADA: move("red-5", 0, 1, 2)})

    earned = turn.one(FanTokenEarned)
    face = turn.driver(ADA).fan_faces[-1]
    assert earned.token == BOX.tokens[face].name
    assert RULES.view(turn.board, BOB).drivers[0].fan_names == (earned.token,)
    blind = replace(on, bag=Supply((UNKNOWN,) * len(on.bag.order), on.bag.taken, on.bag.draws))
    assert driver_of(RULES.evolve(blind, earned, None), ADA).fan_faces == (face,)


@pytest.mark.rule("CH-55", "CO-6", "CO-24")
def test_six_symbols_earn_one_fan_token_and_five_earn_none() -> None:
    five = ("red-5 red-5 green-2", "red-5 red-5 yellow-4", "green-2 green-2 red-5")

    six = Turn(board(driver(ADA, *RED, progress=ALONE), driver(BOB)), {ADA: move("red-5", 0, 1, 2)})
    less = Turn(board(driver(ADA, *five, progress=ALONE), driver(BOB)), {ADA: move("red-5", 0, 1, 2)})

    assert [event.fan_token for event in six.tell(FanTokenEarned)] == [1_000]
    assert less.tell(FanTokenEarned) == []
    assert len(BOX.bag) == 60


@pytest.mark.rule("CH-55", "CH-81")
def test_an_empty_bag_is_refilled_from_discarded_fan_tokens_only_when_a_token_is_due() -> None:
    spent = Pile().with_shown((BOX.token_places["shield"], BOX.token_places["whip"]))
    on = board(
        driver(ADA, *RED, progress=ALONE, fan=("recovery",)), driver(BOB), bag=Supply((), 0, 60), fan_discards=spent
    )

    idle = Turn(on, {ADA: move("red-5", 0, 1)})
    earning = Turn(on, {ADA: move("red-5", 0, 1, 2, token=fan(0))})

    assert [event.deck for event in idle.tell(DeckShuffled) if event.deck == "fan-bag"] == []
    assert [(event.deck, event.size) for event in earning.tell(DeckShuffled)][:1] == [("fan-bag", 2)]
    assert earning.one(FanTokenEarned).fan_token == 60
    assert earning.board.fan_discards.shown == (BOX.token_places["recovery"],)


@pytest.mark.rule("CH-55", "CH-81")
def test_without_any_token_left_none_is_owed() -> None:
    on = board(driver(ADA, *RED, progress=ALONE), driver(BOB), bag=Supply((), 0, 60))

    turn = Turn(on, {ADA: move("red-5", 0, 1, 2)})

    assert turn.one(FanTokenEarned).fan_token is None
    assert turn.driver(ADA).fan_tokens == ()


@pytest.mark.rule("CH-02", "CH-81")
def test_player_tokens_never_go_into_the_bag() -> None:
    on = board(driver(ADA, *RED, progress=ALONE), driver(BOB))

    from_hand = Turn(on, {ADA: move("red-5", 0, 1, token=own("plus-5-red"))})

    assert from_hand.board.fan_discards == Pile()
    assert len(from_hand.driver(ADA).player_tokens) == 4
