"""Results, no-shows and walkovers: one game counts for a table, and no entrant is reported absent too early."""

from typing import Any

import pytest

from domain.ids import Seat
from domain.log.actors import ByPlayer
from domain.log.rejections import NotAllowed, UnfitEvent
from domain.rejection import Rejection
from domain.ruleset.decision import Placing
from domain.tournament.draw_events import DrawnAgain
from domain.tournament.events import ResultTaken, TableDrawn
from domain.tournament.rejections import (
    AttemptOver,
    NoSuchTable,
    ReasonMissing,
    ReasonUnwanted,
    SittingDownGoesOn,
    TableSettled,
    UnfitRanking,
)
from domain.tournament.scores import count_meetings, count_points
from domain.tournament.state import Awaited, Halted, WalkedOver
from tests.domain.tournament.tournament_harness import HOUR, ORGANISER, PAIRS, Club, player


def drawn(count: int = 6, **terms: Any) -> Club:
    club = Club(**terms)
    club.enter(count)
    club.draw()
    return club


def test_a_result_scores_its_table() -> None:
    club = drawn()
    seated = club.table(1).entrants

    club.take(1, 3, 1, 2)

    points = count_points(club.tournament)
    assert [points[entrant] for entrant in seated] == [0, 60, 30]


def test_only_the_server_takes_results() -> None:
    club = drawn()
    table = club.table(1)
    about = {"round": 1, "table": 1, "attempt": 1, "version": 9, "hash": "00" * 32, "ranking": None}

    for actor in (ByPlayer(player=player(table.entrants[0])), ORGANISER):
        with pytest.raises(NotAllowed):
            club.do(ResultTaken, actor, **about)


def test_a_result_is_taken_once() -> None:
    club = drawn()
    club.take(1, 1, 2, 3)

    with pytest.raises(TableSettled):
        club.take(1, 3, 2, 1)


@pytest.mark.parametrize(
    ("fields", "refused"),
    [
        ({"round": 2}, NoSuchTable),
        ({"table": 3}, NoSuchTable),
        ({"attempt": 2}, AttemptOver),
        ({"table": 0}, UnfitEvent),
        ({"hash": "00"}, UnfitEvent),
        ({"version": 0}, UnfitEvent),
        ({"ranking": ()}, UnfitRanking),
        ({"ranking": (Placing(place=1, seat=Seat(0)), Placing(place=2, seat=Seat(0)))}, UnfitRanking),
        ({"ranking": (Placing(place=1, seat=Seat(3)),)}, UnfitRanking),
        ({"ranking": (Placing(place=4, seat=Seat(0)),)}, UnfitRanking),
        ({"ranking": (Placing(place=0, seat=Seat(0)),)}, UnfitRanking),
    ],
)
def test_a_result_that_is_none_of_the_table_is_refused(fields: dict[str, Any], refused: type[Rejection]) -> None:
    club = drawn()

    with pytest.raises(refused):
        club.take(1, **({"ranking": (Placing(place=1, seat=Seat(0)),)} | fields))


def test_who_was_removed_from_a_game_scores_nothing() -> None:
    club = drawn()
    seated = club.table(1).entrants

    club.take(1, ranking=(Placing(place=1, seat=Seat(2)), Placing(place=2, seat=Seat(0))))

    points = count_points(club.tournament)
    assert [points[entrant] for entrant in seated] == [30, 0, 60]


def test_an_aborted_game_leaves_its_table_to_an_organiser() -> None:
    club = drawn()
    club.take(2, 1, 2, 3)

    club.take(1)

    assert isinstance(club.table(1).status, Halted)
    assert not club.round.is_closed
    club.replace(1, 1, 2, 3)
    assert club.round.is_closed


def test_the_server_waits_before_it_tells_a_no_show() -> None:
    club = drawn()
    absent = club.table(1).entrants[1]
    club.now += HOUR

    with pytest.raises(SittingDownGoesOn):
        club.tell_no_show(1, absent)
    club.now += 1
    with pytest.raises(ReasonUnwanted):
        club.tell_no_show(1, absent, reason="late")
    club.tell_no_show(1, absent)

    assert absent not in club.table(1).entrants


def test_an_organiser_tells_a_no_show_at_once_and_says_why() -> None:
    club = drawn()
    absent = club.table(1).entrants[1]

    with pytest.raises(ReasonMissing):
        club.tell_no_show(1, absent, actor=ORGANISER)
    with pytest.raises(NotAllowed):
        club.tell_no_show(1, absent, actor=ByPlayer(player=player(absent)), reason="ill")
    club.tell_no_show(1, absent, actor=ORGANISER, reason="ill, called this morning")

    assert absent not in club.table(1).entrants


def test_a_table_is_drawn_again_without_those_who_did_not_come() -> None:
    club = drawn()
    one, absent, other = club.table(1).entrants
    first = club.table(1).game
    club.now += HOUR + 1

    decided = club.tell_no_show(1, absent)

    event = decided.entries[-1].event
    assert isinstance(event, TableDrawn)
    assert event.why == DrawnAgain(absent=(absent,))
    assert (club.table(1).entrants, club.table(1).attempt) == ((one, other), 2)
    assert club.table(1).game != first
    assert isinstance(club.table(1).status, Awaited)
    with pytest.raises(AttemptOver):
        club.take(1, 1, 2, 3, attempt=1)


def test_whoever_is_left_alone_walks_over() -> None:
    club = drawn(4, tables=PAIRS)
    one, absent = club.table(1).entrants
    club.take(2, 1, 2)
    club.now += HOUR + 1

    decided = club.tell_no_show(1, absent)

    assert [entry.line.type for entry in decided.entries][1:] == ["walkover_given", "standings_told", "round_closed"]
    assert count_points(club.tournament)[one] == 60
    # No two entrants met there, and no entrant won.
    assert len(count_meetings(club.tournament)) == 1
    assert [standing.tie_breaks[0] for standing in club.told() if standing.entrant == one] == [0]


def test_a_table_to_which_nobody_came_is_over() -> None:
    club = drawn(3)
    club.now += HOUR + 1

    club.tell_no_show(1, 0, 1, 2)

    assert club.table(1).status == WalkedOver(entrants=(), points=0, line=club.entries[-3].line.version)
    assert club.round.is_closed


def test_two_of_three_share_what_was_theirs_to_take_where_two_are_too_few() -> None:
    club = drawn(3, tables=PAIRS.__class__(min=3, max=3, preferred=3))
    club.now += HOUR + 1

    club.tell_no_show(1, 1)

    assert count_points(club.tournament) == (45, 0, 45)


@pytest.mark.parametrize("absent", [(), (1, 0), (0, 0), (9,)])
def test_a_no_show_names_some_of_the_table(absent: tuple[int, ...]) -> None:
    club = drawn(3)
    club.now += HOUR + 1

    with pytest.raises(UnfitEvent):
        club.tell_no_show(1, *absent)


def test_nobody_is_absent_from_a_table_that_counts() -> None:
    club = drawn()
    club.take(1, 1, 2, 3)
    club.now += HOUR + 1

    with pytest.raises(TableSettled):
        club.tell_no_show(1, club.table(1).entrants[0])
