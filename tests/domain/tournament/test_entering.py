"""Entering, leaving and checking in; and no gain by coming late or leaving early."""

from collections.abc import Callable
from typing import Any

import pytest

from domain.ids import CommandId
from domain.log.actors import ByPlayer
from domain.log.rejections import (
    CommandIdReused,
    DemandNotMet,
    LinkDoesNotFit,
    NotAllowed,
    SignatureDoesNotFit,
    SignatureMissing,
    SignatureUnwanted,
    TooFewLinks,
    UnfitEvent,
)
from domain.rejection import Rejection
from domain.tournament.events import CheckInClosed, EntrantCheckedIn, EntrantEntered
from domain.tournament.formats import Knockout, ScoreRounds
from domain.tournament.rejections import (
    AlreadyEntered,
    CheckInGoesOn,
    CheckInTooLate,
    EntrantLeft,
    EntriesAreClosed,
    NoCheckIn,
    NoSuchEntrant,
    NotExpected,
    NotNextEntrant,
    TournamentFull,
)
from tests.domain.game.game_harness import public_hex, signing_key
from tests.domain.tournament.tournament_harness import HOUR, SERVER, Club, own_links, player

KEY = signing_key(7)


def test_entrants_are_numbered_in_the_order_of_entering() -> None:
    club = Club()

    club.enter(3)

    assert [entry.player for entry in club.tournament.entries] == [player(0), player(1), player(2)]
    with pytest.raises(NotNextEntrant):
        club.enter(entrant=5)


def test_a_player_enters_once_and_not_again_after_leaving() -> None:
    club = Club()
    club.enter()
    again = {"entrant": 1, "anchor": None, "links": 0, "key": None}

    with pytest.raises(AlreadyEntered):
        club.do(EntrantEntered, ByPlayer(player=player(0)), **again)
    club.withdraw(0)
    with pytest.raises(AlreadyEntered):
        club.do(EntrantEntered, ByPlayer(player=player(0)), **again)


def test_a_full_or_closed_tournament_takes_nobody() -> None:
    full, closed = Club(entries_max=2), Club()
    full.enter(2)
    closed.close_entries()

    with pytest.raises(TournamentFull):
        full.enter()
    with pytest.raises(EntriesAreClosed):
        closed.enter()
    with pytest.raises(EntriesAreClosed):
        closed.close_entries()


@pytest.mark.parametrize("leave", [Club.withdraw, Club.remove])
def test_the_place_of_an_entrant_who_left_is_free_and_its_number_is_not(
    leave: Callable[[Club, int], Any],
) -> None:
    club = Club(entries_max=2)
    club.enter(2)

    leave(club, 0)
    club.enter()

    assert [entry.player for entry in club.tournament.entries] == [player(0), player(1), player(2)]
    with pytest.raises(TournamentFull):
        club.enter()


@pytest.mark.parametrize(
    ("links", "anchor", "refused"),
    [(0, own_links(0)[0], UnfitEvent), (63, own_links(0)[0], TooFewLinks), (64, None, UnfitEvent)],
)
def test_whoever_brings_links_brings_enough_of_them(links: int, anchor: str | None, refused: type[Rejection]) -> None:
    club = Club()

    with pytest.raises(refused):
        club.enter(links=links, anchor=anchor)


@pytest.mark.parametrize("demand", ["links", "signed", "witnessed_opening"])
def test_what_the_terms_demand_is_asked_of_entrants(demand: str) -> None:
    club = Club(demands=(demand,))

    with pytest.raises(DemandNotMet):
        club.enter()


def test_a_player_with_a_key_signs_everything() -> None:
    club = Club()
    actor = ByPlayer(player=player(0))
    club.keys[actor] = KEY
    club.enter(key=public_hex(KEY))
    club.enter()
    club.call()

    club.check_in(0)

    with pytest.raises(SignatureUnwanted):
        club.do(EntrantCheckedIn, ByPlayer(player=player(1)), entrant=1, round=1, nonce=own_links(1)[1], sig="00" * 64)
    club.keys.clear()
    with pytest.raises(SignatureMissing):
        club.withdraw(0)
    club.keys[actor] = signing_key(8)
    with pytest.raises(SignatureDoesNotFit):
        club.withdraw(0)


def test_nobody_acts_for_somebody_else() -> None:
    club = Club()
    club.enter(3)
    club.call()

    for actor in (ByPlayer(player=player(1)), SERVER):
        with pytest.raises(NotAllowed):
            club.do(EntrantCheckedIn, actor, entrant=0, round=1, nonce=own_links(0)[1])
    with pytest.raises(NotAllowed):
        club.do(EntrantEntered, SERVER, entrant=3, player=player(3), anchor=None, links=0, key=None)
    with pytest.raises(NoSuchEntrant):
        club.do(EntrantCheckedIn, ByPlayer(player=player(9)), entrant=9, round=1, nonce=None)


def test_a_command_counts_once() -> None:
    club = Club()
    club.enter(id=CommandId("0199c0de-0000-7000-9000-0000000000aa"))

    with pytest.raises(CommandIdReused):
        club.enter(id=CommandId("0199c0de-0000-7000-9000-0000000000aa"))


def test_everybody_who_checks_in_adds_the_next_link() -> None:
    club = Club()
    club.enter(2)
    club.enter(anchor=None, links=0)
    club.call()

    for nonce in (None, own_links(0)[2], own_links(1)[1]):
        with pytest.raises(LinkDoesNotFit):
            club.do(EntrantCheckedIn, ByPlayer(player=player(0)), entrant=0, round=1, nonce=nonce)
    with pytest.raises(LinkDoesNotFit):
        club.do(EntrantCheckedIn, ByPlayer(player=player(2)), entrant=2, round=1, nonce=own_links(2)[1])
    club.check_in(0, 2)

    assert [contribution.nonce for contribution in club.tournament.chance.waiting] == [own_links(0)[1]]


def test_check_in_is_over_when_its_time_is() -> None:
    club = Club()
    club.enter(3)
    club.call()
    club.check_in(0)

    with pytest.raises(CheckInGoesOn):
        club.close_check_in()
    club.now += HOUR
    club.check_in(1)
    club.now += 1

    with pytest.raises(CheckInTooLate):
        club.check_in(2)
    for actor in (SERVER, ByPlayer(player=player(0))):
        with pytest.raises(NotAllowed):
            club.do(CheckInClosed, actor, round=1)
    club.close_check_in()
    assert club.round.field == (0, 1)


def test_nobody_checks_in_twice_or_outside_of_a_round() -> None:
    club = Club()
    club.enter(3)
    with pytest.raises(NoCheckIn):
        club.do(EntrantCheckedIn, ByPlayer(player=player(0)), entrant=0, round=1, nonce=own_links(0)[1])
    club.call()
    club.check_in(0)

    with pytest.raises(NotExpected):
        club.check_in(0)
    club.check_in(1, 2)
    with pytest.raises(NoCheckIn):
        club.check_in(0)


def test_whoever_enters_after_the_call_plays_from_the_next_round_on() -> None:
    club = Club()
    club.enter(3)
    club.call()
    club.check_in(0)

    club.enter()

    # It has seen the link of another entrant, and could have chosen its own anchor by it.
    with pytest.raises(NotExpected):
        club.check_in(3)
    club.check_in(1, 2)
    club.take(1, 1, 2, 3)
    club.call()
    assert club.round.expected == (0, 1, 2, 3)


def test_late_entries_end_where_they_could_play_no_round() -> None:
    swiss, knockout = Club(format=ScoreRounds(rounds=1)), Club(format=Knockout(survivors=1))
    for club in (swiss, knockout):
        club.enter(4)
        club.call()

        with pytest.raises(EntriesAreClosed):
            club.enter()


def test_whoever_has_left_is_expected_no_more() -> None:
    club = Club()
    club.enter(4)
    club.withdraw(1)
    club.remove(2)

    club.call()

    assert club.round.expected == (0, 3)
    for leave in (club.withdraw, club.remove):
        with pytest.raises(EntrantLeft):
            leave(1)


def test_the_round_is_drawn_when_the_last_one_who_is_missing_leaves() -> None:
    club = Club()
    club.enter(4)
    club.call()
    club.check_in(0, 1, 2)

    club.withdraw(3)

    assert club.round.field == (0, 1, 2)


def test_leaving_after_checking_in_does_not_change_the_draw() -> None:
    stays, leaves = Club(), Club()
    for club in (stays, leaves):
        club.enter(6)
        club.call()
        club.check_in(0, 1, 2, 3, 4)
    leaves.withdraw(2)

    for club in (stays, leaves):
        club.check_in(5)

    # The same lots, and the same tables, from which the one who left is then taken.
    assert leaves.round.lots == stays.round.lots
    seated = [[entrant for entrant in table.entrants if entrant != 2] for table in stays.round.tables]
    assert [list(table.entrants) for table in leaves.round.tables] == seated
    assert sorted(table.attempt for table in leaves.round.tables) == [1, 2]
