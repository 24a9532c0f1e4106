"""Leaving a race."""

import pytest
from msgspec.structs import replace

from domain.ruleset.decision import Placing
from domain.rulesets.charioteer.board import UNKNOWN, Board, race_order
from domain.rulesets.charioteer.moving import Stride, walk
from domain.rulesets.charioteer.options import Options
from domain.rulesets.charioteer.outcomes import ChariotWithdrawn, DamageTaken, RaceEnded
from tests.domain.rulesets.charioteer.boards import ADA, BOB, BOX, CAI, RULES, Turn, board, driver, fan, move, script_on

RED = ("red-5 red-5 green-2", "red-5 red-5 yellow-4", "red-5 red-5 black-2")


def without(on: Board, *seats: int) -> Board:
    script = script_on(on)
    for seat in seats:
        RULES.resign(script, SEATS[seat])
    return script.board


SEATS = (ADA, BOB, CAI)


def three() -> Board:
    return board(driver(CAI, progress=31), driver(BOB, progress=31), driver(ADA, *RED, progress=30, fan=("shield",)))


@pytest.mark.rule("CH-96", "XG-07")
def test_a_chariot_that_resigns_is_gone_at_once_and_nobody_pays_for_it() -> None:
    on = without(three(), 1)

    walked = walk(BOX, on, on.drivers[0], Stride(points=3, is_black=False))

    assert [passing.rival for passing in walked.passed] == [CAI]
    assert [each.seat for each in race_order(on)] == [CAI, ADA]
    assert [decision.seat for decision in RULES.decisions(on)] == [ADA, CAI]


@pytest.mark.rule("CH-96")
def test_its_hand_and_fan_tokens_go_unseen_to_the_discards_at_the_end_of_the_turn() -> None:
    on = without(three(), 0)
    assert on.discards.faces == ()

    turn = Turn(on, {})

    left = turn.driver(ADA)
    assert turn.board.discards.shown[:3] == (UNKNOWN,) * 3
    assert [BOX.faces[face].text for face in turn.board.discards.faces[:3]] == list(RED)
    assert turn.board.fan_discards.shown == (UNKNOWN,)
    assert (left.hand, left.fan_tokens, left.player_tokens) == ((), (), ())


@pytest.mark.rule("CH-96", "XG-01")
def test_it_takes_no_cubes_and_draws_no_cards_any_more() -> None:
    on = without(three(), 1)

    turn = Turn(on, {ADA: move("red-5", 0, 1, 2)})

    assert [event.seat for event in turn.tell(DamageTaken) if event.attacker == ADA] == [CAI]
    assert turn.driver(BOB).hand == ()


@pytest.mark.rule("XG-07", "CH-90")
def test_who_resigned_ranks_below_everyone_and_the_later_above_the_earlier() -> None:
    script = script_on(three())

    RULES.resign(script, CAI)
    RULES.resign(script, BOB)

    assert [event.event for event in script.written] == [
        ChariotWithdrawn(seat=CAI),
        ChariotWithdrawn(seat=BOB),
        RaceEnded(reason="last_seat", order=(ADA, BOB, CAI)),
    ]
    assert [placing.seat for placing in RULES.ranking(script.board)] == [ADA, BOB, CAI]
    assert RULES.decisions(script.board) == ()


@pytest.mark.rule("XG-07")
def test_a_turn_in_which_only_the_resigning_seat_had_to_open_goes_on() -> None:
    on = three()
    script = script_on(on)
    RULES.close(script)
    owed = {decision.seat: decision for decision in RULES.decisions(script.board)}
    RULES.play(script, owed[ADA], move("red-5", 0, 1, token=fan(0)))
    RULES.forfeit(script, owed[BOB])

    RULES.resign(script, CAI)

    assert (script.board.turn, script.board.phase) == (3, "choosing")
    assert script.board.drivers[0].progress > 30


@pytest.mark.rule("XG-07", "CH-98")
@pytest.mark.parametrize(("teams", "reasons"), [("ABA", ["last_team"]), ("ABC", [])])
def test_the_last_team_left_wins_at_once(teams: str, reasons: list[str]) -> None:
    script = script_on(replace(three(), options=Options(teams=teams)))

    RULES.resign(script, BOB)

    assert [event.event.reason for event in script.written if isinstance(event.event, RaceEnded)] == reasons
    assert RULES.ranking(script.board)[-1] == Placing(place=3, seat=BOB)


@pytest.mark.rule("XG-07")
def test_nobody_leaves_a_race_that_is_over() -> None:
    script = script_on(three())

    for seat in (CAI, BOB, ADA):
        RULES.resign(script, seat)

    assert isinstance(script.written[-1].event, RaceEnded)
    assert [placing.seat for placing in RULES.ranking(script.board)] == [ADA, BOB, CAI]
