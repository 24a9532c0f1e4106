"""Rows of offers: above all games while they last, and gone with them, so that no read passes by those of the past."""

import msgspec
import pytest

from domain.game.events import PlayerOffer
from domain.log.actors import ByPlayer
from projections.folding import Row
from projections.players import ABOVE_COUNTED, BELOW_OFFERS, OFFERED, OPENED, PLAYERS, SeatOffer
from tests.domain.game.game_harness import BOB, CEM, GAME, Table
from tests.domain.game.test_tables_of_tournaments import terms
from tests.projections.games import fold_whole

TO_BOB = PlayerOffer(player=BOB)


def list_offered(table: Table) -> list[Row]:
    return [row for row in fold_whole(PLAYERS, table.raws).values() if OFFERED in row.labels]


def test_an_offer_has_a_row_above_all_games() -> None:
    table = Table(offers=(None, TO_BOB, None))
    table.take(0)
    rows = fold_whole(PLAYERS, table.raws).values()

    (row,) = list_offered(table)

    offer = msgspec.json.decode(row.body, type=SeatOffer)
    assert (row.owner, offer.game, offer.seat) == (BOB, GAME, 1)
    assert row.rank > BELOW_OFFERS > max(name.rank for name in rows if name.place and name != row)
    assert all(name.rank < ABOVE_COUNTED for name in rows if OPENED in name.labels)


@pytest.mark.parametrize("end", ["taken", "offered to another", "aborted"])
def test_the_row_of_an_offer_ends_with_it(end: str) -> None:
    table = Table(offers=(None, TO_BOB, None))
    match end:
        case "taken":
            table.take(1, actor=ByPlayer(player=BOB))
        case "offered to another":
            table.offer(1, PlayerOffer(player=CEM))
        case _:
            table.abort()

    assert [row.owner for row in list_offered(table)] == ([CEM] if end == "offered to another" else [])


def test_a_player_who_left_is_offered_a_seat_anew() -> None:
    table = Table(offers=(None, TO_BOB, None))
    table.take(1, actor=ByPlayer(player=BOB))
    table.leave(1)

    assert [row.owner for row in list_offered(table)] == [BOB]


def test_a_seat_kept_at_a_table_of_a_tournament_is_no_offer() -> None:
    table = Table(**terms())

    assert list_offered(table) == []
