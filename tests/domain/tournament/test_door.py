"""The door of a tournament: codes that are shared or for one, approval, and what people are told before they enter."""

import msgspec
import pytest

from domain.log.actors import ByPlayer
from domain.rejection import Rejection
from domain.tournament import rejections
from domain.tournament import ruling_events as rulings
from domain.tournament.door import Code, Door, hash_code
from domain.tournament.events import EntrantEntered
from tests.domain.tournament.tournament_harness import ORGANISER, PAIRS, Club, own_links, player

CODES = ("ABCDEFGHJKLMNPQR", "BCDEFGHJKLMNPQRS")
HASHES = tuple(sorted(map(hash_code, CODES)))


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
        Door(codes=(HASHES[0], HASHES[0]), is_shared=False, has_approval=False),
        Door(codes=HASHES, is_shared=True, has_approval=False),
        Door(codes=(), is_shared=True, has_approval=False),
    ],
)
def test_a_door_that_does_not_fit_is_refused_at_the_opening(unfit: Door) -> None:
    with pytest.raises(rejections.UnfitTournament):
        Club(tables=PAIRS, door=unfit)
