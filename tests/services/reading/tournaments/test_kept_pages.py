"""Kept pages: the same bytes for the same event, and never more of them than fit."""

from domain.ids import StreamVersion
from services.reading.tournaments.kept_pages import KeptPages, PageOf
from tests.domain.tournament.tournament_harness import CUP


def page(version: int, *, name: str = "standings", round_: int | None = None) -> PageOf:
    return PageOf(tournament=CUP, version=StreamVersion(version), name=name, round=round_)


def test_a_page_is_kept_for_its_event_alone() -> None:
    kept = KeptPages()

    kept.keep(page(3), b"three")

    assert kept.find(page(3)) == b"three"
    assert [kept.find(each) for each in (page(4), page(3, name="pairings"), page(3, round_=1))] == [None] * 3


def test_those_that_were_not_used_for_longest_go_first() -> None:
    kept = KeptPages(size_max=10)
    for version in (1, 2):
        kept.keep(page(version), b"five!")
    kept.find(page(1))

    kept.keep(page(3), b"five!")

    assert [kept.find(page(version)) is not None for version in (1, 2, 3)] == [True, False, True]


def test_what_is_kept_again_counts_once_and_what_is_too_large_not_at_all() -> None:
    kept = KeptPages(size_max=10)
    for _ in range(5):
        kept.keep(page(1), b"five!")
    kept.keep(page(2), b"five!")
    both = len(kept)

    kept.keep(page(3), bytes(11))

    assert (both, len(kept), kept.find(page(3))) == (2, 2, None)
