"""The desk of an arbiter: returns, excuses, wishes, seats by hand, held draws and more time."""

import pytest

from domain.log.actors import ByPlayer
from domain.rejection import Rejection
from domain.tournament import rejections
from domain.tournament import ruling_events as rulings
from domain.tournament.events import (
    RoundSkipped,
)
from domain.tournament.formats import HeatsAndFinal, Knockout
from domain.tournament.scores import count_meetings, list_standings
from domain.tournament.state import WalkedOver, is_held
from tests.domain.tournament.desk_harness import drawn, rule, seat
from tests.domain.tournament.tournament_harness import HOUR, ORGANISER, PAIRS, THREES, Club, player

MINUTE = 60_000


def test_who_was_removed_by_mistake_is_drawn_again_with_its_points() -> None:
    club = drawn(4)
    club.play(seed=1)
    points = club.told()
    club.remove(0)

    rule(club, rulings.EntrantReturned, entrant=0)
    club.call()

    assert 0 in club.round.expected
    assert list_standings(club.tournament) == points


def test_who_comes_back_while_a_check_in_waits_may_check_in_for_it() -> None:
    club = Club(tables=PAIRS)
    club.enter(4)
    club.call()
    club.remove(0)

    rule(club, rulings.EntrantReturned, entrant=0)

    assert club.check_in(1, 2, 3) == ["entrant_checked_in"] * 3
    assert club.check_in(0)[:2] == ["entrant_checked_in", "round_drawn"]


def test_who_has_not_left_cannot_be_taken_back_nor_anybody_where_no_place_is_free() -> None:
    club = Club(tables=PAIRS, entries_max=2)
    club.enter(2)
    with pytest.raises(rejections.EntrantStays):
        rule(club, rulings.EntrantReturned, entrant=0)
    club.withdraw(0)
    club.enter()

    with pytest.raises(rejections.TournamentFull):
        rule(club, rulings.EntrantReturned, entrant=0)


@pytest.mark.parametrize("points", [0, 30])
def test_who_is_excused_sits_out_one_round_for_the_stated_points(points: int) -> None:
    club = Club(tables=PAIRS)
    club.enter(5)
    rule(club, rulings.EntrantExcused, entrant=4, round=1, points=points)

    club.draw()
    before = club.tournament.entries[4].left
    club.play(seed=1)
    club.call()

    assert 4 not in club.tournament.rounds[0].field
    assert (before, 4 in club.round.expected) == (None, True)
    assert next(standing.points for standing in club.told() if standing.entrant == 4) == points


def test_points_of_an_excuse_count_from_the_draw_of_its_round_on() -> None:
    club = Club(tables=PAIRS)
    club.enter(3)
    rule(club, rulings.EntrantExcused, entrant=2, round=2, points=30)

    club.draw()
    club.play(seed=1)
    told = {standing.entrant: standing.points for standing in club.told()}
    club.draw()
    club.play(seed=2)

    assert told[2] + 30 == next(standing.points for standing in club.told() if standing.entrant == 2)


def test_an_entrant_skips_a_round_by_itself_and_the_check_in_waits_for_the_others_alone() -> None:
    club = Club(tables=PAIRS)
    club.enter(3)
    club.call()
    club.check_in(0, 1)

    club.do(RoundSkipped, ByPlayer(player=player(2)), entrant=2, round=1)

    assert club.round.is_drawn
    assert club.round.field == (0, 1)


def test_a_round_cannot_be_skipped_after_a_check_in_or_its_draw_nor_twice_nor_where_some_go_on() -> None:
    club = Club(tables=PAIRS)
    club.enter(4)
    club.call()
    club.check_in(0)
    knockout = Club(tables=PAIRS, format=Knockout(survivors=1))
    knockout.enter(4)
    heats = Club(tables=PAIRS, format=HeatsAndFinal(heats=1, finalists=2))
    heats.enter(4)
    club.do(RoundSkipped, ByPlayer(player=player(1)), entrant=1, round=1)

    for refusing, entrant, round_ in ((club, 0, 1), (club, 1, 1), (club, 2, 9), (knockout, 0, 1), (heats, 0, 2)):
        with pytest.raises(Rejection):
            refusing.do(RoundSkipped, ByPlayer(player=player(entrant)), entrant=entrant, round=round_)
    club.check_in(2, 3)
    with pytest.raises(rejections.RoundPast):
        rule(club, rulings.EntrantExcused, entrant=2, round=1, points=0)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("wish", ["apart", "apart_if_possible"])
def test_a_brother_and_a_sister_never_meet_while_others_are_left_to_meet(wish: str, seed: int) -> None:
    club = Club(tables=PAIRS)
    club.enter(8)
    rule(club, rulings.PairingWished, entrants=(0, 1), wish=wish)

    for _ in range(3):
        club.draw()
        club.play(seed)

    assert (0, 1) not in count_meetings(club.tournament)


@pytest.mark.parametrize("count", [6, 24])
def test_two_who_always_sit_together_do_so_in_a_small_field_and_in_a_large_one(count: int) -> None:
    club = Club(tables=THREES)
    club.enter(count)
    rule(club, rulings.PairingWished, entrants=(2, 5), wish="together")

    for _ in range(3):
        club.draw()
        assert any({2, 5} <= set(table.entrants) for table in club.round.tables)
        club.play(seed=1)


def test_a_wish_that_always_holds_comes_before_meetings_and_one_where_possible_after_them() -> None:
    met: dict[str, int] = {}
    for wish in ("apart", "apart_if_possible"):
        club = Club(tables=PAIRS)
        club.enter(4)
        rule(club, rulings.PairingWished, entrants=(0, 1), wish=wish)
        for _ in range(3):
            club.draw()
            club.play(seed=1)
        met[wish] = count_meetings(club.tournament).get((0, 1), 0)

    # In three rounds each of four meets each other once, or two pairs meet again.
    assert met == {"apart": 0, "apart_if_possible": 1}


def test_a_wish_is_taken_back_and_the_same_one_is_refused_as_it_changes_nothing() -> None:
    club = Club(tables=PAIRS)
    club.enter(4)
    rule(club, rulings.PairingWished, entrants=(0, 1), wish="apart")
    with pytest.raises(Rejection):
        rule(club, rulings.PairingWished, entrants=(0, 1), wish="apart")

    rule(club, rulings.PairingWished, entrants=(0, 1), wish="none")

    assert club.tournament.wishes == ()
    for group in ((1, 0), (0, 0), (0, 9)):
        with pytest.raises(Rejection):
            rule(club, rulings.PairingWished, entrants=group, wish="apart")


def test_tables_are_seated_by_hand_and_the_draw_by_lot_stays_beside_it() -> None:
    club = drawn(4)
    (a, b), (c, d) = club.table(1).entrants, club.table(2).entrants
    lots = club.round.lots

    types = seat(club, (1, (a, c)), (2, (d, b)))

    assert types == ["tables_seated", "table_drawn", "table_drawn"]
    assert (club.table(1).entrants, club.table(2).entrants) == ((a, c), (d, b))
    assert [type(why).__name__ for why in club.table(1).whys] == ["DrawnByScore", "SeatedByHand"]
    assert [one.lot for one in club.table(1).seats] == [lots[a], lots[c]]
    club.play(seed=1)
    assert set(count_meetings(club.tournament)) == {tuple(sorted((a, c))), tuple(sorted((b, d)))}


def test_two_half_empty_tables_become_one_and_who_came_plays() -> None:
    club = drawn(4)
    (a, b), (c, d) = club.table(1).entrants, club.table(2).entrants
    club.tell_no_show(1, b, actor=ORGANISER, reason="not there")
    assert isinstance(club.table(1).status, WalkedOver)

    types = seat(club, (1, ()), (2, (a, c)))

    assert types == ["tables_seated", "walkover_given", "table_drawn", "bye_given"]
    assert [bye.entrant for bye in club.round.byes] == [d]
    club.take(2, 1, 2)
    points = {standing.entrant: standing.points for standing in club.told()}
    assert (points[a], points[b], points[c], points[d]) == (60, 0, 0, 30)


def test_who_came_late_is_seated_with_one_who_had_a_bye_and_the_bye_is_gone() -> None:
    club = drawn(5)
    (bye,) = club.round.byes
    club.enter()
    late = 5
    (a, b) = club.table(1).entrants

    seat(club, (1, (bye.entrant, late)))

    assert {given.entrant for given in club.round.byes} == {a, b}
    assert [(one.entrant, one.lot, one.points) for one in club.table(1).seats][1] == (late, 0, 0)


def test_no_table_is_seated_with_too_few_strangers_or_somebody_twice_nor_after_its_result() -> None:
    club = drawn(6)
    (a, b), (c, d) = club.table(1).entrants, club.table(2).entrants
    club.take(3, 1, 2)
    gone = club.table(3).entrants[0]

    refused: list[tuple[tuple[int, tuple[int, ...]], ...]] = [
        ((1, (a,)),),
        ((1, (a, 9)),),
        ((1, (a, c)),),
        ((1, (a, a)), (2, (c, d))),
        ((1, (a, gone)), (2, (c, d))),
        ((2, (c, d)), (1, (b, a))),
        ((1, (a, b)),),
        ((3, (gone, a)),),
    ]
    for tables in refused:
        with pytest.raises(Rejection):
            seat(club, *tables)
    with pytest.raises(rejections.RoundPast):
        seat(club, (1, (b, a)), round=2)
    assert seat(club, (1, (b, a))) == ["tables_seated", "table_drawn"]


def test_who_did_not_go_on_in_a_knockout_is_not_seated_by_hand() -> None:
    club = drawn(4, format=Knockout(survivors=1))
    club.take(1, 1, 2)
    club.take(2, 1, 2)
    loser = club.table(1).entrants[1]
    club.draw()
    (one, other) = club.table(1).entrants

    with pytest.raises(Rejection):
        seat(club, (1, (one, loser)))

    assert seat(club, (1, (other, one))) == ["tables_seated", "table_drawn"]


def test_who_is_seated_without_a_lot_shares_a_place_behind_those_with_one() -> None:
    club = Club(tables=PAIRS, format=Knockout(survivors=1))
    club.enter(4)
    club.draw(without=(3,))
    (bye,) = club.round.byes
    seat(club, (1, (bye.entrant, 3)))
    club.take(1, 1, 1)

    club.call()

    assert bye.entrant in club.round.expected
    assert 3 not in club.round.expected


def test_a_draw_is_held_until_it_is_released_and_the_time_to_sit_down_begins_then() -> None:
    club = Club(tables=PAIRS)
    club.enter(4)
    rule(club, rulings.DrawHeld, round=1)
    club.draw()
    held = is_held(club.tournament, club.round)
    club.now += 3 * HOUR
    with pytest.raises(rejections.SittingDownGoesOn):
        club.tell_no_show(1, club.table(1).entrants[0])

    rule(club, rulings.DrawReleased, round=1)

    assert (held, is_held(club.tournament, club.round)) == (True, False)
    club.now += HOUR
    with pytest.raises(rejections.SittingDownGoesOn):
        club.tell_no_show(1, club.table(1).entrants[0])
    club.now += 1
    club.tell_no_show(1, club.table(1).entrants[0])


def test_only_the_next_draw_can_be_held_and_only_a_held_one_released() -> None:
    club = drawn(4)

    for kind, round_ in ((rulings.DrawHeld, 1), (rulings.DrawHeld, 3), (rulings.DrawReleased, 1)):
        with pytest.raises(Rejection):
            rule(club, kind, round=round_)
    rule(club, rulings.DrawHeld, round=2)
    with pytest.raises(Rejection):
        rule(club, rulings.DrawHeld, round=2)


def test_time_is_given_to_check_in_also_when_it_was_just_over() -> None:
    club = Club(tables=PAIRS)
    club.enter(2)
    club.call()
    club.now += HOUR + MINUTE

    rule(club, rulings.TimeGiven, round=1, table=None, minutes=10)

    club.now += 10 * MINUTE
    assert club.check_in(0, 1)[0] == "entrant_checked_in"


@pytest.mark.parametrize("table", [None, 1])
def test_time_is_given_to_sit_down_at_one_table_or_at_all(table: int | None) -> None:
    club = drawn(4)

    rule(club, rulings.TimeGiven, round=1, table=table, minutes=10)

    club.now += HOUR + 10 * MINUTE
    late = [number for number in (1, 2) if _is_late(club, number)]
    assert late == ([] if table is None else [2])


def _is_late(club: Club, number: int) -> bool:
    try:
        club.tell_no_show(number, club.table(number).entrants[0])
    except rejections.SittingDownGoesOn:
        return False
    return True


def test_no_time_is_given_to_a_table_that_counts_nor_to_a_round_that_is_over() -> None:
    club = drawn(4)
    club.take(1, 1, 2)
    with pytest.raises(rejections.TableSettled):
        rule(club, rulings.TimeGiven, round=1, table=1, minutes=5)
    with pytest.raises(rejections.NoSuchTable):
        rule(club, rulings.TimeGiven, round=1, table=7, minutes=5)
    club.take(2, 1, 2)

    with pytest.raises(rejections.RoundPast):
        rule(club, rulings.TimeGiven, round=1, table=None, minutes=5)
