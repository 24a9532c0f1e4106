"""How a game ends: by its rules or by a ruling, and always with its secret in the last line."""

from typing import Any

import pytest

from domain.game.commands import GameCommand
from domain.game.events import ClockExtended, GameAborted, SeatRemoved
from domain.game.kind import GAMES
from domain.game.rejections import GameOver, SeatDeparted
from domain.ids import OrganiserId, Seat
from domain.log.actors import ByOrganiser, ByPlayer
from domain.log.rejections import NotAllowed, UnfitEvent
from domain.log.replay import replay
from tests.domain.game.fake_ruleset_mug import Value
from tests.domain.game.game_harness import (
    BOB,
    CATALOGUE,
    CLOCK,
    OPERATOR,
    ORGANISER,
    SECRET,
    SERVER,
    Table,
    mug_terms,
    types_of,
    with_clock,
)
from tests.domain.log.redeciding import redecide
from tests.domain.rulesets.fake_ruleset_torches import Bid

STRANGER = ByOrganiser(organiser=OrganiserId("0199c0de-0000-7000-8000-0000000000f9"))
PLAYER = ByPlayer(player=BOB)


def test_the_ranking_is_that_of_the_rules_and_places_may_be_shared() -> None:
    table = Table(**mug_terms(opens_together=True)).start()
    for seat in (0, 0, 1, 1):
        table.entrust(seat, Value(value=2))

    assert table.data("game_finished") == [{"ranking": [{"place": 1, "seat": 0}, {"place": 1, "seat": 1}]}]
    assert table.game.status == "finished"
    assert redecide(GAMES, table.raws, CATALOGUE, SECRET) == table.game


def test_the_last_line_of_a_finished_game_discloses_its_secret() -> None:
    table = Table().start().finish()

    assert table.types[-1] == "secret_disclosed"
    assert table.entries[-1].line.data == {"secret": SECRET.hex()}
    assert table.game.is_disclosed


@pytest.mark.parametrize("is_started", [False, True])
@pytest.mark.parametrize("actor", [OPERATOR, ORGANISER])
def test_an_abort_is_followed_by_the_secret_and_nothing_else(actor: Any, *, is_started: bool) -> None:
    table = Table().start() if is_started else Table()

    decided = table.abort(actor)

    assert types_of(decided) == ["game_aborted", "secret_disclosed"]
    assert table.game.status == "aborted"
    assert replay(GAMES, table.raws, CATALOGUE, secret=SECRET) == table.game
    assert redecide(GAMES, table.raws, CATALOGUE, SECRET) == table.game


@pytest.mark.parametrize("is_aborted", [False, True])
def test_after_its_end_nothing_is_accepted(*, is_aborted: bool) -> None:
    table = Table(clock=with_clock()).start()
    if is_aborted:
        table.abort()
    else:
        table.finish()
    before = table.raws

    for late in (
        table.take,
        table.leave,
        table.ready,
        table.resign,
        table.remove,
        table.extend,
        lambda seat: table.expire(seat, "r1/bid/0"),
        lambda seat: table.seal(seat, {}),
        lambda seat: table.entrust(seat, {}),
        lambda seat: table.reveal(seat, {}),
        lambda seat: table.play(seat, "r1/left/0", {}),
        lambda _: table.witness(),
        lambda _: table.abort(),
    ):
        with pytest.raises(GameOver):
            late(0)

    assert table.raws == before


def test_when_all_but_one_have_left_the_game_finishes() -> None:
    table = Table().start()
    table.resign(0)

    decided = table.remove(2)

    assert types_of(decided)[-2:] == ["game_finished", "secret_disclosed"]
    assert redecide(GAMES, table.raws, CATALOGUE, SECRET) == table.game


@pytest.mark.parametrize(
    ("actor", "ruling"),
    [
        *((actor, "extend") for actor in (PLAYER, STRANGER, SERVER, OPERATOR)),
        *((actor, "remove") for actor in (PLAYER, STRANGER, CLOCK, SERVER, OPERATOR)),
    ],
)
def test_only_an_organiser_of_the_game_rules(actor: Any, ruling: str) -> None:
    table = Table(clock=with_clock()).start()

    with pytest.raises(NotAllowed):
        getattr(table, ruling)(1, actor=actor)


@pytest.mark.parametrize("actor", [PLAYER, STRANGER, CLOCK, SERVER])
def test_only_the_operator_or_an_organiser_aborts(actor: Any) -> None:
    table = Table().start()

    with pytest.raises(NotAllowed):
        table.abort(actor)


@pytest.mark.parametrize("reason", ["", "x" * 501, "a\0b", "a\nb", "late\n", "\x1b[31m", "\x7f", "\x85", "\ud800"])
def test_a_ruling_has_a_reason_of_some_length_without_control_characters(reason: str) -> None:
    table = Table(clock=with_clock()).start()

    for actor in (OPERATOR, ORGANISER):
        with pytest.raises(UnfitEvent):
            table.put(GameCommand(event=GameAborted(reason=reason), **table.meta(actor)))
    with pytest.raises(UnfitEvent):
        table.put(GameCommand(event=SeatRemoved(seat=Seat(0), reason=reason), **table.meta(ORGANISER)))
    with pytest.raises(UnfitEvent):
        table.put(GameCommand(event=ClockExtended(seats=(Seat(0),), ms=1, reason=reason), **table.meta(ORGANISER)))


def test_the_longest_reason_fits_whatever_it_is_written_in() -> None:
    table = Table().start()

    assert table.put(GameCommand(event=GameAborted(reason='"' * 250 + "🏛" * 250), **table.meta(OPERATOR))).entries


def test_a_removed_seat_leaves_a_running_game_as_if_it_resigned() -> None:
    table = Table(clock=with_clock()).start()
    table.seal(0, Bid(card=0, drop=None))

    table.remove(1)

    assert table.game.departures == (1,)
    assert [fields["seat"] for fields in table.data("seat_fell")] == [1]
    with pytest.raises(SeatDeparted):
        table.extend(1)
    with pytest.raises(SeatDeparted):
        table.expire(1, "r1/bid/1")
