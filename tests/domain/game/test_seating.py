"""Before the start: seats are taken, left, readied and removed, and the demands of a game are met."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from domain.game.admission import LINES_MAX
from domain.game.commands import GameCommand
from domain.game.events import SeatReadied, SeatResigned, SeatTaken
from domain.game.kind import GAMES
from domain.game.rejections import (
    AlreadyReady,
    AlreadySeated,
    AlreadyStarted,
    GameTooLong,
    NoSuchSeat,
    NotStarted,
    NotYourSeat,
    SeatingsExhausted,
    SeatNotHeld,
    SeatNotVacant,
    SeatsVacant,
    WrongSeatCount,
)
from domain.game.state import SEATINGS_MAX, Closed, Held, Vacant
from domain.ids import Seat, StreamVersion
from domain.log.actors import ByPlayer
from domain.log.own_links import LINKS_MIN
from domain.log.rejections import DemandNotMet, LinkDoesNotFit, NotAllowed, TooFewLinks, UnfitEvent
from domain.rejection import IllegalAction
from tests.domain.game.game_harness import (
    ADA,
    BOB,
    CATALOGUE,
    CEM,
    CLOCK,
    OPERATOR,
    PLAYERS,
    SECRET,
    SERVER,
    Table,
    mug_terms,
    own_links,
    public_hex,
    signing_key,
    types_of,
    with_clock,
)
from tests.domain.log.redeciding import redecide


def seated(**terms: Any) -> Table:
    table = Table(**terms)
    for seat in range(len(table.game.seats)):
        table.take(seat)
    return table


def is_ready(table: Table) -> list[bool]:
    return [isinstance(seat, Held) and seat.is_ready for seat in table.game.seats]


def test_a_seat_is_taken_in_the_name_of_the_seat_and_names_its_player() -> None:
    table = Table()

    (entry,) = table.take(1).entries

    assert entry.line.by == "seat:1"
    assert entry.line.data == {"seat": 1, "player": BOB, "anchor": own_links(1)[0], "links": 1024, "key": None}


def test_a_seat_that_is_taken_or_closed_is_not_taken_again() -> None:
    table = Table()
    table.take(0)
    table.remove(1)

    for seat in (0, 1):
        with pytest.raises(SeatNotVacant):
            table.take(seat, **table.player(2))


def test_a_player_has_one_seat_in_a_game() -> None:
    table = Table()
    table.take(0)

    with pytest.raises(AlreadySeated):
        table.take(1, **table.player(0))


@pytest.mark.parametrize("seat", [3, 11])
def test_a_seat_that_is_not_there_is_not_taken(seat: int) -> None:
    table = Table()

    with pytest.raises(NoSuchSeat):
        table.put(
            GameCommand(
                event=SeatTaken(seat=Seat(seat), player=PLAYERS[0], anchor=None, links=0, key=None), **table.player(0)
            )
        )


@pytest.mark.parametrize("seat", [-1, 12])
def test_a_seat_that_no_game_has_is_not_taken(seat: int) -> None:
    table = Table()

    with pytest.raises(UnfitEvent):
        table.put(
            GameCommand(
                event=SeatTaken(seat=Seat(seat), player=PLAYERS[0], anchor=None, links=0, key=None), **table.player(0)
            )
        )


@pytest.mark.parametrize(
    "changes",
    [
        {"anchor": None, "links": 1},
        {"anchor": "11" * 32, "links": 0},
        {"anchor": "11" * 32, "links": 65_537},
        {"anchor": "1G" * 32},
        {"anchor": "AA" * 32},
        {"links": -1},
        {"key": "AA" * 32},
        {"key": "11" * 33},
    ],
)
def test_links_and_keys_must_be_well_formed(changes: dict[str, Any]) -> None:
    with pytest.raises(UnfitEvent):
        Table().take(0, **changes)


@pytest.mark.parametrize("actor", [OPERATOR, CLOCK, SERVER])
def test_only_a_player_takes_a_seat(actor: Any) -> None:
    with pytest.raises(NotAllowed):
        Table().take(0, actor=actor)


def test_a_player_takes_no_seat_for_another() -> None:
    table = Table()

    with pytest.raises(NotYourSeat):
        table.take(0, player=PLAYERS[1])


@pytest.mark.parametrize("actor", [OPERATOR, CLOCK, SERVER])
def test_nobody_acts_for_a_seat_but_its_player(actor: Any) -> None:
    table = Table().start()

    with pytest.raises(NotAllowed):
        table.put(GameCommand(event=SeatResigned(seat=Seat(0)), **table.meta(actor)))
    with pytest.raises(NotYourSeat):
        table.put(GameCommand(event=SeatResigned(seat=Seat(0)), **table.player(1)))


def test_a_seat_that_was_left_is_vacant_again() -> None:
    table = Table()
    table.take(0)

    table.leave(0)

    assert table.game.seats[0] == Vacant()
    table.take(0)


def test_a_seat_that_is_ready_does_not_leave_nor_ready_again() -> None:
    table = seated()
    table.ready(0)

    with pytest.raises(AlreadyReady):
        table.leave(0)
    with pytest.raises(AlreadyReady):
        table.ready(0)


def test_nobody_is_ready_before_every_seat_is_taken() -> None:
    table = Table()
    table.take(0)
    table.take(1)

    with pytest.raises(SeatsVacant):
        table.ready(0)

    table.take(2)
    table.ready(0)
    assert is_ready(table) == [True, False, False]


@pytest.mark.parametrize("nonce", [None, "11" * 32, own_links(0)[0], own_links(0)[2], own_links(1)[1]])
def test_a_seat_with_links_is_ready_with_its_next_one_only(nonce: str | None) -> None:
    table = seated()

    with pytest.raises(LinkDoesNotFit):
        table.put(GameCommand(event=SeatReadied(seat=Seat(0), nonce=nonce), **table.player(0)))


def test_a_seat_without_links_is_ready_with_nothing() -> None:
    table = seated(links=0)

    with pytest.raises(LinkDoesNotFit):
        table.put(GameCommand(event=SeatReadied(seat=Seat(0), nonce="11" * 32), **table.player(0)))
    table.ready(0)

    assert table.data("seat_readied") == [{"seat": 0, "nonce": None}]


def test_a_seat_whose_links_ran_out_contributes_nothing_any_more() -> None:
    table = Table(links=LINKS_MIN, **mug_terms(rounds=40, opens_together=True)).start()

    table.finish()

    nonces = [fields["nonce"] for fields in table.data("action_revealed") if fields["seat"] == 0]
    assert nonces == [*own_links(0, LINKS_MIN)[2:], *(None,) * (len(nonces) - LINKS_MIN + 1)]
    assert nonces[-1] is None
    assert redecide(GAMES, table.raws, CATALOGUE, SECRET) == table.game


def test_a_player_who_sits_down_and_leaves_keeps_no_seat_from_others() -> None:
    table = Table(seats=2)
    table.take(0)
    for _ in range(SEATINGS_MAX):
        table.take(1)
        table.leave(1)

    with pytest.raises(SeatingsExhausted):
        table.take(1)
    table.take(1, actor=ByPlayer(player=CEM))

    assert table.game.version == 2 + 2 * SEATINGS_MAX + 1
    assert redecide(GAMES, table.raws, CATALOGUE, SECRET) == table.game


def test_the_opener_aborts_a_game_before_its_start_alone() -> None:
    table, started = Table(), Table().start()
    opener = ByPlayer(player=ADA)

    with pytest.raises(NotAllowed):
        table.abort(ByPlayer(player=BOB))
    with pytest.raises(AlreadyStarted):
        started.abort(opener)

    assert types_of(table.abort(opener)) == ["game_aborted", "secret_disclosed"]
    assert redecide(GAMES, table.raws, CATALOGUE, SECRET) == table.game


@pytest.mark.parametrize(
    "departs", [lambda table: table.leave(1), lambda table: table.remove(1)], ids=["left", "removed"]
)
def test_a_seat_that_departs_once_another_is_ready_ends_the_game(departs: Callable[[Table], object]) -> None:
    table = Table()
    for seat in range(3):
        table.take(seat)
    table.ready(0)

    departs(table)

    assert table.types[-2:] == ["game_cancelled", "secret_disclosed"]
    assert table.data("game_cancelled") == [{"seat": 1}]
    assert table.game.status == "aborted"
    assert redecide(GAMES, table.raws, CATALOGUE, SECRET) == table.game


def test_a_removal_of_the_one_seat_that_was_ready_ends_the_game() -> None:
    table = Table()
    for seat in range(3):
        table.take(seat)
    table.ready(0)

    table.remove(0)

    assert table.types[-2:] == ["game_cancelled", "secret_disclosed"]


@pytest.mark.parametrize("links", [1, LINKS_MIN - 1])
def test_a_seat_brings_enough_links_or_none(links: int) -> None:
    with pytest.raises(TooFewLinks):
        Table(links=links).take(0)
    assert Table(links=LINKS_MIN).take(0).entries
    assert Table(links=0).take(0).entries


@pytest.mark.parametrize("ask", [Table.resign, Table.extend, lambda table, seat: table.seal(seat, {})])
def test_a_log_of_too_many_lines_is_only_aborted(ask: Any) -> None:
    table = Table(clock=with_clock()).start()
    table.take_up(msgspec.structs.replace(table.game, version=StreamVersion(LINES_MAX)))

    with pytest.raises(GameTooLong):
        ask(table, 0)
    assert types_of(table.abort()) == ["game_aborted", "secret_disclosed"]


def test_before_any_seat_is_ready_a_removal_closes_the_seat() -> None:
    table = seated()

    table.remove(2)

    assert table.game.seats[2] == Closed()
    table.ready(0)
    table.ready(1)
    assert table.data("game_started") == [{"seats": [0, 1]}]
    assert redecide(GAMES, table.raws, CATALOGUE, SECRET) == table.game


def test_a_vacant_seat_is_removed_so_that_a_smaller_game_can_start() -> None:
    table = Table()
    table.take(0)
    table.take(2)

    table.remove(1)
    table.ready(0)
    table.ready(2)

    assert table.data("game_started") == [{"seats": [0, 2]}]
    table.finish()
    assert redecide(GAMES, table.raws, CATALOGUE, SECRET) == table.game


def test_a_removal_that_leaves_too_few_seats_is_refused() -> None:
    table = Table(seats=2)

    with pytest.raises(WrongSeatCount):
        table.remove(0)


def test_a_removal_that_leaves_seats_the_options_do_not_fit_is_refused() -> None:
    table = Table(**{**mug_terms(threes_only=True), "seats": 3})

    with pytest.raises(IllegalAction):
        table.remove(0)


def test_a_closed_seat_is_not_removed_again() -> None:
    table = Table(seats=4)
    table.remove(3)

    with pytest.raises(SeatNotHeld):
        table.remove(3)


def test_after_the_start_nobody_sits_down_or_gets_up() -> None:
    table = Table().start()

    for late in (table.leave, table.ready, lambda _: table.witness()):
        with pytest.raises(AlreadyStarted):
            late(0)
    with pytest.raises(SeatNotVacant, match="found seat 0, which is taken"):
        table.take(0)


def test_before_the_start_nothing_is_played() -> None:
    table = seated()

    for early in (table.resign, lambda seat: table.seal(seat, {}), lambda seat: table.play(seat, "r1/left/0", {})):
        with pytest.raises(NotStarted):
            early(0)
    with pytest.raises(NotStarted):
        table.extend(0)
    with pytest.raises(NotStarted):
        table.expire(0, "r1/bid/0")


def test_a_game_that_demands_signatures_asks_for_a_key() -> None:
    table = Table(demands=("signed",))
    key = signing_key(1)

    with pytest.raises(DemandNotMet):
        table.take(0)
    table.keys = {ByPlayer(player=ADA): key}
    table.take(0, key=public_hex(key))

    assert table.entries[-1].line.sig is not None


@pytest.mark.parametrize("links", [0, 64, 1023])
def test_a_game_that_demands_links_asks_for_enough_of_them(links: int) -> None:
    table = Table(demands=("links",), links=links)

    with pytest.raises(DemandNotMet):
        table.take(0)

    table.links = 1024
    assert table.take(0).entries
