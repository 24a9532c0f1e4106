"""People of a tournament: calls for an organiser, announcements, and an entry that goes on from another device."""

import pytest

from domain.log.actors import ByPlayer
from domain.rejection import Rejection
from domain.tournament import rejections
from domain.tournament.events import (
    EntrantCheckedIn,
    ResultTaken,
)
from domain.tournament.scores import list_standings
from domain.tournament.state import Counted
from domain.tournament.word_events import Announced, CallAnswered, OrganiserCalled
from tests.domain.tournament.desk_harness import drawn, hand, seat, take
from tests.domain.tournament.tournament_harness import ORGANISER, PAIRS, Club, own_links, player


def test_a_call_waits_for_its_answer_and_an_entrant_cannot_call_without_end() -> None:
    club = drawn(4)
    caller = ByPlayer(player=player(0))
    for _ in range(2):
        club.do(OrganiserCalled, caller, entrant=0, text="Who was first?")
    with pytest.raises(rejections.CallsExhausted):
        club.do(OrganiserCalled, caller, entrant=0, text="Again.")

    line = club.tournament.calls[0].line
    club.do(CallAnswered, ORGANISER, line=line, text="You were.")

    assert [call.answer for call in club.tournament.calls] == ["You were.", None]
    with pytest.raises(rejections.NoSuchCall):
        club.do(CallAnswered, ORGANISER, line=line, text="No, she was.")
    with pytest.raises(Rejection):
        club.do(OrganiserCalled, ByPlayer(player=player(1)), entrant=0, text="For another.")


def test_an_announcement_is_for_all_or_for_those_it_names() -> None:
    club = drawn(4)

    club.do(Announced, ORGANISER, text="Round two begins at nine.", entrants=())
    club.do(Announced, ORGANISER, text="Please come to the desk.", entrants=(1, 3))

    assert [said.entrants for said in club.tournament.announcements] == [(), (1, 3)]
    for entrants in ((3, 1), (1, 1), (9,)):
        with pytest.raises(Rejection):
            club.do(Announced, ORGANISER, text="Hm.", entrants=entrants)


def test_a_lost_phone_is_no_lost_tournament() -> None:
    club = drawn(4)
    club.play(seed=1)
    before = list_standings(club.tournament)
    hand(club, 2)

    take(club, 2, by=9)

    assert list_standings(club.tournament) == before
    assert club.tournament.entries[2].player == player(9)
    with pytest.raises(Rejection):
        club.withdraw(2)
    club.call()
    club.do(EntrantCheckedIn, ByPlayer(player=player(9)), entrant=2, round=2, nonce=own_links(9)[1])
    club.check_in(0, 1, 3)
    assert any(person.player == player(9) for table in club.round.tables for person in table.people)


@pytest.mark.parametrize("game", ["again", "goes_on"])
def test_a_table_where_the_phone_was_lost_is_played_again_or_goes_on_as_the_ruling_says(game: str) -> None:
    club = drawn(4)
    number = next(table.number for table in club.round.tables if 2 in table.entrants)
    before = club.table(number)
    hand(club, 2, game)

    types = take(club, 2, by=9)

    after = club.table(number)
    seats = [person.player for person in after.people]
    if game == "again":
        assert types == ["entry_taken", "table_drawn"]
        assert (after.entrants, after.attempt) == (before.entrants, 2)
        assert player(9) in seats
    else:
        assert types == ["entry_taken"]
        assert after == before
        assert player(2) in seats


def test_links_that_come_while_others_check_in_count_from_the_next_draw_on() -> None:
    club = Club(tables=PAIRS)
    club.enter(4)
    club.call()
    club.check_in(0, 1)
    hand(club, 2)
    take(club, 2, by=9)
    again = ByPlayer(player=player(9))

    with pytest.raises(Rejection):
        club.do(EntrantCheckedIn, again, entrant=2, round=1, nonce=own_links(9)[1])
    club.do(EntrantCheckedIn, again, entrant=2, round=1, nonce=None)
    club.check_in(3)
    club.play(seed=1)
    club.call()

    club.do(EntrantCheckedIn, again, entrant=2, round=2, nonce=own_links(9)[1])


def test_an_entry_is_taken_with_the_secret_of_its_ruling_alone_and_once() -> None:
    club = drawn(4)
    with pytest.raises(rejections.InvitationUnfit):
        take(club, 2, by=9)
    hand(club, 2)
    for secret in (None, "6f" * 32):
        with pytest.raises(rejections.InvitationUnfit):
            take(club, 2, by=9, secret=secret)
    with pytest.raises(rejections.AlreadyEntered):
        take(club, 2, by=1)
    take(club, 2, by=9)

    with pytest.raises(rejections.InvitationUnfit):
        take(club, 2, by=10)


def test_a_result_that_was_taken_stays_when_its_table_cannot_be_seated_any_more() -> None:
    club = drawn(4)
    club.take(1, 2, 1)
    counted = club.table(1).status
    seat(club, (2, tuple(reversed(club.table(2).entrants))))

    assert isinstance(counted, Counted)
    assert club.table(1).status == counted
    assert sum(isinstance(entry.event, ResultTaken) for entry in club.entries) == 1
