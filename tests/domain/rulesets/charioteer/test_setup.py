"""The board before the first turn."""

import pytest

from domain.chance import DeckShuffled, DiceRolled
from domain.ids import Seat
from domain.rulesets.charioteer.board import race_order
from domain.rulesets.charioteer.cards import COLOURS
from domain.rulesets.charioteer.options import Options
from domain.rulesets.charioteer.outcomes import (
    CardsDrawn,
    CrowdCardDealt,
    DamageTaken,
    FirstPlayerChosen,
    SkillsCardDrawn,
    TurnBegan,
)
from domain.rulesets.charioteer.rejections import SeatsDoNotFit
from domain.rulesets.charioteer.setup import begin_turn
from tests.domain.rulesets.charioteer.boards import ADA, BOB, BOX, CAI, RULES, START, begun, board, driver, script_on


@pytest.mark.rule("CH-01")
@pytest.mark.parametrize("count", [2, 3, 4, 5, 6])
def test_each_seat_has_a_chariot_and_four_markers(count: int) -> None:
    seats = tuple(Seat(seat) for seat in range(count))

    on, _ = begun(*seats)

    assert [each.seat for each in on.drivers] == list(seats)
    assert all(sorted(each.skills) == [0, 1, 2, 3] for each in on.drivers)


@pytest.mark.rule("CH-01")
@pytest.mark.parametrize("count", [0, 1, 7])
def test_no_other_number_of_seats_may_play(count: int) -> None:
    seats = tuple(Seat(seat) for seat in range(count))

    with pytest.raises(SeatsDoNotFit, match=f"found {count}"):
        RULES.initial_board(seats, Options())


@pytest.mark.rule("CH-02", "CO-5")
def test_everybody_gets_the_same_five_player_tokens_and_never_more() -> None:
    on, _ = begun(ADA, BOB)

    names = [BOX.tokens[token].name for token in on.drivers[0].player_tokens]

    assert names == ["plus-5-green", "plus-5-red", "plus-5-yellow", "plus-5-black", "discard-3"]
    assert on.drivers[1].player_tokens == on.drivers[0].player_tokens


@pytest.mark.rule("CH-03", "CO-13", "CO-23")
def test_fan_tokens_start_in_the_bag_and_nobody_is_damaged() -> None:
    on, told = begun(ADA, BOB, CAI)

    assert on.bag.left == 60
    assert all(each.fan_tokens == () for each in on.drivers)
    assert all(each.damage == 0 for each in on.drivers)
    disrupts = sum(event.cubes for event in told if isinstance(event, DamageTaken))
    assert sum(each.attacked for each in on.drivers) == disrupts


@pytest.mark.rule("CH-04", "CH-93")
def test_eight_cards_go_to_each_seat_and_three_to_the_crowd_in_order_of_drawing() -> None:
    on, told = begun(ADA, BOB)

    hands = [event for event in told if isinstance(event, CardsDrawn)]
    crowd = [(event.slot, event.draw) for event in told if isinstance(event, CrowdCardDealt)]
    assert [(hand.seat, hand.draws) for hand in hands] == [(ADA, tuple(range(8))), (BOB, tuple(range(8, 16)))]
    assert crowd == [(1, 16), (2, 17), (3, 18)]
    assert [card.draw for card in on.crowd] == [16, 17, 18]
    assert on.deck.left == 147 - 19


@pytest.mark.rule("CH-04", "XG-02")
def test_the_set_up_draws_in_one_fixed_order() -> None:
    _, told = begun(ADA, BOB)

    draws = [event.label for event in told if isinstance(event, DeckShuffled | DiceRolled)]

    assert draws == ["deck:1", "skills-card:1", "skills-card:2", "fan-bag:1", "first-player:1", "emperor:1"]


@pytest.mark.rule("CH-05", "CO-10")
def test_a_skills_card_ranks_the_markers_and_leaves_the_game() -> None:
    on, told = begun(ADA, BOB, CAI)

    cards = [event for event in told if isinstance(event, SkillsCardDrawn)]
    sides = [event.sides for event in told if isinstance(event, DiceRolled) and event.label.startswith("skills")]
    assert sides == [24, 23, 22]
    assert len({event.order for event in cards}) == 3
    for event, each in zip(cards, on.drivers, strict=True):
        assert [each.skills[COLOURS.index(colour)] for colour in event.order] == [3, 2, 1, 0]


@pytest.mark.rule("CH-06", "CH-60")
def test_the_lap_counter_starts_at_one_and_the_emperor_speaks_before_the_first_turn() -> None:
    on, told = begun(ADA, BOB)

    assert (on.lap, on.turn, on.phase) == (1, 1, "choosing")
    assert [event for event in told if isinstance(event, TurnBegan)] == [TurnBegan(turn=1, emperor=on.emperor)]  # type: ignore[arg-type] # it has spoken


@pytest.mark.rule("CH-07", "CH-86")
def test_all_chariots_share_start_three_spaces_short_of_the_line() -> None:
    on, _ = begun(ADA, BOB, CAI)

    assert {each.progress for each in on.drivers} == {START} == {-3}


@pytest.mark.rule("CH-08", "CO-22", "XG-01")
def test_a_random_first_player_stands_innermost_and_the_others_follow_clockwise() -> None:
    seats = (Seat(1), Seat(3), Seat(4))

    on, told = begun(*seats)

    (first,) = [event.seat for event in told if isinstance(event, FirstPlayerChosen)]
    place = seats.index(first)
    assert on.first_player == first
    assert on.row == seats[place:] + seats[:place]
    assert [each.seat for each in race_order(on)] == list(on.row)


@pytest.mark.rule("XG-01")
def test_the_seats_taken_are_the_players_whatever_their_numbers() -> None:
    on, _ = begun(Seat(2), Seat(5))

    assert [decision.seat for decision in RULES.decisions(on)] == [2, 5]


CUBES = [("2-1-1", [2, 1, 1, 0, 0]), ("2-2-1", [2, 2, 1, 0, 0]), ("3-2-1", [3, 2, 1, 0, 0])]


@pytest.mark.rule("CH-61", "CO-7", "XG-03")
@pytest.mark.parametrize(("reading", "cubes"), CUBES)
def test_a_disrupt_gives_cubes_by_the_number_of_seats(reading: str, cubes: list[int]) -> None:
    taken = []
    for count in range(2, 7):
        drivers = [driver(Seat(seat)) for seat in range(count)]
        script = script_on(board(*drivers, options=Options(disrupt=reading)))  # type: ignore[arg-type] # all are readings
        while script.board.emperor != "disrupt" or script.board.turn == 2:
            begin_turn(BOX, script, turn=script.board.turn + 1)
        struck = [event for event in (written.event for written in script.written) if isinstance(event, DamageTaken)]
        assert [event.seat for event in struck] == ([] if not cubes[count - 2] else list(range(count)))
        taken.append(script.board.drivers[0].attacked)

    assert taken == cubes
