"""The forfeit of a seat that sealed and did not open."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.ids import Seat
from domain.rulesets.charioteer.actions import Action
from domain.rulesets.charioteer.board import Board, Driver
from domain.rulesets.charioteer.outcomes import (
    ChariotMoved,
    FanTokenEarned,
    MoveForfeited,
    MoveRevealed,
    SkillAdvanced,
    TokenLost,
)
from tests.domain.rulesets.charioteer.boards import ADA, BOB, BOX, CAI, Turn, board, driver, move, reset

HAND = (
    *(f"{symbol} {symbol} red-5" for symbol in list(BOX.symbol_places)[:5]),
    "whip",
    "whip",
    "red-5 red-5 green-2",
)
RED = ("red-5 red-5 green-2", "red-5 red-5 yellow-4", "red-5 red-5 black-2")


@pytest.mark.rule("CH-95")
def test_a_forfeit_stands_still_throws_away_the_last_three_draws_and_keeps_its_damage() -> None:
    on = board(driver(ADA, *HAND, progress=30, damage=2, attacked=1), driver(BOB, *RED))

    turn = Turn(on, {BOB: move("red-5", 10, 11, 12)})

    after = turn.driver(ADA)
    assert turn.one(MoveForfeited).discarded == (5, 6, 7)
    assert (after.progress, after.damage, after.skills) == (30, 4, on.drivers[0].skills)
    assert (after.hand[:5], len(after.hand)) == ((0, 1, 2, 3, 4), 8)
    assert turn.tell(ChariotMoved, ADA) == turn.tell(SkillAdvanced, ADA) == turn.tell(FanTokenEarned, ADA) == []


@pytest.mark.rule("CH-95")
@pytest.mark.parametrize("fan_tokens", [(), ("discard-2",), ("wild-red", "whip")])
def test_it_loses_its_dearest_token_of_either_use(fan_tokens: tuple[str, ...]) -> None:
    turn = Turn(board(driver(ADA, *HAND, fan=fan_tokens), driver(BOB)), {BOB: reset(10)})

    assert turn.one(MoveForfeited).tokens == (
        TokenLost(token="plus-5-green", fan_token=None),
        TokenLost(token="discard-3", fan_token=None),
    )


@pytest.mark.rule("CH-95")
def test_among_fan_tokens_the_dearest_goes_and_of_equal_ones_the_first_drawn() -> None:
    cheap = driver(ADA, *HAND, fan=("learning-red", "wild-red", "wild-green", "discard-2"), player_tokens=())

    turn = Turn(board(cheap, driver(BOB)), {BOB: reset(10)})

    assert turn.one(MoveForfeited).tokens == (
        TokenLost(token="wild-red", fan_token=1),
        TokenLost(token="discard-2", fan_token=3),
    )
    assert turn.driver(ADA).fan_tokens == (0, 2)
    assert [BOX.tokens[token].name for token in turn.board.fan_discards.shown] == ["wild-red", "discard-2"]


@pytest.mark.rule("CH-95")
def test_without_tokens_none_is_lost() -> None:
    turn = Turn(board(driver(ADA, *HAND, player_tokens=()), driver(BOB)), {BOB: reset(10)})

    assert turn.one(MoveForfeited).tokens == ()


@pytest.mark.rule("CH-91", "XG-03")
def test_forfeits_are_told_before_the_moves_are_turned_up() -> None:
    on = board(driver(ADA, *RED), driver(BOB), driver(CAI))

    turn = Turn(on, {ADA: move("red-5", 0, 1)})

    kinds = [(type(event), event.seat) for event in turn.told if isinstance(event, MoveForfeited | MoveRevealed)]
    assert kinds == [(MoveForfeited, BOB), (MoveForfeited, CAI), (MoveRevealed, ADA)]


def worth(driver_after: Driver) -> dict[str, int]:
    return {
        "progress": driver_after.progress,
        "damage": -driver_after.damage,
        "fan tokens": len(driver_after.fan_tokens),
        "player tokens": len(driver_after.player_tokens),
        "hand": len(driver_after.hand),
        **{f"skill {index}": place for index, place in enumerate(driver_after.skills)},
    }


@pytest.mark.rule("CH-95", "XG-06")
@settings(deadline=None, max_examples=60)
@given(
    cubes=st.tuples(st.integers(0, 9), st.integers(0, 3)),
    fan_tokens=st.lists(st.sampled_from([token.name for token in BOX.tokens]), max_size=4),
    kept=st.integers(0, 5),
    places=st.lists(st.integers(0, 100), min_size=3, max_size=3),
)
def test_the_reset_with_the_same_three_cards_is_at_least_as_good_in_everything(
    cubes: tuple[int, int], fan_tokens: list[str], kept: int, places: list[int]
) -> None:
    on = random_board(cubes, tuple(fan_tokens), (kept, *places))
    others: dict[Seat, Action | None] = {BOB: move("red-5", 10, 11, 12), CAI: reset(20)}

    forfeited = Turn(on, others)
    reset_instead = Turn(on, {**others, ADA: reset(5, 6, 7)})

    worse, better = worth(forfeited.driver(ADA)), worth(reset_instead.driver(ADA))
    assert all(worse[part] <= better[part] for part in worse)
    assert forfeited.driver(ADA).hand_faces == reset_instead.driver(ADA).hand_faces
    assert [each.progress for each in forfeited.board.drivers] == [
        each.progress for each in reset_instead.board.drivers
    ]


def random_board(cubes: tuple[int, int], fan_tokens: tuple[str, ...], numbers: tuple[int, ...]) -> Board:
    kept, ada, bob, cai = numbers
    return board(
        driver(
            Seat(0), *HAND, progress=ada, damage=cubes[0], attacked=cubes[1], fan=fan_tokens,
            player_tokens=BOX.player_tokens[:kept],
        ),
        driver(BOB, *RED, progress=bob),
        driver(CAI, progress=cai),
    )  # fmt: skip
