"""People who were seated elsewhere by hand, sit out or left: each counts once, and is called where it sits."""

import pytest

from domain.log.actors import ByPlayer
from domain.log.rejections import UnfitEvent
from domain.rejection import Rejection
from domain.tournament import rejections
from domain.tournament import ruling_events as rulings
from domain.tournament.contender import WISHED_PAIRS_MAX
from domain.tournament.door import CODES_MAX, Door, hash_code
from domain.tournament.events import EntryTaken, RoundSkipped
from domain.tournament.word_events import OrganiserCalled
from services.reading.tournaments.calendar import find_next
from tests.domain.tournament.desk_harness import LINK, SECRET, drawn, hand, rule, seat, take
from tests.domain.tournament.tournament_harness import PAIRS, THREES, Club, own_links, player


def test_who_was_moved_is_called_to_the_new_table_and_who_sits_out_has_a_bye() -> None:
    club = drawn(8, tables=THREES)
    first, second = club.table(1), club.table(2)
    keeps = (*second.entrants[:2], *first.entrants[:2])
    seat(club, (1, ()), (2, keeps))

    nexts = {entrant: find_next(club.tournament, player(entrant)) for entrant in (*first.entrants, *second.entrants)}

    assert {(nexts[entrant].what, nexts[entrant].table) for entrant in keeps} == {("play", 2)}
    assert {nexts[entrant].what for entrant in set(nexts) - set(keeps)} == {"bye"}


def test_a_table_whose_people_sit_elsewhere_or_have_a_bye_is_neither_replayed_nor_given_a_result() -> None:
    for moved in ("table", "bye"):
        club = drawn(6)
        (a, b), (c, d) = club.table(1).entrants, club.table(2).entrants
        seat(club, (1, ()), (2, (a, c) if moved == "table" else (c, d)[::-1]))

        with pytest.raises(UnfitEvent):
            club.replay(1)
        with pytest.raises(UnfitEvent):
            club.replace(1, 1, 2)
        club.void(1)
        assert b not in club.table(2).entrants


def test_an_excuse_holds_through_a_removal_and_nobody_who_sits_out_is_seated() -> None:
    club = Club(tables=PAIRS)
    club.enter(5)
    club.call()
    rule(club, rulings.EntrantExcused, entrant=4, round=1, points=60)
    club.remove(4)
    rule(club, rulings.EntrantReturned, entrant=4)

    assert 4 not in club.round.waiting
    club.check_in(0, 1, 2, 3)
    with pytest.raises(UnfitEvent):
        seat(club, (1, (club.table(1).entrants[0], 4)))


def test_a_held_draw_is_released_before_another_is_held() -> None:
    club = Club(tables=PAIRS)
    club.enter(4)
    rule(club, rulings.DrawHeld, round=1)
    club.draw()

    with pytest.raises(rejections.RoundGoesOn):
        rule(club, rulings.DrawHeld, round=2)

    rule(club, rulings.DrawReleased, round=1)
    rule(club, rulings.DrawHeld, round=2)


def test_a_table_that_is_drawn_again_for_a_lost_phone_has_nobody_who_left() -> None:
    club = drawn(3, tables=THREES)
    gone, lost, _ = club.table(1).entrants
    club.withdraw(gone)
    hand(club, lost)

    assert take(club, lost, by=9) == ["entry_taken", "table_drawn", "table_drawn"]
    assert gone not in club.table(1).entrants


def test_a_game_of_a_held_draw_is_that_of_the_new_device_whatever_the_ruling_says_of_games() -> None:
    club = Club(tables=PAIRS)
    club.enter(4)
    rule(club, rulings.DrawHeld, round=1)
    club.draw()
    hand(club, 2, "goes_on")
    take(club, 2, by=9)

    people = [person.player for table in club.round.tables for person in table.people]

    assert player(9) in people
    assert player(2) not in people


def test_an_anchor_that_the_log_has_is_no_anchor_of_new_links() -> None:
    club = drawn(4)
    hand(club, 2)
    own = player(2)
    brought = {"anchor": own_links(2)[0], "links": 64, "key": None}

    with pytest.raises(UnfitEvent):
        club.do(EntryTaken, ByPlayer(player=own), entrant=2, player=own, invitation=SECRET, **brought)


def test_an_entrant_skips_the_coming_round_alone() -> None:
    club = Club(tables=PAIRS)
    club.enter(4)
    for round_ in (2, 3):
        with pytest.raises(rejections.NotNextRound):
            club.do(RoundSkipped, ByPlayer(player=player(0)), entrant=0, round=round_)


def test_who_waits_to_be_admitted_calls_nobody_and_is_handed_to_nobody() -> None:
    club = Club(tables=PAIRS, door=Door(codes=(), is_shared=False, has_approval=True))
    club.enter(1)

    with pytest.raises(rejections.EntrantLeft):
        club.do(OrganiserCalled, ByPlayer(player=player(0)), entrant=0, text="Hello?")
    with pytest.raises(rejections.EntrantLeft):
        rule(club, rulings.EntryHanded, entrant=0, link=LINK, game="again")


def test_wishes_are_bounded_by_the_pairs_that_a_draw_weighs() -> None:
    club = Club(tables=PAIRS)
    club.enter(100)
    large = WISHED_PAIRS_MAX // (16 * 15 // 2)
    for number in range(large):
        rule(club, rulings.PairingWished, entrants=tuple(range(number, number + 16)), wish="apart")

    with pytest.raises(rejections.RulingsExhausted):
        rule(club, rulings.PairingWished, entrants=tuple(range(50, 66)), wish="apart")


def test_the_longest_list_of_codes_is_still_a_line() -> None:
    alphabet = "ABCDEFGHJKLMNPQR"
    codes = [
        f"{alphabet[number // 256]}{alphabet[number // 16 % 16]}{alphabet[number % 16]}" * 6 for number in range(768)
    ]
    hashes = tuple(sorted(map(hash_code, codes)))
    assert len(hashes) == CODES_MAX

    club = Club(tables=PAIRS, door=Door(codes=hashes, is_shared=False, has_approval=False))

    assert len(club.raws[0]) < 65_536
    with pytest.raises(Rejection):
        Club(tables=PAIRS, door=Door(codes=(*hashes, "ff" * 32), is_shared=False, has_approval=False))
