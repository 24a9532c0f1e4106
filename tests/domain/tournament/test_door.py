"""The door of a tournament: codes that are shared or for one, approval, and what people are told before they enter."""

import msgspec
import pytest
from msgspec.structs import replace

from domain.log.actors import ByPlayer
from domain.rejection import Rejection
from domain.tournament import rejections
from domain.tournament import ruling_events as rulings
from domain.tournament.door import Code, Door, PlaceGiven, hash_code
from domain.tournament.entering import admit_entry, has_place
from domain.tournament.events import EntrantEntered
from domain.tournament.fields import ENTRIES_MAX
from domain.tournament.formats import ScoreRounds
from tests.domain.tournament.tournament_harness import ORGANISER, PAIRS, Club, own_links, player

CODES = ("ABCDEFGHJKLMNPQR", "BCDEFGHJKLMNPQRS")
HASHES = tuple(sorted(map(hash_code, CODES)))


LISTED = Door(codes=(), is_shared=False, has_approval=False, has_waiting_list=True)


def door(*codes: str, is_shared: bool = False, has_approval: bool = False) -> Door:
    return Door(codes=tuple(sorted(map(hash_code, codes))), is_shared=is_shared, has_approval=has_approval)


def enter(club: Club, shown: str | None, *, named: str | None = None) -> None:
    """Enter with a code, whose hash the entry names unless it names another."""
    number = len(club.tournament.entries)
    fields = {} if shown is None and named is None else {"code": hash_code(named or shown or "")}
    brought = {"entrant": number, "anchor": own_links(number)[0], "links": 64, "key": None}
    club.do(EntrantEntered, ByPlayer(player=player(number)), shown_code=shown, **brought, **fields)


def test_each_code_of_a_list_lets_one_person_in() -> None:
    club = Club(tables=PAIRS, door=door(*CODES))

    enter(club, CODES[0])
    with pytest.raises(rejections.CodeUnfit):
        enter(club, CODES[0])
    enter(club, CODES[1])

    assert {entry.code for entry in club.tournament.entries} == set(HASHES)


def test_a_shared_code_lets_everybody_in() -> None:
    club = Club(tables=PAIRS, door=door(CODES[0], is_shared=True))

    for _ in range(3):
        enter(club, CODES[0])

    assert len(club.tournament.entries) == 3


@pytest.mark.parametrize(
    ("shown", "named"),
    [(None, None), ("CDEFGHJKLMNPQRST", None), (None, CODES[0]), (CODES[1], CODES[0]), ("CDEFGHJKLMNPQRST", CODES[0])],
)
def test_nobody_comes_in_without_a_code_nor_with_the_hash_alone(shown: str | None, named: str | None) -> None:
    club = Club(tables=PAIRS, door=door(*CODES))

    with pytest.raises(rejections.CodeUnfit):
        enter(club, shown, named=named)


@pytest.mark.parametrize("short", ["", "K7QF", "K7QFM2XWPA9TBCD", "k7qfm2xwpa9tbcde", "K7QFM2XWPA9TBCD1"])
def test_a_code_of_less_than_eighty_bits_which_its_hash_would_give_away_is_refused(short: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(short, Code)


def test_an_open_door_takes_no_code() -> None:
    with pytest.raises(Rejection):
        enter(Club(tables=PAIRS), CODES[0])


def test_who_waits_for_approval_is_in_no_draw_and_takes_no_place_until_admitted() -> None:
    club = Club(tables=PAIRS, door=door(has_approval=True), entries_max=2)
    for _ in range(3):
        enter(club, None)
    for entrant in (0, 2):
        club.do(rulings.EntrantAdmitted, ORGANISER, entrant=entrant, reason="known")
    with pytest.raises(rejections.TournamentFull):
        club.do(rulings.EntrantAdmitted, ORGANISER, entrant=1, reason="known")

    club.draw()

    assert club.round.field == (0, 2)
    with pytest.raises(rejections.EntrantStays):
        club.do(rulings.EntrantAdmitted, ORGANISER, entrant=0, reason="known")
    with pytest.raises(rejections.EntrantStays):
        club.do(rulings.EntrantReturned, ORGANISER, entrant=1, reason="known")


def test_an_application_is_declined_and_may_be_taken_back_later() -> None:
    club = Club(tables=PAIRS, door=door(has_approval=True))
    enter(club, None)
    club.remove(0)
    with pytest.raises(rejections.EntrantStays):
        club.do(rulings.EntrantAdmitted, ORGANISER, entrant=0, reason="known")

    club.do(rulings.EntrantReturned, ORGANISER, entrant=0, reason="a mistake")

    assert club.tournament.entries[0].left is None


@pytest.mark.parametrize(
    "unfit",
    [
        Door(codes=HASHES[::-1], is_shared=False, has_approval=False),
        Door(codes=(), is_shared=False, has_approval=False, has_waiting_list=False),
        Door(codes=(), is_shared=False, has_approval=True, has_waiting_list=True),
        Door(codes=(HASHES[0], HASHES[0]), is_shared=False, has_approval=False),
        Door(codes=HASHES, is_shared=True, has_approval=False),
        Door(codes=(), is_shared=True, has_approval=False),
    ],
)
def test_a_door_that_does_not_fit_is_refused_at_the_opening(unfit: Door) -> None:
    with pytest.raises(rejections.UnfitTournament):
        Club(tables=PAIRS, door=unfit)


def test_behind_the_last_place_entrants_wait_in_line_and_come_in_as_places_become_free() -> None:
    club = Club(tables=PAIRS, door=LISTED, entries_max=2)
    club.enter(5)
    assert [entry.left for entry in club.tournament.entries] == [None, None, "waiting", "waiting", "waiting"]

    club.withdraw(3)
    club.withdraw(0)
    club.remove(1)

    assert [entry.left for entry in club.tournament.entries] == ["withdrawn", "removed", None, "withdrawn", None]
    given = [entry.event for entry in club.entries if isinstance(entry.event, PlaceGiven)]
    assert [event.entrant for event in given] == [2, 4]
    club.draw()
    assert club.round.field == (2, 4)


def test_a_place_that_was_given_is_taken_back_by_nobody_and_a_free_one_waits_for_nobody() -> None:
    club = Club(tables=PAIRS, door=LISTED, entries_max=2)
    club.enter(3)
    club.withdraw(0)

    with pytest.raises(rejections.TournamentFull):
        club.do(rulings.EntrantReturned, ORGANISER, entrant=0, reason="back again")
    club.withdraw(1)
    club.enter()

    assert [entry.left for entry in club.tournament.entries] == ["withdrawn", "withdrawn", None, None]


def test_a_waiting_list_as_long_as_a_log_allows_keeps_nobody_out_of_a_free_place() -> None:
    club = Club(tables=PAIRS, door=LISTED, entries_max=2)
    club.enter(3)
    withdrawn, entered, waiting = club.tournament.entries
    withdrawn = replace(withdrawn, left="withdrawn")

    crowded = replace(club.tournament, entries=(withdrawn, entered, *[waiting] * (ENTRIES_MAX - 2)))

    assert has_place(crowded)
    with pytest.raises(rejections.TournamentFull):
        admit_entry(crowded, EntrantEntered(entrant=ENTRIES_MAX, player=player(5), anchor=None, links=0, key=None))


def test_the_waiting_list_ends_with_the_rounds_in_which_an_entrant_could_play() -> None:
    club = Club(tables=PAIRS, door=LISTED, entries_max=2, format=ScoreRounds(rounds=1))
    club.enter(3)
    club.draw()

    club.withdraw(0)

    assert club.tournament.entries[2].left == "waiting"
