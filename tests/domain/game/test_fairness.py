"""Chance, attacked: no value that a seat or an operator may vary touches a draw; every one that must count counts."""

from collections.abc import Callable
from hashlib import sha256
from typing import Any

import pytest

from domain.chance import Secret, deck_order
from domain.game.kind import GAMES
from domain.game.rejections import SeatsVacant
from domain.ids import CommandId
from domain.log.rejections import LinkDoesNotFit
from tests.domain.game.game_harness import CATALOGUE, SALT, SECRET, Table, own_links, with_clock
from tests.domain.log.redeciding import redecide
from tests.domain.rulesets.fake_ruleset_torches import Bid, Strike

BIDS = [Bid(card=0, drop=None), Bid(card=3, drop=5), Bid(card=6, drop=None)]


def draws(table: Table) -> list[dict[str, Any]]:
    """Return all that chance gave: the dice, the shuffles and the cards that came up."""
    kinds = ("dice_rolled", "deck_shuffled", "bid_shown", "cards_drawn")
    return [entry.line.data for entry in table.entries if entry.line.type in kinds]


def strike_all(table: Table) -> Table:
    """Play on to the end: bids by default, and every hand strikes the first other seat that lives."""
    while table.game.status == "running":
        owed = table.waiting()[0]
        if owed.kind == "plain" and "shield" not in owed.id:
            alive = [place.seat for place in table.game.board.places if place.lives and place.seat != owed.seat]
            table.play(owed.seat, owed.id, Strike(target=alive[0]))
        else:
            table.answer_by_default(owed)
    return table


class Grinder(Table):
    """Seats that try everything they may choose: ids, times and salts."""

    def meta(self, actor: Any) -> dict[str, Any]:
        self.now += 977
        meta = super().meta(actor)
        ground = sha256(meta["id"].encode()).hexdigest()
        command = CommandId(f"{ground[:8]}-{ground[8:12]}-7000-a000-{ground[12:24]}")
        return {**meta, "id": command}

    def entrust(self, seat: int, action: Any, *, salt: str = SALT, **changes: Any) -> Any:
        return super().entrust(seat, action, salt=sha256(f"{salt}{self.now}".encode()).hexdigest(), **changes)


def test_ids_times_and_salts_change_no_draw() -> None:
    plain = strike_all(Table().start())

    ground = strike_all(Grinder().start())

    assert draws(ground) == draws(plain)
    assert len(draws(plain)) > 15
    assert ground.raws[5:] != plain.raws[5:]


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_the_order_in_which_contributions_wait_changes_no_draw(order: tuple[int, ...]) -> None:
    straight = strike_all(Table().start())

    table = Table()
    for seat in order:
        table.take(seat)
    for seat in reversed(order):
        table.ready(seat)
    for seat in order:
        table.seal(seat, BIDS[seat])
    for seat in reversed(order):
        table.reveal(seat, BIDS[seat])

    other = Table().start()
    for seat in range(3):
        other.entrust(seat, BIDS[seat])
    assert draws(strike_all(table)) == draws(strike_all(other))
    assert draws(table)[0] == draws(straight)[0]


def test_a_seat_replacing_its_seals_changes_no_draw() -> None:
    tables = [Table().start(), Table().start()]
    for number in range(8):
        tables[1].seal(0, {"card": number})

    for table in tables:
        for seat in range(3):
            table.entrust(seat, BIDS[seat])

    assert draws(strike_all(tables[0])) == draws(strike_all(tables[1]))


def test_two_actions_of_a_seat_bring_the_same_link() -> None:
    tables = [Table().start(), Table().start()]

    for table, card in zip(tables, (0, 1), strict=True):
        table.entrust(0, Bid(card=card, drop=None))
        for seat in (1, 2):
            table.entrust(seat, BIDS[seat])

    assert tables[0].game.chance.waiting == tables[1].game.chance.waiting
    assert tables[0].game.chance.pool == tables[1].game.chance.pool


def test_a_contribution_changes_the_draws_after_it() -> None:
    with_links = strike_all(Table().start())
    without = strike_all(Table(links=0).start())

    faces = [[fields["faces"] for fields in table.data("dice_rolled")] for table in (with_links, without)]
    orders = [
        deck_order(table.game.chance, table_shuffle(table)) for table in (Table().start(), Table(links=0).start())
    ]

    assert faces[0] != faces[1]
    assert orders[0] != orders[1]


def table_shuffle(table: Table) -> Any:
    return next(entry.event for entry in table.entries if entry.line.type == "deck_shuffled")


@pytest.mark.parametrize("nonce", [None, "11" * 32, own_links(3)[1], own_links(0)[4]])
@pytest.mark.parametrize("custody", ["entrust", "reveal", "play"])
def test_a_seat_cannot_choose_or_keep_back_its_link(nonce: str | None, custody: str) -> None:
    table = Table().start()
    if custody == "reveal":
        for seat in range(3):
            table.seal(seat, BIDS[seat])
    elif custody == "play":
        for seat in range(3):
            table.entrust(seat, BIDS[seat])
    owed = table.owed()[0]
    asks: dict[str, Callable[[], object]] = {
        "entrust": lambda: table.entrust(0, BIDS[0], nonce=nonce),
        "reveal": lambda: table.reveal(0, BIDS[0], nonce=nonce),
        "play": lambda: table.play(owed.seat, owed.id, Strike(target=None), nonce=nonce),
    }

    with pytest.raises(LinkDoesNotFit):
        asks[custody]()


def test_a_contribution_counts_although_its_action_was_illegal() -> None:
    pools = []
    actions: list[Any] = [{}, Bid(card=0, drop=None)]
    for action in actions:
        table = Table().start()
        table.seal(0, action)
        for seat in (1, 2):
            table.entrust(seat, BIDS[seat])
        table.reveal(0, action)
        pools.append((table.game.chance.pool, table.game.chance.waiting))

    assert pools[0] == pools[1]


def test_each_link_of_the_server_is_used_once_and_in_order() -> None:
    table = strike_all(Table(options={"omens": 40, "rounds": 3, "lives": 3}).start())

    rolled = table.data("dice_rolled")

    assert [(item["chain"], item["index"]) for item in rolled] == [(1, place + 1) for place in range(len(rolled))]
    before = table.game.opened.anchors[0]
    for item in rolled:
        assert sha256(bytes.fromhex(item["link"])).hexdigest() == before
        before = item["link"]


def test_after_1024_rolls_the_second_chain_is_entered() -> None:
    table = Table(options={"omens": 1030, "rounds": 1, "lives": 3}).start()

    rolled = table.data("dice_rolled")

    places = [(item["chain"], item["index"]) for item in rolled]
    assert places[1023:1026] == [(1, 1024), (2, 1), (2, 2)]
    assert sha256(bytes.fromhex(rolled[1024]["link"])).hexdigest() == table.game.opened.anchors[1]
    assert redecide(GAMES, table.raws, CATALOGUE, SECRET) == table.game


def test_each_link_of_a_seat_is_disclosed_once_and_in_order() -> None:
    table = strike_all(Table().start())

    shown: list[Any] = [entry.line.data for entry in table.entries if "nonce" in entry.line.data]

    for seat in range(3):
        nonces = [item["nonce"] for item in shown if item["seat"] == seat]
        assert nonces == list(own_links(seat)[1 : len(nonces) + 1])


def test_whoever_sits_down_last_knows_no_link_of_the_others() -> None:
    table = Table()
    table.take(0)
    table.take(1)

    for seat in (0, 1):
        with pytest.raises(SeatsVacant):
            table.ready(seat)


def test_a_withheld_reveal_adds_nothing_to_chance() -> None:
    table = Table(clock=with_clock()).start()
    for seat in range(3):
        table.seal(seat, BIDS[seat])
    table.reveal(1, BIDS[1])
    table.reveal(2, BIDS[2])
    table.now += 180_001

    table.expire(0, "r1/bid/0")

    assert [contribution.seat for contribution in table.game.chance.waiting] == [1, 2]


def test_another_secret_gives_other_draws() -> None:
    other = Secret(bytes(32))

    assert draws(strike_all(Table().start())) != draws(strike_all(Table(secret=other).start()))
