"""The draft of alternate chariots and of their places on the grid."""

from typing import Any

import pytest

from domain.ids import Seat
from domain.ruleset.chapter import WrongAction
from domain.ruleset.playout import Playout
from domain.rulesets.chariot_race.actions import ChooseBoard, ChoosePlace
from domain.rulesets.chariot_race.choices import BoardChoices, PlaceChoices
from domain.rulesets.chariot_race.components import Colour
from domain.rulesets.chariot_race.outcomes import BoardChosen, ChariotPlaced, FirstChooserDrawn, SeatWithdrawn
from domain.rulesets.chariot_race.rejections import BoardTaken, PlaceTaken
from tests.domain.rulesets.chariot_race.boards import ALTERNATE, RULES, play_out, told_by


def drafted(seats: int, *, secret: int = 0) -> Playout:
    playout = play_out(seats, ALTERNATE, secret=secret)
    while playout.board.round == 0:
        [decision] = playout.owed()
        playout.answer(decision, RULES.default_action(playout.board, decision))
    return playout


def seats_of(playout: Playout, kind: Any) -> list[int]:
    return [told.seat for told in playout.written if isinstance(told, kind)]


def counted_from_first(playout: Playout, seats: int, kind: Any) -> list[int]:
    [first] = seats_of(playout, FirstChooserDrawn)
    return [(seat - first) % seats for seat in seats_of(playout, kind)]


@pytest.mark.rule("CR-52", "CR-53", "XG-01")
@pytest.mark.parametrize(
    ("seats", "boards", "places"),
    [
        (2, [0, 1, 1, 0], [1, 0, 0, 1]),
        (3, [0, 1, 2, 2, 1, 0], [2, 1, 0, 0, 1, 2]),
        (4, [0, 1, 2, 3], [3, 2, 1, 0]),
        (6, [0, 1, 2, 3, 4, 5], [5, 4, 3, 2, 1, 0]),
    ],
)
@pytest.mark.parametrize("secret", range(4))
def test_boards_are_chosen_clockwise_and_back_places_from_the_last_chooser_on(
    seats: int, boards: list[int], places: list[int], secret: int
) -> None:
    playout = drafted(seats, secret=secret)

    assert counted_from_first(playout, seats, BoardChosen) == boards
    assert counted_from_first(playout, seats, ChariotPlaced) == places
    assert [chariot.seat for chariot in playout.board.chariots] == sorted(
        chariot.seat for chariot in playout.board.chariots
    )


@pytest.mark.rule("CR-53")
def test_the_chariot_that_was_chosen_first_is_placed_first() -> None:
    playout = drafted(2)

    chosen = [told for told in playout.written if isinstance(told, BoardChosen)]
    placed = [told for told in playout.written if isinstance(told, ChariotPlaced)]

    # a, b, b, a choose; b, a place their first choices, then a, b the second.
    assert [told.chariot for told in placed] == [chosen[place].chariot for place in (1, 0, 3, 2)]


@pytest.mark.rule("CR-52")
def test_the_first_chooser_is_drawn_in_public() -> None:
    [rolled, *_] = told_by(play_out(5, ALTERNATE))

    assert (rolled.label, rolled.sides, len(rolled.faces)) == ("first_chooser:1", 5, 1)


@pytest.mark.rule("CR-54")
def test_a_chosen_board_sets_the_start_values() -> None:
    playout = play_out(6, ALTERNATE)
    [decision] = playout.owed()

    playout.answer(decision, ChooseBoard(colour="purple"))

    [told] = [told for told in playout.written if isinstance(told, BoardChosen)]
    assert (told.chariot, told.damage_left, told.speed, told.fate) == ("purple", 9, 7, 6)


@pytest.mark.rule("CR-52", "CR-53")
def test_what_is_taken_is_not_offered_and_refused() -> None:
    playout = play_out(4, ALTERNATE)
    playout.answer(playout.owed()[0], ChooseBoard(colour="red"))
    choices = RULES.legal_actions(playout.board, playout.owed()[0])

    with pytest.raises(BoardTaken, match="found red"):
        playout.answer(playout.owed()[0], ChooseBoard(colour="red"))
    with pytest.raises(WrongAction):
        playout.answer(playout.owed()[0], ChoosePlace(place=1))

    assert isinstance(choices, BoardChoices)
    assert [table.colour for table in choices.boards] == ["blue", "green", "yellow", "purple", "white"]


@pytest.mark.rule("CR-53")
def test_a_place_is_taken_once() -> None:
    playout = play_out(4, ALTERNATE)
    colours: tuple[Colour, ...] = ("red", "blue", "white", "green")
    for colour in colours:
        playout.answer(playout.owed()[0], ChooseBoard(colour=colour))
    playout.answer(playout.owed()[0], ChoosePlace(place=3))
    choices = RULES.legal_actions(playout.board, playout.owed()[0])

    with pytest.raises(PlaceTaken, match="found 3"):
        playout.answer(playout.owed()[0], ChoosePlace(place=3))
    with pytest.raises(WrongAction):
        playout.answer(playout.owed()[0], ChooseBoard(colour="yellow"))

    assert isinstance(choices, PlaceChoices)
    assert choices.places == (1, 2, 4, 5, 6)


@pytest.mark.rule("CR-65", "XG-05")
def test_who_is_absent_gets_the_lowest_number_that_is_free() -> None:
    playout = drafted(6)

    assert [told.chariot for told in playout.written if isinstance(told, BoardChosen)] == [
        "blue",
        "red",
        "green",
        "yellow",
        "purple",
        "white",
    ]
    assert [told.place for told in playout.written if isinstance(told, ChariotPlaced)] == [1, 2, 3, 4, 5, 6]


@pytest.mark.rule("XG-04")
def test_the_last_board_and_the_last_place_are_not_asked_for() -> None:
    playout = play_out(3, ALTERNATE)
    asked = 0
    while playout.board.round == 0:
        playout.answer(playout.owed()[0], RULES.default_action(playout.board, playout.owed()[0]))
        asked += 1

    assert asked == 5 + 5


@pytest.mark.rule("XG-07")
def test_who_resigns_in_the_draft_is_passed_over() -> None:
    playout = play_out(4, ALTERNATE)
    [decision] = playout.owed()

    playout.resign(decision.seat)
    while playout.board.round == 0:
        playout.answer(playout.owed()[0], RULES.default_action(playout.board, playout.owed()[0]))

    assert decision.seat not in {chariot.seat for chariot in playout.board.chariots}
    assert len(playout.board.order) == 3


@pytest.mark.rule("XG-07")
def test_a_board_that_was_chosen_leaves_with_its_seat() -> None:
    playout = play_out(4, ALTERNATE)
    [decision] = playout.owed()
    playout.answer(decision, ChooseBoard(colour="red"))

    playout.resign(decision.seat)

    assert playout.written[-1] == SeatWithdrawn(seat=decision.seat, chariots=("red",))
    assert [chariot.status for chariot in playout.board.chariots] == ["withdrawn"]


@pytest.mark.rule("XG-07")
def test_the_place_of_who_resigns_on_the_grid_is_free_again() -> None:
    playout = play_out(4, ALTERNATE)
    while not any(isinstance(told, ChariotPlaced) for told in playout.written):
        playout.answer(playout.owed()[0], RULES.default_action(playout.board, playout.owed()[0]))
    [placed] = [told for told in playout.written if isinstance(told, ChariotPlaced)]

    playout.resign(Seat(placed.seat))

    choices = RULES.legal_actions(playout.board, playout.owed()[0])
    assert isinstance(choices, PlaceChoices)
    assert choices.places == (1, 2, 3, 4, 5, 6)
