"""Calling, drawing and closing rounds, in every format."""

import pytest

from domain.derived_ids import derive_game
from domain.log.actors import ByPlayer
from domain.log.rejections import NotAllowed
from domain.tournament.contender import pair_of
from domain.tournament.draw_events import DrawnByCircle
from domain.tournament.events import RoundCalled, TableDrawn
from domain.tournament.formats import HeatsAndFinal, Knockout, RoundRobin, ScoreRounds
from domain.tournament.rejections import NoRoundsLeft, NotNextRound, RoundGoesOn, TooFewEntrants
from domain.tournament.scores import count_meetings, is_complete
from domain.tournament.sizes import TableSizes
from domain.tournament.state import Counted
from tests.domain.tournament.tournament_harness import CUP, PAIRS, THREES, Club, player


def test_only_an_organiser_calls_the_next_round() -> None:
    club = Club()
    club.enter(4)

    with pytest.raises(NotAllowed):
        club.do(RoundCalled, ByPlayer(player=player(0)), round=1)
    with pytest.raises(NotNextRound):
        club.call(2)
    club.call()
    with pytest.raises(RoundGoesOn):
        club.call()


def test_a_round_needs_one_table() -> None:
    club = Club()
    club.enter()

    with pytest.raises(TooFewEntrants):
        club.call()


def test_a_round_is_drawn_with_the_last_check_in_and_in_the_same_append() -> None:
    club = Club()
    club.enter(7)
    club.call()
    club.check_in(*range(6))

    types = club.check_in(6)

    assert types == ["entrant_checked_in", "round_drawn", "dice_rolled", "table_drawn", "table_drawn"]
    assert sorted(entrant for table in club.round.tables for entrant in table.entrants) == list(range(7))


def test_every_table_tells_the_numbers_that_it_was_drawn_by() -> None:
    club = Club()
    club.enter(6)
    club.draw()
    club.play(1)
    points = (
        club.tournament.rounds[0].points,
        [standing.points for standing in sorted(club.told(), key=lambda standing: standing.entrant)],
    )
    club.draw()

    drawn = [entry.event for entry in club.entries if isinstance(entry.event, TableDrawn)][2:]

    assert points[0] == (0,) * 6
    for table in drawn:
        for seat in table.seats:
            assert (seat.lot, seat.points) == (club.round.lots[seat.entrant], points[1][seat.entrant])
        assert table.game == derive_game(CUP, round_=2, table=table.table, attempt=1)


def test_a_round_closes_with_its_last_result_and_tells_standings() -> None:
    club = Club()
    club.enter(6)
    club.draw()
    club.take(1, 2, 1, 3)

    decided = club.take(2, 1, 1, 3)

    types = [entry.line.type for entry in decided.entries]
    assert types == ["result_taken", "table_scored", "standings_told", "round_closed"]
    assert [standing.points for standing in club.told()] == [60, 45, 45, 30, 0, 0]


def test_long_standings_take_several_lines() -> None:
    club = Club(tie_breaks=("wins",))
    club.enter(100)
    club.draw()

    club.play(1)

    assert club.types().count("standings_told") == 3
    assert sorted(standing.entrant for standing in club.told()) == list(range(100))


def test_who_is_not_there_sits_out_without_points() -> None:
    club = Club()
    club.enter(7)

    club.draw(without=(0, 4))

    assert club.round.field == (1, 2, 3, 5, 6)
    assert club.round.byes == ()


def test_a_round_to_which_nobody_comes_closes_empty() -> None:
    club = Club()
    club.enter(3)

    club.draw(without=(0, 1, 2))

    assert club.types()[-4:] == ["check_in_closed", "round_drawn", "standings_told", "round_closed"]
    club.draw()
    assert club.round.field == (0, 1, 2)


def test_byes_go_to_the_lowest_who_had_none() -> None:
    club = Club(tables=PAIRS, format=ScoreRounds(rounds=3))
    club.enter(3)
    out = []
    for _ in range(3):
        club.draw()
        out += [bye.entrant for bye in club.round.byes]
        club.play(2)

    assert sorted(out) == [0, 1, 2]
    assert sum(standing.points for standing in club.told()) == 3 * 90


def test_a_round_robin_of_pairs_brings_all_together_once() -> None:
    club = Club(tables=PAIRS, format=RoundRobin(rounds=5))
    club.enter(6)
    for _ in range(5):
        club.draw()
        club.play(3)

    assert set(count_meetings(club.tournament).values()) == {1}
    assert len(count_meetings(club.tournament)) == 15
    whys = [entry.event.why for entry in club.entries if isinstance(entry.event, TableDrawn)]
    assert all(isinstance(why, DrawnByCircle) for why in whys)


def test_a_round_robin_seats_those_whose_partner_is_missing_together() -> None:
    club = Club(tables=PAIRS, format=RoundRobin(rounds=5))
    club.enter(6)
    club.draw()
    first, second = club.round.tables[0].entrants, club.round.tables[1].entrants
    club.play(3)
    club.draw(without=(first[0], second[0]))

    seated = sorted(entrant for table in club.round.tables for entrant in table.entrants)

    assert seated == [index for index in range(6) if index not in (first[0], second[0])]
    assert club.round.byes == ()


def test_a_round_robin_of_larger_tables_repeats_no_meeting_it_can_avoid() -> None:
    club = Club(tables=TableSizes(min=3, max=3, preferred=3), format=RoundRobin(rounds=4))
    club.enter(9)
    for _ in range(4):
        club.draw()
        club.play(4)

    # Nine in threes: each meets the eight others once in four rounds, and that is possible.
    met = count_meetings(club.tournament)
    assert len(met) + sum(times - 1 for times in met.values()) == 36
    assert max(met.values()) <= 2


def test_heats_lead_the_best_to_one_table_that_alone_decides() -> None:
    club = Club(format=HeatsAndFinal(heats=2, finalists=3), tables=THREES)
    club.enter(9)
    for _ in range(2):
        club.draw()
        club.play(5)
    best = {standing.entrant for standing in club.told()[:3]}

    club.draw()
    club.take(1, 3, 2, 1)

    final = club.table(1)
    assert set(final.entrants) == best
    assert [standing.entrant for standing in club.told()[:3]] == list(reversed(final.entrants))
    assert is_complete(club.tournament)
    with pytest.raises(NoRoundsLeft):
        club.call()


def test_a_knockout_ends_at_one_table() -> None:
    club = Club(format=Knockout(survivors=1), tables=THREES)
    club.enter(9)
    club.draw()
    club.play(6)
    counted = [table.status for table in club.round.tables if isinstance(table.status, Counted)]
    winners = {scored.entrant for status in counted for scored in status.scored if scored.place == 1}

    club.draw()
    assert set(club.round.expected) == set(club.table(1).entrants) == winners
    club.play(6)

    assert is_complete(club.tournament)
    assert [standing.progress[0] for standing in club.told()] == [2] * 3 + [1] * 6


def test_who_shares_the_last_place_that_goes_on_is_told_apart_by_lot() -> None:
    club = Club(format=Knockout(survivors=1), tables=THREES)
    club.enter(6)
    club.draw()
    table = club.table(1)
    club.take(1, 1, 1, 3)
    club.take(2, 1, 2, 3)

    club.call()

    winner = min(table.entrants[:2], key=lambda entrant: club.tournament.rounds[0].lots[entrant])
    assert club.round.expected == tuple(sorted((winner, club.table(2, 1).entrants[0])))


def test_a_knockout_without_enough_for_a_table_is_over() -> None:
    club = Club(format=Knockout(survivors=1), tables=TableSizes(min=3, max=3, preferred=3))
    club.enter(6)
    club.draw()

    club.play(7)

    assert is_complete(club.tournament)


def test_nobody_meets_the_same_person_again_where_it_can_be_avoided() -> None:
    club = Club(tables=PAIRS, format=ScoreRounds(rounds=3))
    club.enter(8)
    for _ in range(3):
        club.draw()
        club.play(8)

    tables = [table for round_ in club.tournament.rounds for table in round_.tables]
    met = [pair_of(*table.entrants) for table in tables]
    assert len(met) == len(set(met))


def test_a_ruling_after_the_call_does_not_change_who_is_paired_with_whom() -> None:
    clubs = Club(), Club()
    for club in clubs:
        club.enter(6)
        club.draw()
        club.play(9)
        club.call()
        club.check_in(0, 1, 2, 3, 4)
    clubs[1].rule(0, 500)

    for club in clubs:
        club.check_in(5)

    one, other = ([table.seats for table in club.round.tables] for club in clubs)
    assert one == other
