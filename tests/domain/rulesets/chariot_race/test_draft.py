"""The draft of alternate chariots and of their places on the grid."""

from typing import Any

import pytest

from domain.ids import Seat
from domain.ruleset.chapter import WrongAction
from domain.ruleset.rehearsal import Rehearsal
from domain.rulesets.chariot_race.actions import ChooseBoard, ChoosePlace
from domain.rulesets.chariot_race.choices import BoardChoices, PlaceChoices
from domain.rulesets.chariot_race.components import Colour
from domain.rulesets.chariot_race.outcomes import BoardChosen, ChariotPlaced, FirstChooserDrawn, SeatWithdrawn
from domain.rulesets.chariot_race.rejections import BoardTaken, PlaceTaken
from tests.domain.rulesets.chariot_race.boards import ALTERNATE, RULES, rehearse, told_by


def drafted(seats: int, *, secret: int = 0) -> Rehearsal:
    rehearsal = rehearse(seats, ALTERNATE, secret=secret)
    while rehearsal.board.round == 0:
        [decision] = rehearsal.owed()
        rehearsal.answer(decision, RULES.default_action(rehearsal.board, decision))
    return rehearsal


def seats_of(rehearsal: Rehearsal, kind: Any) -> list[int]:
    return [told.seat for told in rehearsal.written if isinstance(told, kind)]


def counted_from_first(rehearsal: Rehearsal, seats: int, kind: Any) -> list[int]:
    [first] = seats_of(rehearsal, FirstChooserDrawn)
    return [(seat - first) % seats for seat in seats_of(rehearsal, kind)]


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
    rehearsal = drafted(seats, secret=secret)

    assert counted_from_first(rehearsal, seats, BoardChosen) == boards
    assert counted_from_first(rehearsal, seats, ChariotPlaced) == places
    assert [chariot.seat for chariot in rehearsal.board.chariots] == sorted(
        chariot.seat for chariot in rehearsal.board.chariots
    )


@pytest.mark.rule("CR-53")
def test_the_chariot_that_was_chosen_first_is_placed_first() -> None:
    rehearsal = drafted(2)

    chosen = [told for told in rehearsal.written if isinstance(told, BoardChosen)]
    placed = [told for told in rehearsal.written if isinstance(told, ChariotPlaced)]

    # a, b, b, a choose; b, a place their first choices, then a, b the second.
    assert [told.chariot for told in placed] == [chosen[place].chariot for place in (1, 0, 3, 2)]


@pytest.mark.rule("CR-52")
def test_the_first_chooser_is_drawn_in_public() -> None:
    [rolled, *_] = told_by(rehearse(5, ALTERNATE))

    assert (rolled.label, rolled.sides, len(rolled.faces)) == ("first_chooser:1", 5, 1)


@pytest.mark.rule("CR-54")
def test_a_chosen_board_sets_the_start_values() -> None:
    rehearsal = rehearse(6, ALTERNATE)
    [decision] = rehearsal.owed()

    rehearsal.answer(decision, ChooseBoard(colour="purple"))

    [told] = [told for told in rehearsal.written if isinstance(told, BoardChosen)]
    assert (told.chariot, told.damage_left, told.speed, told.fate) == ("purple", 9, 7, 6)


@pytest.mark.rule("CR-52", "CR-53")
def test_what_is_taken_is_not_offered_and_refused() -> None:
    rehearsal = rehearse(4, ALTERNATE)
    rehearsal.answer(rehearsal.owed()[0], ChooseBoard(colour="red"))
    choices = RULES.legal_actions(rehearsal.board, rehearsal.owed()[0])

    with pytest.raises(BoardTaken, match="found red"):
        rehearsal.answer(rehearsal.owed()[0], ChooseBoard(colour="red"))
    with pytest.raises(WrongAction):
        rehearsal.answer(rehearsal.owed()[0], ChoosePlace(place=1))

    assert isinstance(choices, BoardChoices)
    assert [table.colour for table in choices.boards] == ["blue", "green", "yellow", "purple", "white"]


@pytest.mark.rule("CR-53")
def test_a_place_is_taken_once() -> None:
    rehearsal = rehearse(4, ALTERNATE)
    colours: tuple[Colour, ...] = ("red", "blue", "white", "green")
    for colour in colours:
        rehearsal.answer(rehearsal.owed()[0], ChooseBoard(colour=colour))
    rehearsal.answer(rehearsal.owed()[0], ChoosePlace(place=3))
    choices = RULES.legal_actions(rehearsal.board, rehearsal.owed()[0])

    with pytest.raises(PlaceTaken, match="found 3"):
        rehearsal.answer(rehearsal.owed()[0], ChoosePlace(place=3))
    with pytest.raises(WrongAction):
        rehearsal.answer(rehearsal.owed()[0], ChooseBoard(colour="yellow"))

    assert isinstance(choices, PlaceChoices)
    assert choices.places == (1, 2, 4, 5, 6)


@pytest.mark.rule("CR-65", "XG-05")
def test_who_is_absent_gets_the_lowest_number_that_is_free() -> None:
    rehearsal = drafted(6)

    assert [told.chariot for told in rehearsal.written if isinstance(told, BoardChosen)] == [
        "blue",
        "red",
        "green",
        "yellow",
        "purple",
        "white",
    ]
    assert [told.place for told in rehearsal.written if isinstance(told, ChariotPlaced)] == [1, 2, 3, 4, 5, 6]


@pytest.mark.rule("XG-04")
def test_the_last_board_and_the_last_place_are_not_asked_for() -> None:
    rehearsal = rehearse(3, ALTERNATE)
    asked = 0
    while rehearsal.board.round == 0:
        rehearsal.answer(rehearsal.owed()[0], RULES.default_action(rehearsal.board, rehearsal.owed()[0]))
        asked += 1

    assert asked == 5 + 5


@pytest.mark.rule("XG-07")
def test_who_resigns_in_the_draft_is_passed_over() -> None:
    rehearsal = rehearse(4, ALTERNATE)
    [decision] = rehearsal.owed()

    rehearsal.resign(decision.seat)
    while rehearsal.board.round == 0:
        rehearsal.answer(rehearsal.owed()[0], RULES.default_action(rehearsal.board, rehearsal.owed()[0]))

    assert decision.seat not in {chariot.seat for chariot in rehearsal.board.chariots}
    assert len(rehearsal.board.order) == 3


@pytest.mark.rule("XG-07")
def test_a_board_that_was_chosen_leaves_with_its_seat() -> None:
    rehearsal = rehearse(4, ALTERNATE)
    [decision] = rehearsal.owed()
    rehearsal.answer(decision, ChooseBoard(colour="red"))

    rehearsal.resign(decision.seat)

    assert rehearsal.written[-1] == SeatWithdrawn(seat=decision.seat, chariots=("red",))
    assert [chariot.status for chariot in rehearsal.board.chariots] == ["withdrawn"]


@pytest.mark.rule("XG-07")
def test_the_place_of_who_resigns_on_the_grid_is_free_again() -> None:
    rehearsal = rehearse(4, ALTERNATE)
    while not any(isinstance(told, ChariotPlaced) for told in rehearsal.written):
        rehearsal.answer(rehearsal.owed()[0], RULES.default_action(rehearsal.board, rehearsal.owed()[0]))
    [placed] = [told for told in rehearsal.written if isinstance(told, ChariotPlaced)]

    rehearsal.resign(Seat(placed.seat))

    choices = RULES.legal_actions(rehearsal.board, rehearsal.owed()[0])
    assert isinstance(choices, PlaceChoices)
    assert choices.places == (1, 2, 3, 4, 5, 6)
