"""Opening a tournament: terms that can be played, and one commitment to its lots."""

from typing import Any

import pytest

from domain.chance import commit, derive_anchors
from domain.game.events import ClockTerms
from domain.ids import GameId, OrganiserId
from domain.log.actors import ByPlayer
from domain.log.rejections import NotAllowed, SignatureUnwanted, UnfitEvent, UnfitOptions
from domain.rejection import Rejection
from domain.ruleset.catalogue import UnknownRuleset
from domain.tournament.events import TournamentOpened
from domain.tournament.formats import HeatsAndFinal, Knockout, ScoreRounds
from domain.tournament.opening import decide_opening
from domain.tournament.rejections import UnfitTournament
from domain.tournament.sizes import TableSizes
from tests.domain.tournament.tournament_harness import (
    CATALOGUE,
    CUP,
    ORGA,
    ORGANISER,
    SECRET,
    THREES,
    Club,
    opening,
    player,
)

STRANGER = OrganiserId("0199c0de-0000-7000-8000-0000000000f1")


def test_the_first_line_binds_the_lots_to_one_secret() -> None:
    club = Club()

    opened = club.tournament.opened

    assert opened.commit == commit(GameId(CUP), SECRET)
    assert opened.anchors == derive_anchors(SECRET, 1)
    assert SECRET.hex() not in club.raws[0].decode()


def test_the_first_line_says_every_term() -> None:
    club = Club(clock=ClockTerms(per_decision_ms=60_000, bank_ms=0), demands=("signed", "links"))

    opened = club.entries[0].event

    assert isinstance(opened, TournamentOpened)
    assert opened.demands == ("links", "signed")
    assert club.entries[0].line.by == f"organiser:{ORGA}"
    assert set(club.entries[0].line.data) >= {"format", "tables", "points", "tie_breaks", "check_in_ms", "sit_down_ms"}


def test_only_an_organiser_who_is_named_opens_a_tournament() -> None:
    with pytest.raises(NotAllowed):
        decide_opening(opening(actor=ByPlayer(player=player(0))), CATALOGUE)
    with pytest.raises(UnfitTournament):
        decide_opening(opening(organisers={STRANGER: None}), CATALOGUE)


def test_nobody_signs_an_opening() -> None:
    with pytest.raises(SignatureUnwanted):
        decide_opening(opening(sig="00" * 64), CATALOGUE)


@pytest.mark.parametrize(
    ("terms", "refused"),
    [
        ({"name": ""}, UnfitEvent),
        ({"name": "two\nlines"}, UnfitEvent),
        ({"ruleset": "dice-poker"}, UnknownRuleset),
        ({"options": {"stakes": 5}}, UnfitOptions),
        ({"tables": TableSizes(min=3, max=4, preferred=2)}, UnfitTournament),
        ({"tables": TableSizes(min=2, max=12, preferred=3)}, UnfitTournament),
        ({"format": Knockout(survivors=2)}, UnfitTournament),
        ({"format": HeatsAndFinal(heats=1, finalists=9)}, UnfitTournament),
        ({"format": ScoreRounds(rounds=65)}, UnfitEvent),
        ({"points": {"2": (60, 0)}}, UnfitTournament),
        ({"points": {"2": (60, 0), "3": (60, 0), "4": (60, 40, 20, 0)}}, UnfitTournament),
        ({"points": {"2": (0, 60), "3": (60, 30, 0), "4": (60, 40, 20, 0)}}, UnfitTournament),
        ({"points": {"2": (60, -1), "3": (60, 30, 0), "4": (60, 40, 20, 0)}}, UnfitEvent),
        ({"bye_points": -1}, UnfitEvent),
        ({"tie_breaks": ("wins", "wins")}, UnfitTournament),
        ({"tie_breaks": ("beauty",)}, UnfitEvent),
        ({"demands": ("links", "links")}, UnfitTournament),
        ({"entries_max": 1}, UnfitEvent),
        ({"entries_max": 2_049}, UnfitEvent),
        ({"check_in_ms": 0}, UnfitEvent),
        ({"sit_down_ms": 0}, UnfitEvent),
        ({"delay_s": -1}, UnfitEvent),
    ],
)
def test_terms_that_cannot_be_played_are_refused(terms: dict[str, Any], refused: type[Rejection]) -> None:
    command = opening(**({"tables": THREES} | terms))

    with pytest.raises(refused):
        decide_opening(command, CATALOGUE)


def test_a_command_shows_nothing_of_the_secret() -> None:
    assert SECRET.hex() not in repr(opening(actor=ORGANISER))
    assert repr(SECRET) not in repr(opening())
