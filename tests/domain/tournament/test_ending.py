"""How a tournament ends: closed with the last word on its standings, or aborted; and the secret is always disclosed."""

import pytest

from domain.log.actors import ByPlayer
from domain.log.rejections import NotAllowed
from domain.tournament.events import TournamentAborted, TournamentClosed, TournamentFinished
from domain.tournament.formats import ScoreRounds
from domain.tournament.rejections import ReasonMissing, ReasonUnwanted, RoundGoesOn, TournamentOver
from domain.tournament.scores import list_standings
from tests.domain.tournament.tournament_harness import ORGANISER, SECRET, SERVER, Club, player


def complete() -> Club:
    club = Club(format=ScoreRounds(rounds=2))
    club.enter(5)
    for seed in (1, 2):
        club.draw()
        club.play(seed)
    return club


def test_rulings_are_heard_until_an_organiser_closes_the_tournament() -> None:
    club = complete()
    club.rule(4, 1_000, round_=2)

    decided = club.close()

    assert [entry.line.type for entry in decided.entries] == [
        "tournament_closed",
        "standings_told",
        "tournament_finished",
        "secret_disclosed",
    ]
    assert club.told()[0].entrant == 4
    assert club.told() == list_standings(club.tournament)
    assert decided.entries[-2].event == TournamentFinished(rounds=2)
    assert SECRET.hex() in decided.entries[-1].raw.decode()


def test_nothing_happens_in_a_tournament_that_is_over() -> None:
    closed, aborted = complete(), complete()
    closed.close()
    aborted.abort()

    for club in (closed, aborted):
        for step in (club.call, club.abort, club.close, club.enter, lambda club=club: club.rule(0, 5)):
            with pytest.raises(TournamentOver):
                step()


def test_a_tournament_is_closed_early_only_with_a_reason() -> None:
    early, late = Club(), complete()
    early.enter(4)
    early.draw()
    with pytest.raises(RoundGoesOn):
        early.close("the hall closes")
    early.play(1)

    with pytest.raises(ReasonMissing):
        early.close()
    with pytest.raises(ReasonUnwanted):
        late.close("because")
    early.close("the hall closes")

    assert early.tournament.status == "finished"


def test_an_aborted_tournament_discloses_its_secret_and_has_no_winner() -> None:
    club = Club()
    club.enter(4)
    club.draw()

    decided = club.abort()

    assert [entry.line.type for entry in decided.entries] == ["tournament_aborted", "secret_disclosed"]
    assert club.tournament.is_disclosed


def test_only_organisers_close_and_only_they_or_the_operator_abort() -> None:
    club = complete()

    for actor in (ByPlayer(player=player(0)), SERVER):
        with pytest.raises(NotAllowed):
            club.do(TournamentClosed, actor, reason=None)
        with pytest.raises(NotAllowed):
            club.do(TournamentAborted, actor, reason="rain")
    club.do(TournamentAborted, ORGANISER, reason="rain")

    assert club.tournament.status == "aborted"
