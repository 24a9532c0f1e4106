"""Colours of the basic game that the players choose themselves; the grid is drawn as ever."""

import pytest

from domain.ids import Seat
from domain.ruleset.playout import Playout
from domain.rulesets.chariot_race.actions import ChooseBoard
from domain.rulesets.chariot_race.choices import BoardChoices
from domain.rulesets.chariot_race.options import RaceOptions
from domain.rulesets.chariot_race.outcomes import BoardChosen, ChariotPlaced, FirstChooserDrawn
from domain.rulesets.chariot_race.rejections import BoardTaken
from tests.domain.rulesets.chariot_race.boards import RULES, names, play_by_default, play_out

OWN_COLOURS = RaceOptions(chariots="own_colours")


def choose_all(playout: Playout) -> list[int]:
    """Let each seat in turn take the last colour that is free, and list the seats as they choose."""
    choosers: list[int] = []
    while playout.board.round == 0:
        [decision] = playout.owed()
        choosers.append(decision.seat)
        choices = RULES.legal_actions(playout.board, decision)
        assert isinstance(choices, BoardChoices)
        playout.answer(decision, ChooseBoard(colour=choices.boards[-1].colour))
    return choosers


@pytest.mark.rule("CR-72", "CR-52")
@pytest.mark.parametrize(("seats", "order"), [(2, [0, 1, 1, 0]), (3, [0, 1, 2, 2, 1]), (5, [0, 1, 2, 3, 4])])
def test_each_player_takes_a_free_colour_from_the_drawn_first_chooser_on(seats: int, order: list[int]) -> None:
    playout = play_out(seats, OWN_COLOURS)
    first = next(told.seat for told in playout.written if isinstance(told, FirstChooserDrawn))

    choosers = choose_all(playout)

    # The sixth of six colours is the only one left, and is not asked for.
    assert [(seat - first) % seats for seat in choosers] == order
    colours = [told.chariot for told in playout.written if isinstance(told, BoardChosen)]
    assert colours == ["white", "purple", "yellow", "green", "red", "blue"][: len(colours)]
    assert len(colours) == len(playout.board.chariots)


@pytest.mark.rule("CR-72", "CR-63")
def test_equal_chariots_then_draw_their_places_on_the_grid() -> None:
    playout = play_out(4, OWN_COLOURS)

    choose_all(playout)

    told = names(playout.written)
    assert told.index("StartOrderDrawn") > max(at for at, name in enumerate(told) if name == "BoardChosen")
    assert [event.place for event in playout.written if isinstance(event, ChariotPlaced)] == [1, 2, 3, 4]
    assert {(chariot.damage_left, chariot.speed, chariot.fate) for chariot in playout.board.chariots} == {(12, 4, 3)}


@pytest.mark.rule("CR-72")
def test_a_colour_is_taken_once() -> None:
    playout = play_out(4, OWN_COLOURS)
    playout.answer(playout.owed()[0], ChooseBoard(colour="red"))

    with pytest.raises(BoardTaken):
        playout.answer(playout.owed()[0], ChooseBoard(colour="red"))


@pytest.mark.rule("CR-72", "XG-07")
@pytest.mark.parametrize("chosen", range(3))
def test_who_resigns_while_colours_are_chosen_gets_no_place_on_the_grid(chosen: int) -> None:
    playout = play_out(4, OWN_COLOURS)
    leaver = playout.owed()[0].seat
    for _ in range(chosen):
        decision = playout.owed()[0]
        playout.answer(decision, RULES.default_action(playout.board, decision))

    playout.resign(leaver)
    play_by_default(playout)

    placed = {event.seat for event in playout.written if isinstance(event, ChariotPlaced)}
    assert placed == {Seat(seat) for seat in range(4)} - {leaver}
    assert playout.board.round > 0
