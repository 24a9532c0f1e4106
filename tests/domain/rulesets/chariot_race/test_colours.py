"""Colours of the basic game that the players choose themselves; the grid is drawn as ever."""

import pytest

from domain.ids import Seat
from domain.ruleset.rehearsal import Rehearsal
from domain.rulesets.chariot_race.actions import ChooseBoard
from domain.rulesets.chariot_race.choices import BoardChoices
from domain.rulesets.chariot_race.options import RaceOptions
from domain.rulesets.chariot_race.outcomes import BoardChosen, ChariotPlaced, FirstChooserDrawn
from domain.rulesets.chariot_race.rejections import BoardTaken
from tests.domain.rulesets.chariot_race.boards import RULES, names, play_by_default, rehearse

OWN_COLOURS = RaceOptions(chariots="own_colours")


def choose_all(rehearsal: Rehearsal) -> list[int]:
    """Let each seat in turn take the last colour that is free, and list the seats as they choose."""
    choosers: list[int] = []
    while rehearsal.board.round == 0:
        [decision] = rehearsal.owed()
        choosers.append(decision.seat)
        choices = RULES.legal_actions(rehearsal.board, decision)
        assert isinstance(choices, BoardChoices)
        rehearsal.answer(decision, ChooseBoard(colour=choices.boards[-1].colour))
    return choosers


@pytest.mark.rule("CR-72", "CR-52")
@pytest.mark.parametrize(("seats", "order"), [(2, [0, 1, 1, 0]), (3, [0, 1, 2, 2, 1]), (5, [0, 1, 2, 3, 4])])
def test_each_player_takes_a_free_colour_from_the_drawn_first_chooser_on(seats: int, order: list[int]) -> None:
    rehearsal = rehearse(seats, OWN_COLOURS)
    first = next(told.seat for told in rehearsal.written if isinstance(told, FirstChooserDrawn))

    choosers = choose_all(rehearsal)

    # The sixth of six colours is the only one left, and is not asked for.
    assert [(seat - first) % seats for seat in choosers] == order
    colours = [told.chariot for told in rehearsal.written if isinstance(told, BoardChosen)]
    assert colours == ["white", "purple", "yellow", "green", "red", "blue"][: len(colours)]
    assert len(colours) == len(rehearsal.board.chariots)


@pytest.mark.rule("CR-72", "CR-63")
def test_equal_chariots_then_draw_their_places_on_the_grid() -> None:
    rehearsal = rehearse(4, OWN_COLOURS)

    choose_all(rehearsal)

    told = names(rehearsal.written)
    assert told.index("StartOrderDrawn") > max(at for at, name in enumerate(told) if name == "BoardChosen")
    assert [event.place for event in rehearsal.written if isinstance(event, ChariotPlaced)] == [1, 2, 3, 4]
    assert {(chariot.damage_left, chariot.speed, chariot.fate) for chariot in rehearsal.board.chariots} == {(12, 4, 3)}


@pytest.mark.rule("CR-72")
def test_a_colour_is_taken_once() -> None:
    rehearsal = rehearse(4, OWN_COLOURS)
    rehearsal.answer(rehearsal.owed()[0], ChooseBoard(colour="red"))

    with pytest.raises(BoardTaken):
        rehearsal.answer(rehearsal.owed()[0], ChooseBoard(colour="red"))


@pytest.mark.rule("CR-72", "XG-07")
@pytest.mark.parametrize("chosen", range(3))
def test_who_resigns_while_colours_are_chosen_gets_no_place_on_the_grid(chosen: int) -> None:
    rehearsal = rehearse(4, OWN_COLOURS)
    leaver = rehearsal.owed()[0].seat
    for _ in range(chosen):
        decision = rehearsal.owed()[0]
        rehearsal.answer(decision, RULES.default_action(rehearsal.board, decision))

    rehearsal.resign(leaver)
    play_by_default(rehearsal)

    placed = {event.seat for event in rehearsal.written if isinstance(event, ChariotPlaced)}
    assert placed == {Seat(seat) for seat in range(4)} - {leaver}
    assert rehearsal.board.round > 0
