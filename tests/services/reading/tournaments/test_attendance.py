"""Who was there is distinguished from the folded log: late entrants, missed check-ins and empty seats."""

from services.reading.tournaments.attendance import Attendance, list_attendance
from services.reading.tournaments.shown import show_entrants
from tests.domain.tournament.tournament_harness import HOUR, PAIRS, THREES, Club

ALWAYS_THERE = Attendance(from_round=1, missed=(), no_shows=(), is_checked_in=False)


def attendance_of(club: Club, entrant: int) -> Attendance:
    return list_attendance(club.tournament)[entrant]


def test_who_enters_after_a_call_plays_from_the_next_round_on() -> None:
    club = Club(tables=PAIRS)
    club.enter(2)
    club.call()
    club.enter(1)

    assert [attendance_of(club, index).from_round for index in range(3)] == [1, 1, 2]


def test_a_check_in_that_was_missed_is_told_once_the_round_is_drawn() -> None:
    club = Club(tables=PAIRS)
    club.enter(3)
    club.call()
    club.check_in(0, 1)
    before = [attendance_of(club, index) for index in range(3)]
    club.now += HOUR + 1
    club.close_check_in()

    assert [attendance.is_checked_in for attendance in before] == [True, True, False]
    assert [attendance.missed for attendance in before] == [(), (), ()]
    assert [attendance_of(club, index).missed for index in range(3)] == [(), (), (1,)]


def test_whoever_is_drawn_out_or_walked_over_has_not_shown_up() -> None:
    club = Club(tables=THREES)
    club.enter(3)
    club.draw()
    late, here, gone = club.table(1).entrants
    club.now += HOUR + 1
    club.tell_no_show(1, late)
    drawn_out = attendance_of(club, late)
    club.now += HOUR + 1
    club.tell_no_show(1, gone)

    assert drawn_out.no_shows == (1,)
    assert [attendance_of(club, each).no_shows for each in (late, here, gone)] == [(1,), (), (1,)]


def test_whoever_sits_out_or_plays_has_shown_up() -> None:
    club = Club(tables=PAIRS)
    club.enter(3)
    club.draw()
    club.take(1, 1, 2)

    shown = show_entrants(club.tournament, {}).items

    assert list_attendance(club.tournament) == (ALWAYS_THERE,) * 3
    assert [(entrant.from_round, entrant.missed, entrant.no_shows) for entrant in shown] == [(1, (), ())] * 3
