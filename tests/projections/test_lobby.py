"""The lobby row of a game: its seats, its terms, its progress."""

from collections.abc import Sequence
from typing import cast

import msgspec
import pytest

from domain.game.events import HouseOffer, StandIn
from domain.house import HOUSE
from domain.ids import Seat
from domain.log.actors import ByPlayer
from domain.log.record import format_at, parse_line
from projections.lobby import LOBBY, LobbyGame, Sitting, has_called
from tests.domain.audit.audited_tournament import cup
from tests.domain.game.game_harness import ADA, BOB, CEM, GAME, NOON, Table, with_clock
from tests.domain.tournament.tournament_harness import CUP
from tests.projections.games import fold_whole, golden_games


def lobby_of(raws: Sequence[bytes]) -> LobbyGame:
    (row,) = fold_whole(LOBBY, raws).values()
    return msgspec.json.decode(row.body, type=LobbyGame)


def labels_of(table: Table) -> tuple[str, ...]:
    return fold_whole(LOBBY, table.raws)[GAME, b""].labels


def test_a_seat_is_told_while_somebody_sits_there() -> None:
    table = Table(seats=3)
    table.take(2)
    table.take(0)
    both = lobby_of(table.raws).taken
    table.leave(2)

    assert both == (Sitting(seat=Seat(0), player=ADA), Sitting(seat=Seat(2), player=CEM))
    assert lobby_of(table.raws).taken == (Sitting(seat=Seat(0), player=ADA),)


def test_whoever_is_removed_before_the_start_is_gone_and_afterwards_is_not() -> None:
    before, after = Table(seats=3), Table(seats=3).start()
    for seat in range(3):
        before.take(seat)
    before.remove(1)
    after.remove(1)

    assert [sitting.seat for sitting in lobby_of(before.raws).taken] == [0, 2]
    assert [sitting.player for sitting in lobby_of(after.raws).taken] == [ADA, BOB, CEM]


def test_a_house_bot_that_stands_in_was_not_called() -> None:
    handed = Table(clock=with_clock(60, 0), stand_in=StandIn(bot="any", after=1)).start()
    handed.now += 60_001
    handed.expire(0, handed.owed(0)[0].id)
    called = Table()
    called.offer(0, HouseOffer(bot="any"))
    waiting = has_called(lobby_of(called.raws))
    called.take(0, actor=ByPlayer(player=HOUSE[0]))

    assert (waiting, has_called(lobby_of(called.raws)), has_called(lobby_of(handed.raws))) == (True, True, False)


def test_a_bot_that_is_to_answer_at_once_is_listed_so_whenever_it_is_called() -> None:
    table = Table()
    table.offer(0, HouseOffer(bot="any", at_once=True))
    table.offer(1, HouseOffer(bot="any"))

    called = lobby_of(table.raws).house

    assert [(seat.seat, seat.at_once) for seat in called] == [(0, True), (1, False)]


def test_what_a_game_is_follows_its_life() -> None:
    table = Table()
    statuses = [lobby_of(table.raws).status]
    table.start()
    statuses.append(lobby_of(table.raws).status)
    aborted, table = Table().start(), table.finish()
    aborted.abort()

    finished = lobby_of(table.raws)

    assert [*statuses, finished.status, lobby_of(aborted.raws).status] == ["open", "running", "finished", "aborted"]
    assert finished.version == len(table.raws)
    assert finished.opened_at == format_at(NOON)
    assert finished.started_at is not None
    assert finished.ended_at == finished.last_at


@pytest.mark.parametrize("number", range(len(golden_games())))
def test_turns_and_laps_are_told_as_far_as_somebody_has_come(number: int) -> None:
    raws = golden_games()[number]

    games = [lobby_of(raws[:count]) for count in (1, len(raws) // 2, len(raws))]

    assert games[0].turn is None
    assert games[1].turn is not None
    assert (games[2].turn or 0) > games[1].turn
    assert (games[2].laps or 0) >= (games[1].laps or 0)


def test_a_private_game_cannot_be_looked_up_as_a_listed_one() -> None:
    assert "listed" in labels_of(Table())
    assert "listed" not in labels_of(Table(visibility="private"))


def test_a_game_at_a_table_is_marked_with_its_tournament_until_it_is_over() -> None:
    (at_table, *_) = cup().games.values()
    marks = [fold_whole(LOBBY, at_table[:count]) for count in (1, len(at_table))]

    (before,), (over,) = (tuple(mark.values()) for mark in marks)

    assert ("at_table" in before.labels, "at_table" in over.labels) == (True, False)
    assert "at_table" not in labels_of(Table())
    assert lobby_of(at_table).tournament == CUP


def test_a_delayed_game_is_hidden_at_first_and_marked_until_it_is_over() -> None:
    table = Table(delay_s=60).start()
    running = fold_whole(LOBBY, table.raws)[GAME, b""]
    over = fold_whole(LOBBY, table.finish().raws)[GAME, b""]

    assert ("delayed" in running.labels, running.from_ms) == (True, NOON + 60_000)
    assert ("delayed" in over.labels, over.from_ms) == (False, 0)


@pytest.mark.parametrize("number", range(len(golden_games())))
def test_whoever_won_is_told_once_it_is_over(number: int) -> None:
    lines = [parse_line(raw) for raw in golden_games()[number]]
    (ending,) = [line for line in lines if line.type == "game_finished"]

    before, over = (lobby_of(golden_games()[number][:count]) for count in (ending.version - 1, len(lines)))

    ranking = cast("list[dict[str, int]]", ending.data["ranking"])
    assert before.winners == ()
    assert list(over.winners) == sorted(seat["seat"] for seat in ranking if seat["place"] == 1)
