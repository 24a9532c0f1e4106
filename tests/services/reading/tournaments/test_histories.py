"""Tournaments at any version: a ruling is shown with its effect, however the state was reached."""

from domain.ids import StreamVersion
from domain.log.replay import replay
from domain.tournament.kind import TOURNAMENTS
from services.reading.tournaments.histories import TournamentHistories
from tests.domain.tournament.tournament_harness import CUP, THREES, Club
from tests.services.reading.test_histories import store_log


def ruled_club() -> Club:
    """A round of one table of three, ruled on three times."""
    club = Club(tables=THREES)
    club.enter(3)
    club.draw()
    club.take(1, 1, 2, 3)
    club.replace(1, 3, 2, 1)
    club.rule(0, -5)
    club.rule(1, 7)
    return club


async def test_the_newest_state_is_the_fold_of_the_log_after_every_command() -> None:
    club = ruled_club()
    ends = [place for place, entry in enumerate(club.entries) if entry.line.kind == "input" and place]
    store = await store_log(club, upto=ends[0])
    histories = TournamentHistories(store)

    for start, end in zip(ends, (*ends[1:], len(club.entries)), strict=True):
        await histories.read_newest(CUP)
        await store_log(club, store, after=start, upto=end)
        assert await histories.read_newest(CUP) == replay(TOURNAMENTS, club.raws[:end])

    assert [bool(ruling.changes) for ruling in club.tournament.rulings] == [True, True, True]


async def test_an_earlier_state_is_the_fold_up_to_it_and_leaves_the_newest_as_it_is() -> None:
    club = ruled_club()
    histories = TournamentHistories(await store_log(club))
    versions = [StreamVersion(version) for version in range(1, len(club.raws) + 1)]

    found = [await histories.read_at(CUP, version) for version in versions]

    assert found == [replay(TOURNAMENTS, club.raws[:version]) for version in versions]
    assert await histories.read_newest(CUP) == replay(TOURNAMENTS, club.raws)
