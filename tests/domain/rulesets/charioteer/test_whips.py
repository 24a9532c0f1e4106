"""Whips: steps after the move, and their limits."""

import pytest

from domain.ids import Seat
from domain.rulesets.charioteer.options import Options
from domain.rulesets.charioteer.outcomes import WhipUsed
from tests.domain.rulesets.charioteer.boards import ADA, BOB, BOX, CAI, LAP, Turn, board, driver, fan, move

WHIP_HAND = ("red-1 red-1 black-1", "red-1 red-1 red-3", "whip")
BLACK_HAND = ("black-0 black-0 red-1", "black-0 black-0 red-3", "whip")
# Two red-1 cards of five symbols and the number 1 make five points, two black-0 cards four.
FAR = 60


@pytest.mark.rule("CH-71")
def test_a_whip_gives_five_steps_after_the_move_and_no_more() -> None:
    on = board(driver(ADA, *WHIP_HAND, progress=24), driver(BOB, progress=FAR))

    turn = Turn(on, {ADA: move("red-1", 0, 1, 2)})

    used = turn.one(WhipUsed)
    assert (used.entered, used.ended_by) == ((30, 31, 32, 33, 34), "spent")
    assert turn.driver(ADA).progress == 34


@pytest.mark.rule("CH-71")
def test_a_whip_token_does_the_same() -> None:
    on = board(driver(ADA, *WHIP_HAND, progress=24, fan=("whip",)), driver(BOB, progress=FAR))

    turn = Turn(on, {ADA: move("red-1", 0, 1, token=fan(0))})

    assert len(turn.one(WhipUsed).entered) == 5


@pytest.mark.rule("CH-71", "CH-21")
def test_damage_shortens_the_move_but_not_the_whip() -> None:
    on = board(driver(ADA, *WHIP_HAND, progress=24, damage=20), driver(BOB, progress=FAR))

    turn = Turn(on, {ADA: move("red-1", 0, 1, 2)})

    assert turn.one(WhipUsed).entered == (25, 26, 27, 28, 29)


@pytest.mark.rule("CH-74")
@pytest.mark.parametrize(("several", "steps"), [("each", 10), ("once", 5)])
def test_several_whips_give_five_steps_each_unless_the_seats_agreed_otherwise(several: str, steps: int) -> None:
    rules = Options(several_whips=several)  # type: ignore[arg-type] # both are readings
    on = board(driver(ADA, *WHIP_HAND, progress=24, fan=("whip",)), driver(BOB, progress=FAR), options=rules)

    turn = Turn(on, {ADA: move("red-1", 0, 1, 2, token=fan(0))})

    used = turn.one(WhipUsed)
    assert (used.whips, used.steps_max, len(used.entered)) == (2, steps, steps)


@pytest.mark.rule("CH-71")
def test_a_whip_does_not_lead_out_of_a_space_shared_with_an_inner_rival() -> None:
    on = board(driver(BOB, progress=29), driver(ADA, *WHIP_HAND, progress=24), driver(CAI, progress=FAR))

    turn = Turn(on, {ADA: move("red-1", 0, 1, 2)})

    used = turn.one(WhipUsed)
    assert (used.entered, used.ended_by) == ((), "rival_ahead")


@pytest.mark.rule("CH-72", "CO-19")
@pytest.mark.parametrize(("seat", "ended_by"), [(ADA, "is_leading"), (BOB, "rival_ahead")])
def test_on_a_shared_space_the_inner_chariot_leads(seat: Seat, ended_by: str) -> None:
    inner = driver(ADA, *WHIP_HAND, progress=24, damage=20)
    outer = driver(BOB, *WHIP_HAND, progress=24, damage=20)
    cards = (10 * seat, 10 * seat + 1, 10 * seat + 2)

    turn = Turn(board(inner, outer), {seat: move("red-1", *cards)})

    assert turn.one(WhipUsed).ended_by == ended_by


@pytest.mark.rule("CH-72", "CO-19")
def test_who_leads_is_asked_when_the_move_has_ended() -> None:
    leader = driver(BOB, "red-5 red-5 green-2", "red-5 red-5 yellow-4", progress=24)
    on = board(leader, driver(ADA, *WHIP_HAND, progress=24), driver(CAI, progress=0))

    turn = Turn(on, {ADA: move("red-1", 0, 1, 2), BOB: move("red-5", 10, 11)})

    assert (turn.driver(BOB).progress, turn.one(WhipUsed).ended_by) == (33, "rival_ahead")
    assert turn.driver(ADA).progress == 33


@pytest.mark.rule("CH-73")
def test_a_whip_on_a_black_move_skips_outer_spaces_too() -> None:
    on = board(driver(ADA, *BLACK_HAND, progress=2), driver(BOB, progress=FAR))

    turn = Turn(on, {ADA: move("black-0", 0, 1, 2)})

    used = turn.one(WhipUsed)
    assert (used.entered, used.ended_by) == ((12, 14, 16, 18, 20), "spent")


@pytest.mark.rule("CH-73")
def test_a_whip_on_a_black_move_stops_before_a_rival_on_a_skipped_outer_space() -> None:
    on = board(driver(ADA, *BLACK_HAND, progress=2), driver(BOB, progress=13))

    turn = Turn(on, {ADA: move("black-0", 0, 1, 2)})

    used = turn.one(WhipUsed)
    assert (used.entered, used.ended_by) == ((12,), "rival_ahead")


@pytest.mark.rule("CH-72", "CO-20")
def test_passing_somebody_on_a_skipped_outer_space_makes_the_whip_useless() -> None:
    on = board(driver(ADA, *BLACK_HAND, progress=2), driver(BOB, progress=3), driver(CAI, progress=FAR))

    turn = Turn(on, {ADA: move("black-0", 0, 1, 2)})

    assert turn.one(WhipUsed).ended_by == "has_passed"


@pytest.mark.rule("CH-88")
def test_whip_steps_beyond_the_last_line_skip_outer_spaces() -> None:
    finish = 3 * LAP
    on = board(driver(ADA, *WHIP_HAND, progress=finish - 4), driver(BOB, progress=finish + 30))

    turn = Turn(on, {ADA: move("red-1", 0, 1, 2)})

    assert turn.one(WhipUsed).entered == (2, 4, 6, 8, 10)


@pytest.mark.rule("CH-13", "CH-16", "CO-16")
def test_a_whip_card_adds_neither_symbols_nor_a_matching_card() -> None:
    hand = ("red-5 red-5 green-2", "red-5 red-5 yellow-4", "whip")
    on = board(driver(ADA, *hand, progress=24), driver(BOB))

    turn = Turn(on, {ADA: move("red-5", 0, 1, 2)})

    assert BOX.faces[BOX.face_places["whip"]].symbols == ()
    assert [event for event in turn.told if getattr(event, "attacker", None) is not None] == []
