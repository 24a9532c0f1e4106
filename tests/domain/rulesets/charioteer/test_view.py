"""The views of the public and of each seat."""

import pytest
from msgspec.structs import replace

from domain.canonical import check_value, encode, parse
from domain.rulesets.charioteer.actions import Stack
from domain.rulesets.charioteer.board import UNKNOWN, Board
from domain.rulesets.charioteer.view import OwnView
from tests.domain.rulesets.charioteer.boards import (
    ADA,
    BOB,
    BOX,
    CAI,
    LAP,
    RULES,
    Turn,
    begun,
    board,
    driver,
    fan,
    move,
    script_on,
)

RED = ("red-5 red-5 green-2", "red-5 red-5 yellow-4", "red-5 red-5 black-2", "whip", "green-2 green-2 red-1")


def own_view(on: Board) -> OwnView:
    own = RULES.view(on, ADA).own
    assert own is not None
    return own


@pytest.mark.rule("CH-92")
def test_the_public_sees_displays_crowd_and_counts_but_no_hand() -> None:
    on = board(driver(ADA, *RED, progress=30, fan=("shield",), damage=2), driver(BOB), crowd="red-5 red-5 yellow-0")

    seen = RULES.view(on, None)
    ada = seen.drivers[0]

    assert (ada.hand, ada.fan_tokens, ada.player_tokens[-1], ada.damage) == ((0, 1, 2, 3, 4), (0,), "discard-3", 2)
    assert [card.card for card in seen.crowd] == ["red-5 red-5 yellow-0", "whip", "whip"]
    assert (seen.deck_left, seen.bag_left, seen.own) == (147, 60, None)
    assert b"red-5 red-5 green-2" not in encode(seen)


@pytest.mark.rule("CH-92")
def test_a_seat_sees_its_own_hand_and_tokens() -> None:
    on = board(driver(ADA, *RED, fan=("shield",)), driver(BOB))

    own = own_view(on)

    assert [card.card for card in own.hand] == list(RED)
    assert own.hand[0].symbols == ("red-5", "red-5", "green-2")
    assert [token.name for token in own.tokens][:2] == ["shield", "plus-5-green"]


@pytest.mark.rule("CH-92", "CH-55", "CH-02")
def test_a_rival_sees_neither_fan_token_nor_hand() -> None:
    on = board(driver(ADA, *RED, fan=("shield",)), driver(BOB))

    seen = encode(RULES.view(on, BOB))

    assert b'"shield"' not in seen
    assert b"red-5 red-5 green-2" not in seen


@pytest.mark.rule("CH-92", "CH-15")
def test_what_lies_under_a_discard_token_is_seen_by_its_seat_alone() -> None:
    on = board(driver(ADA, *RED, fan=("discard-2",)), driver(BOB))
    script = script_on(on)
    RULES.close(script)
    owed = RULES.decisions(script.board)
    stack = Stack(cards=(3, 4), token=fan(0))
    RULES.play(script, owed[0], move("red-5", 0, 1, 2, discard=stack))

    mine, others = own_view(script.board), RULES.view(script.board, None)

    assert [card.card for card in mine.stack] == ["whip", "green-2 green-2 red-1"]
    played = others.drivers[0].played
    assert played is not None
    assert (played.kind, played.stack, played.symbol) == ("move", 2, "red-5")
    assert b"green-2 green-2 red-1" not in encode(others)


@pytest.mark.rule("CH-92")
def test_the_discard_pile_shows_what_was_open_and_hides_what_was_not() -> None:
    on = board(driver(ADA, *RED, fan=("discard-2",)), driver(BOB))

    turn = Turn(on, {ADA: move("red-5", 0, 1, 2, discard=Stack(cards=(3,), token=fan(0)))})

    shown = RULES.view(turn.board, None).discards
    assert shown[:4] == (*RED[:3], None)


@pytest.mark.rule("XG-10", "CH-18")
def test_nothing_of_what_was_sealed_is_on_the_board_before_all_are_in() -> None:
    on, _ = begun(ADA, BOB)
    script = script_on(on)

    RULES.close(script)

    assert [decision.kind for decision in RULES.decisions(script.board)] == ["opening", "opening"]
    assert all(each.played is None for each in RULES.view(script.board, ADA).drivers)


@pytest.mark.rule("CH-32", "CH-90")
def test_a_view_tells_places_on_the_track_and_who_stands_inside() -> None:
    on = board(driver(BOB, progress=30), driver(ADA, progress=30), driver(CAI, progress=LAP + 30))

    seen = RULES.view(on, None)

    assert seen.order == (CAI, BOB, ADA)
    assert [(each.place, each.space, each.beside, each.laps_completed) for each in seen.drivers] == [
        (3, 30, (BOB,), 0),
        (2, 30, (), 0),
        (1, 30, (BOB, ADA), 1),
    ]


@pytest.mark.rule("CO-12", "CH-35")
def test_a_view_carries_the_whole_track_so_that_a_page_can_draw_it() -> None:
    seen = RULES.view(board(driver(ADA), driver(BOB)), None)

    assert len(seen.track.spaces) == LAP
    assert seen.track.start == LAP - 3
    check_value(parse(encode(seen)))


def test_a_seat_without_the_secret_sees_its_cards_as_unknown() -> None:
    mine = replace(driver(ADA, *RED, fan=("shield",)), hand_faces=(UNKNOWN,) * 5, fan_faces=(UNKNOWN,))

    own = own_view(board(mine, driver(BOB)))

    assert [card.card for card in own.hand] == [None] * 5
    assert own.tokens[0].name is None


def test_a_view_of_the_board_before_the_set_up_is_there_too() -> None:
    seen = RULES.view(RULES.initial_board((ADA, BOB), RULES.options_type()), ADA)

    assert (seen.phase, seen.turn, seen.emperor, seen.crowd) == ("setting_up", 0, None, ())
    assert set(seen.discards) == {None}
    assert len(seen.discards) == len(BOX.deck)


def test_a_seat_that_resigned_is_off_the_track() -> None:
    script = script_on(board(driver(ADA), driver(BOB), driver(CAI)))
    RULES.resign(script, BOB)

    gone = RULES.view(script.board, BOB).drivers[1]

    assert (gone.is_racing, gone.place, gone.space, gone.skills) == (False, None, None, ())
