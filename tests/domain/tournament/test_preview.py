"""The preview of a ruling is the ruling itself, decided on the public log and stored nowhere."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from domain.ids import CommandId
from domain.log.enact import Decided, preview
from domain.log.entry import Input
from domain.log.rejections import NotAllowed
from domain.log.replay import read_input, replay
from domain.tournament.events import InputEvent
from domain.tournament.kind import TOURNAMENTS
from domain.tournament.ruling_events import EntrantRemoved, PointsRuled
from domain.tournament.state import Tournament
from tests.domain.tournament.tournament_harness import NOON, ORGA, ORGANISER, THREES, Club, player


def build_club(*places: int) -> Club:
    """A table of three, with these places where its game is over."""
    club = Club(tables=THREES)
    club.enter(3)
    club.draw()
    if places:
        club.take(1, *places)
    return club


def preview_of(club: Club, event: InputEvent, *, by: str = f"organiser:{ORGA}") -> Decided[Tournament]:
    command = CommandId("0199c0de-0000-7000-9000-00000000aaaa")
    put = Input(event=event, by=by, at_ms=NOON, command=command, sig=None)
    return preview(TOURNAMENTS, replay(TOURNAMENTS, club.raws), put)


@pytest.mark.parametrize(
    ("places", "rule", "types"),
    [
        ((1, 2, 3), lambda club: club.rule(1, -7), ["points_ruled"]),
        ((1, 2, 3), lambda club: club.replace(1, 3, 1, 1), ["result_replaced", "table_scored"]),
        ((1, 2, 3), lambda club: club.void(1), ["game_voided", "table_scored"]),
        ((1, 2, 3), lambda club: club.remove(2), ["entrant_removed"]),
        (
            (),
            lambda club: club.replace(1, 1, 2, 3),
            ["result_replaced", "table_scored", "standings_told", "round_closed"],
        ),
        ((), lambda club: club.replay(1), ["table_replayed", "table_drawn"]),
        ((), lambda club: club.tell_no_show(1, 0, reason="ill", actor=ORGANISER), ["no_show_told", "table_drawn"]),
        (
            (),
            lambda club: club.tell_no_show(1, 0, 1, reason="ill", actor=ORGANISER),
            ["no_show_told", "walkover_given", "standings_told", "round_closed"],
        ),
    ],
)
def test_the_preview_has_every_line_that_the_ruling_then_logs(
    places: tuple[int, ...], rule: Callable[[Club], Decided[Tournament]], types: list[str]
) -> None:
    club = build_club(*places)
    public = replay(TOURNAMENTS, club.raws)

    ruled = rule(club)

    entry = ruled.entries[0]
    told = preview(TOURNAMENTS, public, replace(read_input(entry), at_ms=club.now, sig=None))
    assert [entry.raw for entry in told.entries] == [entry.raw for entry in ruled.entries]
    assert [entry.line.type for entry in told.entries] == types
    assert told.state.rulings == ruled.state.rulings


def test_a_draw_has_no_preview() -> None:
    club = Club(tables=THREES)
    club.enter(4)
    club.call()
    club.check_in(0, 1, 2)

    told = preview_of(club, EntrantRemoved(entrant=3, reason="two accounts"))

    assert [entry.line.type for entry in told.entries] == ["entrant_removed", "round_drawn"]
    assert [entry.left for entry in told.state.entries] == [None, None, None, "removed"]


def test_a_signature_is_asked_of_the_ruling_and_not_of_its_preview() -> None:
    club = Club(tables=THREES, organisers={ORGA: "ab" * 32})
    club.enter(2)

    told = preview_of(club, EntrantRemoved(entrant=1, reason="two accounts"))

    assert told.state.entries[1].left == "removed"


def test_a_ruling_that_is_refused_has_no_preview() -> None:
    club = build_club(1, 2, 3)
    points = PointsRuled(entrant=0, round=1, points=5, reason="late")

    with pytest.raises(NotAllowed, match="expected organiser:"):
        preview_of(club, points, by=f"player:{player(0)}")
