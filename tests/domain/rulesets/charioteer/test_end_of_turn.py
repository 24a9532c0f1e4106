"""Clearing, refilling, reshuffling, laps and the end of the race."""

from typing import Any

import pytest

from domain.chance import DeckShuffled
from domain.rulesets.charioteer.actions import Stack
from domain.rulesets.charioteer.board import UNKNOWN, Board, Pile, Supply
from domain.rulesets.charioteer.options import Options
from domain.rulesets.charioteer.outcomes import (
    CardsDrawn,
    CrowdCardDealt,
    CrowdCardsSlid,
    LapCompleted,
    LapCounterTurned,
    RaceEnded,
    TableCleared,
    TurnBegan,
)
from tests.domain.rulesets.charioteer.boards import (
    ADA,
    BOB,
    BOX,
    CAI,
    LAP,
    RULES,
    Turn,
    board,
    driver,
    fan,
    move,
    reset,
)

FINISH = 3 * LAP
GREEN = ("green-6 green-6 red-1", "green-6 green-6 red-3", "green-2 green-2 red-1", "whip")
# Two green-6 cards make ten points.


def racing_board(ada: int, bob: int, **changes: Any) -> Board:
    other = ("green-6 green-6 black-0", "green-6 green-6 black-1")
    return board(driver(ADA, *GREEN, progress=ada), driver(BOB, *other, progress=bob), **changes)


@pytest.mark.rule("CH-10", "CH-80", "CH-91")
def test_a_turn_ends_in_one_fixed_order() -> None:
    turn = Turn(racing_board(30, 31), {ADA: move("green-6", 0, 1)})

    kinds = [type(event) for event in turn.told]
    last = kinds[kinds.index(TableCleared) :]
    assert last[:5] == [TableCleared, CardsDrawn, CardsDrawn, CrowdCardsSlid, CrowdCardDealt]
    assert TurnBegan in last
    assert [event.seat for event in turn.tell(CardsDrawn)] == [ADA, BOB]


@pytest.mark.rule("CH-80", "CH-17")
def test_everything_played_leaves_at_the_end_of_the_turn_moves_before_stacks_seat_by_seat() -> None:
    stack = Stack(cards=(2, 3), token=fan(0))
    ada = driver(ADA, *GREEN, progress=30, fan=("discard-2", "plus-3-green"))
    bob = driver(BOB, "black-0 black-0 red-1", progress=31)
    on = board(ada, bob, crowd="yellow-4 yellow-4 red-1")

    turn = Turn(on, {ADA: move("green-6", 0, 1, token=fan(1), discard=stack), BOB: reset(10)})

    names = [None if face == UNKNOWN else BOX.faces[face].text for face in turn.board.discards.shown]
    assert names == [*GREEN[:2], None, None, "black-0 black-0 red-1", "yellow-4 yellow-4 red-1"]
    assert [BOX.faces[face].text for face in turn.board.discards.faces[2:4]] == list(GREEN[2:])
    assert [BOX.tokens[token].name for token in turn.board.fan_discards.shown] == ["plus-3-green", "discard-2"]
    assert turn.driver(ADA).fan_tokens == ()


@pytest.mark.rule("CH-80")
def test_hands_are_refilled_to_eight_seat_by_seat() -> None:
    turn = Turn(racing_board(30, 31), {ADA: move("green-6", 0, 1), BOB: reset(10)})

    assert [len(each.hand) for each in turn.board.drivers] == [8, 8]
    assert [event.draws for event in turn.tell(CardsDrawn)] == [tuple(range(1_000, 1_006)), tuple(range(1_006, 1_013))]


@pytest.mark.rule("CH-81", "CH-80")
def test_the_deck_is_reshuffled_when_a_card_must_be_drawn_without_this_turns_crowd_card() -> None:
    pile = Pile().with_shown(BOX.deck[:20]).with_unseen(BOX.deck[20:30])
    short = Supply(BOX.deck[30:33], 0, 500)
    on = racing_board(30, 31, deck=short, discards=pile)

    turn = Turn(on, {ADA: move("green-6", 0, 1), BOB: reset(10)})

    shuffles = [event for event in turn.tell(DeckShuffled) if event.deck == "deck"]
    assert [event.size for event in shuffles] == [33]
    draws = [(event.seat, event.draws) for event in turn.tell(CardsDrawn)]
    assert draws == [(ADA, (500, 501, 502)), (ADA, (503, 504, 505)), (BOB, tuple(range(506, 513)))]
    assert turn.board.discards.shown == (BOX.face_places["whip"],)


@pytest.mark.rule("CH-81")
def test_the_deck_is_not_reshuffled_when_its_last_card_leaves() -> None:
    exact = Supply(BOX.deck[:14], 0, 500)

    turn = Turn(racing_board(30, 31, deck=exact), {ADA: move("green-6", 0, 1), BOB: reset(10)})

    assert turn.tell(DeckShuffled) == []
    assert turn.board.deck.left == 0


@pytest.mark.rule("CH-85", "CH-86")
def test_crossing_the_line_first_completes_no_lap() -> None:
    turn = Turn(racing_board(-3, -3), {ADA: move("green-6", 0, 1)})

    assert turn.driver(ADA).progress == 7
    assert turn.tell(LapCompleted) == []


@pytest.mark.rule("CH-85")
def test_a_lap_ends_at_the_line_and_the_counter_turns_after_everybody_moved() -> None:
    turn = Turn(racing_board(LAP - 4, LAP - 6), {ADA: move("green-6", 0, 1), BOB: move("green-6", 10, 11)})

    kinds = [type(event) for event in turn.told]
    assert [(event.seat, event.lap) for event in turn.tell(LapCompleted)] == [(ADA, 1), (BOB, 1)]
    assert turn.one(LapCounterTurned).lap == turn.board.lap == 2
    assert kinds.index(LapCounterTurned) > max(place for place, kind in enumerate(kinds) if kind is LapCompleted)


@pytest.mark.rule("CH-85")
def test_the_counter_shows_the_leaders_lap_only_once() -> None:
    turn = Turn(racing_board(LAP + 20, LAP - 6, lap=2), {BOB: move("green-6", 10, 11)})

    assert [(event.seat, event.lap) for event in turn.tell(LapCompleted)] == [(BOB, 1)]
    assert turn.tell(LapCounterTurned) == []


@pytest.mark.rule("CH-87", "CH-80")
def test_the_first_over_the_line_ends_the_race_after_everybody_moved_and_nobody_stops_there() -> None:
    turn = Turn(racing_board(FINISH - 4, FINISH - 40), {ADA: move("green-6", 0, 1), BOB: move("green-6", 10, 11)})

    assert turn.driver(BOB).progress == FINISH - 30
    # Two spaces beyond the line are straight, the others lead over regular spaces of the corner.
    assert turn.driver(ADA).progress == FINISH + 10
    assert turn.one(RaceEnded) == RaceEnded(reason="line_crossed", order=(ADA, BOB))
    assert turn.board.phase == "over"
    assert turn.tell(TableCleared) == turn.tell(CardsDrawn) == turn.tell(TurnBegan) == []
    assert RULES.decisions(turn.board) == ()


@pytest.mark.rule("CH-87")
def test_a_chariot_standing_on_the_last_space_before_the_line_has_not_finished() -> None:
    turn = Turn(racing_board(FINISH - 11, 0), {ADA: move("green-6", 0, 1)})

    assert turn.driver(ADA).progress == FINISH - 1
    assert turn.board.phase == "choosing"


@pytest.mark.rule("CH-89", "CH-90", "XG-09")
@pytest.mark.parametrize(
    ("ada", "bob", "order"), [(4, 2, (ADA, BOB, CAI)), (2, 4, (BOB, ADA, CAI)), (4, 4, (ADA, BOB, CAI))]
)
def test_who_is_furthest_beyond_wins_and_on_one_space_the_inner_one(ada: int, bob: int, order: tuple[int, ...]) -> None:
    standing = [driver(ADA, progress=FINISH + ada), driver(BOB, progress=FINISH + bob), driver(CAI, progress=60)]

    turn = Turn(board(*standing), {})

    assert turn.one(RaceEnded).order == order
    ranking = RULES.ranking(turn.board)
    assert [(placing.place, placing.seat) for placing in ranking] == list(enumerate(order, start=1))


@pytest.mark.rule("CH-89")
def test_the_only_one_across_wins_whatever_the_order_of_moving() -> None:
    turn = Turn(racing_board(FINISH - 12, FINISH - 9), {ADA: move("green-6", 0, 1), BOB: move("green-6", 10, 11)})

    assert turn.one(RaceEnded).order == (BOB, ADA)


@pytest.mark.rule("XG-08")
def test_at_the_turn_limit_the_race_ends_and_is_ranked_by_position() -> None:
    turn = Turn(racing_board(30, 31, turn=9, options=Options(turns_max=9)), {})

    assert turn.one(RaceEnded) == RaceEnded(reason="turns_max", order=(BOB, ADA))
    assert turn.board.phase == "over"


def test_a_shorter_race_ends_after_fewer_laps() -> None:
    turn = Turn(racing_board(LAP - 4, 0, options=Options(laps=1)), {ADA: move("green-6", 0, 1)})

    assert turn.one(RaceEnded).reason == "line_crossed"
