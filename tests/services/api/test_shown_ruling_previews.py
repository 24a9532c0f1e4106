"""The preview of a ruling in words: first the ruling as the log would have it, then each line that follows from it."""

from collections.abc import Callable, Sequence

import pytest

from domain.ids import CommandId
from domain.log.enact import Decided, preview
from domain.log.entry import Input
from domain.log.replay import replay
from domain.tournament.events import InputEvent, NoShowTold
from domain.tournament.kind import TOURNAMENTS
from domain.tournament.ruling_events import EntrantRemoved
from domain.tournament.state import Tournament
from services.api.tournaments.ruling_previews import RulingPreview, show_ruling_preview
from services.reading.tournaments.shown import show_tournament
from tests.domain.tournament.tournament_harness import NOON, ORGA, THREES, Club, player

NAMES = {player(0): "Ada", player(1): "Bob", player(2): "Cleo", player(3): "Dido\n"}
CLOSING = ["The standings after round 1 are published.", "Round 1 is closed."]


def build_club(*places: int) -> Club:
    """A table of three, with these places where its game is over."""
    club = Club(tables=THREES)
    club.enter(3)
    club.draw()
    if places:
        club.take(1, *places)
    return club


def preview_of(raws: Sequence[bytes], event: InputEvent) -> RulingPreview:
    command = CommandId("0199c0de-0000-7000-9000-00000000aaaa")
    put = Input(event=event, by=f"organiser:{ORGA}", at_ms=NOON, command=command, sig=None)
    return show_ruling_preview(preview(TOURNAMENTS, replay(TOURNAMENTS, raws), put), NAMES)


def absent(*entrants: int) -> NoShowTold:
    return NoShowTold(round=1, table=1, attempt=1, entrants=entrants, reason="ill")


@pytest.mark.parametrize(
    "rule",
    [
        lambda club: club.rule(1, -7),
        lambda club: club.replace(1, 3, 1, 1),
        lambda club: club.void(1),
        lambda club: club.remove(2),
    ],
)
def test_a_preview_and_the_log_tell_a_ruling_in_the_same_words(rule: Callable[[Club], Decided[Tournament]]) -> None:
    club = build_club(1, 2, 3)
    raws = list(club.raws)

    event = rule(club).entries[0].event
    assert isinstance(event, InputEvent)
    told = preview_of(raws, event)

    (ruling,) = show_tournament(club.tournament, NAMES).rulings
    assert told.ruling == ruling
    assert told.version == len(raws)


def test_where_two_of_three_are_absent_the_third_walks_over() -> None:
    club = build_club()
    first, second, third = club.table(1).entrants

    told = preview_of(club.raws, absent(*sorted((first, second))))

    walkover = f"Too few are left at round 1, table 1: {NAMES[player(third)]} walks over and has 60 points."
    assert [outcome.told for outcome in told.outcomes] == [walkover, *CLOSING]
    assert told.ruling.told.endswith(f"Points changed: {NAMES[player(third)]} 0 → 60.")
    assert told.outcomes[0].data["points"] == 60


def test_where_one_of_three_is_absent_the_others_are_drawn_again() -> None:
    club = build_club()
    first, second, third = (NAMES[player(entrant)] for entrant in club.table(1).entrants)

    told = preview_of(club.raws, absent(club.table(1).entrants[0]))

    again = f"Round 1, table 1 is drawn again with {second} and {third}, in a new game."
    assert [outcome.told for outcome in told.outcomes] == [again]
    assert f"told {first} absent from round 1, table 1. Reason: ill. No points changed." in told.ruling.told


def test_where_all_are_absent_the_table_counts_nothing() -> None:
    told = preview_of(build_club().raws, absent(0, 1, 2))

    assert [outcome.told for outcome in told.outcomes] == [
        "No entrant is left at round 1, table 1: it counts nothing.",
        *CLOSING,
    ]


def test_a_draw_is_announced_and_not_told() -> None:
    club = Club(tables=THREES)
    club.enter(4)
    club.call()
    club.check_in(0, 1, 2)

    told = preview_of(club.raws, EntrantRemoved(entrant=3, reason="two accounts"))

    (drawn,) = told.outcomes
    assert drawn.told == "Round 1 is drawn for 3 entrants, with lots that are rolled only then."
    assert "removed Dido\\n." in told.ruling.told
