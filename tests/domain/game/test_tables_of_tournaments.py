"""A game at a table of a tournament: its seats are kept for those who were drawn there, and its id is the table's."""

from typing import Any

import msgspec
import pytest
from msgspec import UNSET

from domain.derived_ids import derive_game
from domain.game.events import GameOpened, StandIn, TableSeat, TournamentTable
from domain.game.kind import GAMES
from domain.game.opening import decide_opening
from domain.game.rejections import ConsentRefused, SeatOfAnother, UnfitTerms
from domain.ids import CommandId, GameId, StreamId, TournamentId
from domain.log.rejections import UnfitEvent
from tests.domain.audit.audited_game import audit, broken_in, bundle_of, unchecked_in
from tests.domain.audit.forgery_tools import chained
from tests.domain.game.game_harness import (
    CATALOGUE,
    GAME,
    ORGANISER,
    PLAYERS,
    SECRET,
    Table,
    opening,
    public_hex,
    signing_key,
    with_clock,
)
from tests.domain.log.redeciding import redecide

CUP = TournamentId(StreamId("0199c0de-0000-7000-8000-00000000c0b0"))
TABLE_GAME = derive_game(CUP, round_=2, table=1, attempt=1)
KEY = signing_key(3)


def terms(**changes: Any) -> dict[str, Any]:
    """Return the terms of a game that keeps its seats for the players of these tests; seat 0 has a key."""
    keys = (public_hex(KEY), None, None)
    seats = tuple(TableSeat(player=player, key=key) for player, key in zip(PLAYERS[:3], keys, strict=True))
    table = TournamentTable(tournament=CUP, round=2, table=1, attempt=1, seats=seats)
    fields: dict[str, Any] = {"id": CommandId(TABLE_GAME), "stream": TABLE_GAME, "actor": ORGANISER, "table": table}
    return fields | changes


def test_a_game_of_no_tournament_says_nothing_of_one() -> None:
    table = Table()

    assert "table" not in table.entries[0].line.data
    assert table.game.opened.table is UNSET


def test_null_is_no_way_to_say_that_there_is_no_table() -> None:
    data = Table().entries[0].line.data

    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(data | {"table": None}, GameOpened)


def test_a_seat_is_kept_for_the_player_who_was_drawn_there() -> None:
    table = Table(**terms())

    with pytest.raises(SeatOfAnother):
        table.take(1, **table.player(2))
    table.take(1)

    assert table.types == ["game_opened", "seat_taken"]


def test_a_seat_of_a_player_with_a_key_is_taken_with_that_key() -> None:
    table = Table(**terms())
    other = signing_key(4)

    with pytest.raises(SeatOfAnother):
        table.take(0)
    table.keys = {table.player(0)["actor"]: other}
    with pytest.raises(SeatOfAnother):
        table.take(0, key=public_hex(other))
    table.keys = {table.player(0)["actor"]: KEY}
    table.take(0, key=public_hex(KEY))

    assert table.types == ["game_opened", "seat_taken"]


@pytest.mark.parametrize(
    "table",
    [
        TournamentTable(tournament=CUP, round=2, table=1, attempt=2, seats=terms()["table"].seats),
        TournamentTable(tournament=CUP, round=2, table=1, attempt=1, seats=terms()["table"].seats[:2]),
        TournamentTable(tournament=CUP, round=2, table=1, attempt=1, seats=terms()["table"].seats[:1] * 3),
    ],
    ids=["another attempt", "too few", "one player thrice"],
)
def test_a_table_that_is_not_of_this_game_is_refused(table: TournamentTable) -> None:
    with pytest.raises(UnfitTerms):
        decide_opening(opening(**terms(table=table)), CATALOGUE)


def test_a_round_before_the_first_is_none() -> None:
    table = msgspec.structs.replace(terms()["table"], round=0)

    with pytest.raises(UnfitEvent):
        decide_opening(opening(**terms(table=table)), CATALOGUE)


def test_nobody_opens_a_game_in_the_place_of_a_table_that_is_still_to_come() -> None:
    with pytest.raises(UnfitTerms):
        decide_opening(opening(**terms(table=UNSET)), CATALOGUE)
    with pytest.raises(UnfitTerms):
        decide_opening(opening(table=terms()["table"], stream=GAME, id=CommandId(GAME)), CATALOGUE)


def test_a_game_of_a_table_is_decided_again_byte_for_byte() -> None:
    table = Table(**terms())
    table.keys = {table.player(0)["actor"]: KEY}
    table.take(0, key=public_hex(KEY))
    table.take(1)
    table.take(2)
    for seat in range(3):
        table.ready(seat)
    table.finish()

    verified = audit(bundle_of(tuple(table.raws)))

    assert redecide(GAMES, table.raws, CATALOGUE, SECRET) == table.game
    assert (broken_in(verified), unchecked_in(verified)) == ({}, {})


@pytest.mark.parametrize("change", [{"player": PLAYERS[3]}, {"key": None}], ids=["another player", "no key"])
def test_a_seat_taken_by_another_is_told(change: dict[str, Any]) -> None:
    table = Table(**terms())
    table.keys = {table.player(0)["actor"]: KEY}
    table.take(0, key=public_hex(KEY))
    log = [msgspec.json.decode(raw) for raw in table.raws]
    log[1]["data"] |= change

    found = broken_in(audit(bundle_of(chained(log))))

    assert found["demands"].version == 2


def test_the_id_of_a_game_shows_that_it_is_the_one_of_its_table() -> None:
    log = [msgspec.json.decode(raw) for raw in Table(**terms()).raws]
    log[0]["data"]["table"]["table"] = 2

    found = broken_in(audit(bundle_of(chained(log))))

    assert found["demands"].version == 1
    assert GameId(log[0]["stream"]) == TABLE_GAME


@pytest.mark.parametrize("aim", ["end", "pause"])
def test_the_players_at_a_table_of_a_tournament_neither_end_nor_pause_its_game(aim: str) -> None:
    table = Table(**terms(clock=with_clock()))
    table.keys = {table.player(0)["actor"]: KEY}
    table.take(0, key=public_hex(KEY))
    for seat in (1, 2):
        table.take(seat)
    for seat in range(3):
        table.ready(seat)

    with pytest.raises(ConsentRefused):
        table.consent(1, aim)


def test_a_game_at_a_table_of_a_tournament_has_no_stand_in() -> None:
    with pytest.raises(UnfitTerms):
        Table(**terms(clock=with_clock(), stand_in=StandIn(bot="steady", after=1)))
