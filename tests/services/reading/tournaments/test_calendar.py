"""Due and next: read from the folded log to each player, and no more than that."""

from domain.log.record import format_at
from domain.tournament.formats import Knockout
from services.reading.tournaments.calendar import Missing, Next, find_next, list_deadlines
from services.reading.tournaments.pairings import show_pairings
from services.reading.tournaments.shown import show_entrants, show_standings, show_tournament
from tests.domain.tournament.test_looks import CARA, commented
from tests.domain.tournament.tournament_harness import HOUR, NOON, PAIRS, Club, player


def next_of(club: Club, entrant: int) -> Next:
    return find_next(club.tournament, player(entrant))


def test_a_player_is_told_what_to_do_at_every_stage_of_a_tournament() -> None:
    club = Club(tables=PAIRS)
    told = [next_of(club, 0)]
    club.enter(3)
    told.append(next_of(club, 0))
    club.call()
    told.append(next_of(club, 0))
    club.check_in(0)
    told.append(next_of(club, 0))
    club.check_in(1, 2)

    by_entrant = {index: next_of(club, index) for index in range(3)}

    assert [sentence.what for sentence in told] == ["enter", "wait", "check_in", "wait"]
    assert told[2].until == format_at(NOON + HOUR)
    assert sorted(entry.what for entry in by_entrant.values()) == ["bye", "play", "play"]
    for seat, entrant in enumerate(club.table(1).entrants):
        told_now = by_entrant[entrant]
        assert (told_now.game, told_now.seat, told_now.table) == (club.table(1).game, seat, 1)
        assert told_now.until == format_at(NOON + HOUR)


def test_a_commentator_is_not_asked_to_enter() -> None:
    club = commented(delay_s=60)

    assert find_next(club.tournament, CARA.player).what == "nothing"
    assert next_of(club, 50).what == "enter"


def test_who_has_played_waits_and_who_has_left_is_told_nothing() -> None:
    club = Club(tables=PAIRS)
    club.enter(4)
    club.draw()
    club.take(1, 1, 2)
    played, playing = club.table(1).entrants[0], club.table(2).entrants[0]

    assert next_of(club, played).what == "wait"
    assert next_of(club, playing).what == "play"
    club.take(2, 1, 2)
    club.withdraw(played)
    assert next_of(club, played).what == "nothing"
    assert next_of(club, playing).what == "wait"


def test_deadlines_are_listed_until_what_is_due_is_done() -> None:
    club = Club(tables=PAIRS)
    club.enter(4)
    before = list_deadlines(club.tournament, {})
    club.call()
    club.check_in(1)
    calling = list_deadlines(club.tournament, {})
    club.check_in(0, 2, 3)
    one, two = club.table(1), club.table(2)
    empty = Missing(entrants=one.entrants, are_seated=False)
    drawn = list_deadlines(club.tournament, {one.game: empty, two.game: empty})
    idle = Missing(entrants=one.entrants[1:], are_seated=True)
    seated = list_deadlines(club.tournament, {one.game: idle})
    club.take(1, 1, 2)
    club.take(2, 1, 2)

    assert before.items == list_deadlines(club.tournament, {one.game: empty}).items == ()
    assert [(deadline.what, deadline.entrants) for deadline in calling.items] == [("check_in", (0, 2, 3))]
    assert [(deadline.what, deadline.table) for deadline in drawn.items] == [("sit_down", 1), ("sit_down", 2)]
    assert [(deadline.what, deadline.table, deadline.entrants) for deadline in seated.items] == [
        ("get_ready", 1, one.entrants[1:])
    ]


def test_everything_that_is_shown_follows_from_the_public_log() -> None:
    club = Club(tables=PAIRS)
    club.enter(5)
    club.draw()
    club.take(1, 1, 2)
    names = {player(0): "Ada"}

    pairings = show_pairings(club.tournament, names).items[0]
    standings = show_standings(club.tournament, names)

    assert [table.status for table in pairings.tables] == ["counted", "awaited"]
    assert [table.sit_down_by is None for table in pairings.tables] == [True, False]
    assert len(pairings.byes) == 1
    assert standings.items[0].points == 60
    assert {entrant.name for entrant in show_entrants(club.tournament, names).items} == {"Ada", None}
    shown = show_tournament(club.tournament, names)
    assert (shown.entries, shown.round, shown.round_status, shown.status) == (5, 1, "playing", "running")


def test_how_far_somebody_came_is_shown_where_it_decides_before_points() -> None:
    by_score, knockout = Club(tables=PAIRS), Club(tables=PAIRS, format=Knockout(survivors=1))
    for club in (by_score, knockout):
        club.enter(4)
        club.draw()
        club.take(1, 1, 2)
        club.take(2, 1, 2)
    knockout.call()

    shown = [show_standings(club.tournament, {}).items for club in (by_score, knockout)]

    assert {standing.progress for standing in shown[0]} == {()}
    assert [standing.progress for standing in shown[1]] == [(2, 0), (2, 0), (1, 0), (1, 0)]


def test_whether_anybody_may_enter_and_whether_rounds_are_left_is_told() -> None:
    club = Club(tables=PAIRS, format=Knockout(survivors=1))
    club.enter(2)
    told = [show_tournament(club.tournament, {})]
    club.draw()
    told.append(show_tournament(club.tournament, {}))
    club.take(1, 1, 2)
    told.append(show_tournament(club.tournament, {}))

    assert [(sentence.takes_entries, sentence.is_complete) for sentence in told] == [
        (True, False),
        (False, False),
        (False, True),
    ]
