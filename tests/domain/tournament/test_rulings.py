"""Rulings: each is logged with its effect, no past line is edited, and drawn tables stay drawn."""

from typing import Any

import pytest

from domain.ids import OrganiserId
from domain.log.actors import ByPlayer
from domain.log.rejections import NotAllowed, UnfitEvent
from domain.tournament.draw_events import PlayedAgain
from domain.tournament.events import TableDrawn
from domain.tournament.rejections import (
    AttemptOver,
    NoSuchEntrant,
    NotNextRound,
    RoundPast,
    TableSettled,
    UnfitRanking,
)
from domain.tournament.ruling_events import PointsRuled
from domain.tournament.scores import count_points, list_standings
from domain.tournament.state import Change
from domain.tournament.subjects import find_subject
from tests.domain.game.game_harness import public_hex, signing_key
from tests.domain.tournament.tournament_harness import (
    CLOCK,
    HOUR,
    OPERATOR,
    ORGA,
    ORGANISER,
    PAIRS,
    SERVER,
    Club,
    player,
)


def played(**terms: Any) -> Club:
    """Return a club of six after its first round: at each table seat 0 won and seat 2 came last."""
    club = Club(**terms)
    club.enter(6)
    club.draw()
    for number in (1, 2):
        club.take(number, 1, 2, 3)
    return club


def test_only_organisers_rule() -> None:
    club = played()

    for actor in (ByPlayer(player=player(0)), SERVER, OPERATOR, CLOCK):
        with pytest.raises(NotAllowed):
            club.do(PointsRuled, actor, entrant=0, points=5, round=1, reason="a gift")


def test_an_organiser_with_a_key_signs_rulings() -> None:
    key = signing_key(9)
    club = Club(organisers={ORGA: public_hex(key), OrganiserId(player(99)): None})
    club.keys[ORGANISER] = key
    club.enter(3)
    club.draw()

    club.rule(0, -10)

    assert club.entries[-1].line.sig is not None


def test_points_are_given_and_taken_in_the_round_they_are_for() -> None:
    club = played()
    before = count_points(club.tournament)

    club.rule(3, -25)
    club.rule(3, 5)

    standing = next(standing for standing in list_standings(club.tournament) if standing.entrant == 3)
    assert standing.rounds == (before[3] - 20,)
    assert [ruled.changes for ruled in club.tournament.rulings] == [
        (Change(entrant=3, points_before=before[3], points_after=before[3] - 25),),
        (Change(entrant=3, points_before=before[3] - 25, points_after=before[3] - 20),),
    ]


def test_points_are_for_somebody_and_for_a_round_that_was_drawn() -> None:
    club = played()
    club.call()

    with pytest.raises(NoSuchEntrant):
        club.rule(6, 5)
    with pytest.raises(NotNextRound):
        club.rule(0, 5, round_=2)
    with pytest.raises(UnfitEvent):
        club.rule(0, 0)
    with pytest.raises(UnfitEvent):
        club.rule(0, 1_000_001)


def test_a_replaced_result_counts_instead_of_the_other_and_changes_no_one_else() -> None:
    club = played()
    before = count_points(club.tournament)
    one, two, three = club.table(1).entrants
    lines = list(club.raws)

    club.replace(1, 3, 1, 2)

    after = count_points(club.tournament)
    assert (after[one], after[two], after[three]) == (0, 60, 30)
    assert all(after[index] == before[index] for index in range(6) if index not in (one, two, three))
    assert club.raws[: len(lines)] == lines
    assert {change.entrant for change in club.tournament.rulings[0].changes} == {one, two, three}


def test_an_absence_that_an_organiser_tells_is_a_ruling_with_its_effect_and_one_by_the_server_is_none() -> None:
    club = Club(tables=PAIRS)
    club.enter(4)
    club.draw()
    club.now += HOUR + 1
    one, other = club.table(1).entrants
    club.tell_no_show(2, club.table(2).entrants[0])

    club.tell_no_show(1, other, actor=ORGANISER, reason="seen at the bar")

    (ruled,) = club.tournament.rulings
    about = find_subject(ruled.event)
    assert (ruled.type, about.round, about.table, about.entrants) == ("no_show_told", 1, 1, (other,))
    assert (ruled.by, ruled.reason) == (f"organiser:{ORGA}", "seen at the bar")
    assert ruled.changes == (Change(entrant=one, points_before=0, points_after=60),)


@pytest.mark.parametrize("places", [(1, 1, 3), (2, 1, 2), (1, 1, 1), (2, 2, 1), (2, 2)])
def test_whoever_shares_places_no_ruling_gives_more_points_than_the_table_has(places: tuple[int, ...]) -> None:
    club = played()

    club.replace(1, *places)

    points = count_points(club.tournament)
    assert sum(points[entrant] for entrant in club.table(1).entrants) <= sum(club.tournament.opened.points["3"])


def test_the_later_of_two_rulings_on_a_table_counts() -> None:
    club = played()
    before = count_points(club.tournament)
    club.replace(1, 3, 1, 2)

    club.replace(1, 1, 2, 3)

    assert count_points(club.tournament) == before
    first, second = club.tournament.rulings
    assert [(change.entrant, change.points_after, change.points_before) for change in first.changes] == [
        (change.entrant, change.points_before, change.points_after) for change in second.changes
    ]


def test_a_ruling_after_the_next_round_was_drawn_changes_points_and_nothing_that_was() -> None:
    club = played()
    club.draw()
    tables = [table.seats for table in club.round.tables]
    points = club.round.points

    club.replace(1, 3, 2, 1, round_=1)

    assert [table.seats for table in club.round.tables] == tables
    assert club.round.points == points
    assert count_points(club.tournament) != points
    club.take(1, 1, 2, 3)
    club.take(2, 1, 2, 3)
    assert [standing.points for standing in club.told()] == [
        standing.points for standing in list_standings(club.tournament)
    ]


def test_a_result_that_comes_after_the_ruling_does_not_count() -> None:
    club = Club()
    club.enter(6)
    club.draw()
    club.replace(1, 2, 1, 3)

    with pytest.raises(TableSettled):
        club.take(1, 1, 2, 3)


def test_a_void_game_counts_nothing_and_lets_the_round_close() -> None:
    club = Club()
    club.enter(6)
    club.draw()
    club.take(1, 1, 2, 3)

    club.void(2)

    assert club.round.is_closed
    assert sum(count_points(club.tournament)) == 90
    club.void(1)
    assert sum(count_points(club.tournament)) == 0
    assert [len(ruled.changes) for ruled in club.tournament.rulings] == [0, 2]


def test_a_replayed_table_plays_again_and_only_that_game_counts() -> None:
    club = played()
    before = club.table(1)

    decided = club.replay(1)

    event = decided.entries[1].event
    assert isinstance(event, TableDrawn)
    assert event.why == PlayedAgain(line=decided.entries[0].line.version)
    assert (event.seats, event.attempt) == (before.seats, 2)
    assert not club.round.is_closed
    assert sum(count_points(club.tournament)) == 90
    with pytest.raises(AttemptOver):
        club.take(1, 1, 2, 3, attempt=1)
    club.take(1, 3, 2, 1)
    assert club.types()[-2:] == ["standings_told", "round_closed"]
    points = count_points(club.tournament)
    assert [points[entrant] for entrant in before.entrants] == [0, 30, 60]


def test_a_table_is_not_replayed_once_others_were_paired_on_it() -> None:
    club = played()
    club.call()

    with pytest.raises(RoundPast):
        club.replay(1, round_=1)


def test_a_walkover_can_be_played_after_all() -> None:
    club = Club(tables=PAIRS)
    club.enter(2)
    club.draw()
    club.now += HOUR + 1
    club.tell_no_show(1, 0)

    club.replay(1)

    assert sorted(club.table(1).entrants) == [0, 1]
    assert count_points(club.tournament) == (0, 0)


def test_a_replay_leaves_out_who_has_left_since() -> None:
    club = played()
    gone = club.table(1).entrants[0]
    club.remove(gone)

    club.replay(1)

    assert gone not in club.table(1).entrants
    assert club.table(1).attempt == 3


def test_who_is_removed_keeps_its_points_and_its_table_and_is_drawn_no_more() -> None:
    club = Club()
    club.enter(6)
    club.draw()
    gone = club.table(1).entrants[0]

    club.remove(gone)

    assert gone in club.table(1).entrants
    club.take(1, 1, 2, 3)
    club.take(2, 1, 2, 3)
    assert count_points(club.tournament)[gone] == 60
    club.call()
    assert gone not in club.round.expected


def test_a_ruling_names_the_seats_of_its_table() -> None:
    club = played()

    with pytest.raises(UnfitRanking):
        club.replace(1, 1, 2, 3, 4)
    with pytest.raises(UnfitRanking):
        club.replace(1, 1, 1, 2)
    with pytest.raises(AttemptOver):
        club.void(1, attempt=2)
    with pytest.raises(UnfitEvent):
        club.void(1, reason="")


def test_every_ruling_stands_with_its_line_author_and_reason() -> None:
    club = played()
    club.rule(0, 5)
    club.remove(1)

    rulings = club.tournament.rulings

    assert [(ruling.line, ruling.type, ruling.by, ruling.reason) for ruling in rulings] == [
        (club.entries[-2].line.version, "points_ruled", f"organiser:{ORGA}", "late"),
        (club.entries[-1].line.version, "entrant_removed", f"organiser:{ORGA}", "two accounts"),
    ]


def test_a_ruling_on_a_walkover_does_not_say_that_anybody_met() -> None:
    clubs = Club(tables=PAIRS), Club(tables=PAIRS)
    for club in clubs:
        club.enter(4)
        club.draw()
        club.take(1, 1, 2)
        club.now += HOUR + 1
        club.tell_no_show(2, club.table(2).entrants[0])
        club.call()
        club.check_in(0, 1, 2)
    clubs[1].replace(2, 1, 2, round_=1)

    for club in clubs:
        club.check_in(3)

    # Who was paired with whom was settled by the call and by the lots.
    one, other = ([table.seats for table in club.round.tables] for club in clubs)
    assert one == other
