"""Offers: to whom a seat is open before the start, and the house bots that are called and sent away by them."""

from hashlib import sha256
from typing import Any

import msgspec
import pytest
from msgspec import UNSET

from domain.game.events import HouseOffer, LinkOffer, PlayerOffer
from domain.game.kind import GAMES
from domain.game.rejections import (
    AlreadyReady,
    AlreadyStarted,
    NoSuchSeat,
    OffersExhausted,
    OfferStands,
    SeatingsExhausted,
    SeatNotVacant,
    SeatOfAnother,
    UnfitTerms,
)
from domain.game.state import NAMED_OFFERS_MAX, Vacant
from domain.house import HOUSE, HOUSE_NAMES
from domain.ids import SEATS_MAX
from domain.log.actors import ByPlayer
from domain.log.rejections import NotAllowed, UnfitEvent
from tests.domain.game.game_harness import ADA, BOB, CATALOGUE, CEM, ORGANISER, SECRET, Table
from tests.domain.game.test_tables_of_tournaments import terms as table_terms
from tests.domain.log.redeciding import redecide

CAREFUL = HouseOffer(bot="careful")
INVITATION = "77" * 32
LINK = LinkOffer(hash=sha256(bytes.fromhex(INVITATION)).hexdigest())


def take_as(table: Table, seat: int, player: Any, **changes: Any) -> None:
    table.take(seat, actor=ByPlayer(player=player), **changes)


def test_a_game_whose_seats_are_open_to_all_says_nothing_of_offers() -> None:
    table = Table(offers=(None, None, None))

    assert "offers" not in table.entries[0].line.data
    assert table.game.opened.offers is UNSET


def test_the_house_has_one_named_player_for_each_seat_number() -> None:
    assert len(set(HOUSE)) == len(HOUSE_NAMES) == SEATS_MAX


def test_a_called_seat_is_the_houses_alone() -> None:
    table = Table(offers=(None, CAREFUL, None))

    with pytest.raises(SeatOfAnother):
        take_as(table, 1, BOB)
    take_as(table, 1, HOUSE[1])

    assert table.data("game_opened")[0]["offers"] == [None, {"bot": "careful", "kind": "house"}, None]
    assert redecide(GAMES, table.raws, CATALOGUE, SECRET) == table.game


def test_the_house_sits_only_where_it_was_called() -> None:
    table = Table(offers=(CAREFUL, None, None))

    for seat, player in ((1, HOUSE[1]), (0, HOUSE[1])):
        with pytest.raises(SeatOfAnother):
            take_as(table, seat, player)


def test_a_house_bot_that_is_sent_away_leaves_a_free_seat() -> None:
    table = Table()
    table.offer(2, CAREFUL)
    take_as(table, 0, ADA)
    take_as(table, 2, HOUSE[2])

    table.offer(2, None)

    assert table.game.seats[2] == Vacant()
    take_as(table, 2, CEM)
    assert redecide(GAMES, table.raws, CATALOGUE, SECRET) == table.game


def test_no_seat_is_offered_once_a_seat_is_ready() -> None:
    table = Table(offers=(None, None, CAREFUL))
    take_as(table, 0, ADA)
    take_as(table, 1, BOB)
    take_as(table, 2, HOUSE[2])
    table.ready(0)

    with pytest.raises(AlreadyReady):
        table.offer(2, None)


def test_a_player_who_is_sent_away_sits_down_again_by_an_offer_to_it_alone() -> None:
    table = Table()
    take_as(table, 1, BOB)

    table.offer(1, None)

    for seat in (1, 2):
        with pytest.raises(SeatingsExhausted):
            take_as(table, seat, BOB)
    table.offer(2, PlayerOffer(player=BOB))
    take_as(table, 2, BOB)
    assert redecide(GAMES, table.raws, CATALOGUE, SECRET) == table.game


@pytest.mark.parametrize("offer", [None, CAREFUL, LINK, PlayerOffer(player=BOB)])
def test_an_offer_that_changes_nothing_is_no_line(offer: Any) -> None:
    table = Table(offers=(offer, CAREFUL, None))
    version = table.game.version

    with pytest.raises(OfferStands):
        table.offer(0, offer)

    assert table.game.version == version


def test_the_same_offer_sends_away_who_sits_there() -> None:
    table = Table(offers=(PlayerOffer(player=BOB), None, None))
    take_as(table, 0, BOB)

    table.offer(0, PlayerOffer(player=BOB))

    assert table.game.seats[0] == Vacant()


def test_a_seat_is_offered_by_name_a_few_times_and_otherwise_without_end() -> None:
    table = Table()
    for _ in range(NAMED_OFFERS_MAX // 2):
        table.offer(1, PlayerOffer(player=BOB))
        table.offer(1, PlayerOffer(player=CEM))

    with pytest.raises(OffersExhausted):
        table.offer(1, PlayerOffer(player=BOB))

    table.offer(1, None)
    table.offer(1, LINK)
    table.offer(2, PlayerOffer(player=BOB))
    assert redecide(GAMES, table.raws, CATALOGUE, SECRET) == table.game


def test_a_closed_seat_cannot_be_offered() -> None:
    table = Table()
    table.remove(1)

    with pytest.raises(SeatNotVacant):
        table.offer(1, CAREFUL)
    with pytest.raises(NoSuchSeat):
        table.offer(3, CAREFUL)


def test_seats_are_offered_by_the_opener_and_by_organisers_before_the_start() -> None:
    table = Table()

    table.offer(0, CAREFUL, ORGANISER)
    table.offer(0, None)
    with pytest.raises(NotAllowed):
        table.offer(0, CAREFUL, ByPlayer(player=BOB))

    table.start()
    with pytest.raises(AlreadyStarted):
        table.offer(0, CAREFUL)


def test_a_seat_with_a_link_is_taken_with_its_secret_alone() -> None:
    table = Table(offers=(None, LINK, None))

    for wrong in (None, "78" * 32):
        with pytest.raises(SeatOfAnother) as refused:
            take_as(table, 1, BOB, invitation=wrong)
        assert INVITATION not in str(refused.value)
    take_as(table, 1, BOB, invitation=INVITATION)

    assert INVITATION.encode() not in b"".join(table.raws)
    assert redecide(GAMES, table.raws, CATALOGUE, SECRET) == table.game


def test_the_secret_of_a_link_opens_no_other_seat() -> None:
    table = Table(offers=(None, LINK, None))

    with pytest.raises(SeatOfAnother):
        take_as(table, 0, BOB, invitation=INVITATION)


def test_a_link_that_was_renewed_or_revoked_is_worth_nothing() -> None:
    table = Table(offers=(None, LINK, None))

    table.offer(1, LinkOffer(hash="ab" * 32))
    with pytest.raises(SeatOfAnother):
        take_as(table, 1, BOB, invitation=INVITATION)
    table.offer(1, None)
    with pytest.raises(SeatOfAnother):
        take_as(table, 1, BOB, invitation=INVITATION)

    take_as(table, 1, BOB)


def test_a_seat_is_offered_to_one_player() -> None:
    table = Table(offers=(None, PlayerOffer(player=BOB), None))

    with pytest.raises(SeatOfAnother):
        take_as(table, 1, CEM)
    take_as(table, 1, BOB)


def test_a_house_player_is_called_by_its_bot_and_not_by_its_id() -> None:
    with pytest.raises(UnfitEvent):
        Table(offers=(None, PlayerOffer(player=HOUSE[1]), None))


def test_offers_are_one_for_each_seat() -> None:
    with pytest.raises(UnfitTerms):
        Table(offers=(CAREFUL,))


def test_the_seats_of_a_table_of_a_tournament_are_never_offered() -> None:
    table = Table(**table_terms())

    with pytest.raises(SeatOfAnother):
        table.offer(0, CAREFUL, ORGANISER)


def test_a_rematch_names_the_former_game() -> None:
    former = msgspec.convert("0199c0de-0000-7000-8000-000000000002", str)

    table = Table(rematch_of=former)

    assert table.data("game_opened")[0]["rematch_of"] == former
