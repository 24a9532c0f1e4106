"""Seals that are opened late and one at a time, several of one seat, with decisions in the open between them."""

from typing import Any

import pytest

from domain.game.custody import hold
from domain.game.kind import GAMES
from domain.game.state import FurtherLink, Game, Held, Opening, list_in_custody
from domain.log.enact import Decided, HeldAction
from domain.log.own_links import LINKS_MIN
from domain.log.rejections import LinkDoesNotFit
from domain.log.replay import replay
from tests.domain.game.fake_ruleset_mug import Go, Parry, Value
from tests.domain.game.game_harness import CATALOGUE, SECRET, Table, mug_terms, own_links, types_of, with_clock
from tests.domain.log.redeciding import redecide


def started(**terms: Any) -> Table:
    return Table(**{**mug_terms(), **terms}).start()


def fill_mug(table: Table, value: int = 2) -> Table:
    """Let both seats seal both tokens with the server."""
    for seat in (0, 0, 1, 1):
        table.entrust(seat, Value(value=value))
    return table


def nonces(table: Table, seat: int) -> list[str]:
    found: list[Any] = [entry.line.data for entry in table.entries]
    return [finding["nonce"] for finding in found if finding.get("seat") == seat and finding.get("nonce") is not None]


def test_what_is_drawn_is_opened_alone() -> None:
    table = started()

    fill_mug(table)

    assert table.types[-5:] == ["seals_closed", "dice_rolled", "token_drawn", "action_revealed", "token_shown"]
    assert [decision.id.endswith("/go") for decision in table.owed()] == [True]


def go_on(table: Table, **changes: Any) -> Decided[Game]:
    """Let whoever must go on in the open do so."""
    (owed,) = table.owed()
    return table.play(owed.seat, owed.id, table.default(owed), **changes)


def test_links_played_in_between_overtake_none_that_is_needed() -> None:
    table = fill_mug(started())

    table.finish()

    assert table.types.count("action_revealed") == 4
    assert None not in [fields["nonce"] for fields in table.data("action_revealed")]
    assert redecide(GAMES, table.raws, CATALOGUE, SECRET) == table.game


def test_a_seat_cannot_choose_whether_a_choice_in_custody_brings_a_link() -> None:
    table = fill_mug(started())
    (owed,) = table.owed()
    needed, count = str(table.further_link(owed.seat)), len(list_in_custody(table.game, owed.seat))
    before = table.raws

    for link in (None, table.nonce(owed.seat), table.nonce(owed.seat, count + 1), own_links(1 - owed.seat)[3]):
        with pytest.raises(LinkDoesNotFit) as refused:
            go_on(table, entrusted_link=link)
        assert needed not in str(refused.value)

    assert table.raws == before
    assert go_on(table, entrusted_link=needed).entries


def test_a_link_is_entrusted_only_where_something_is_in_custody() -> None:
    table = started()
    for seat in (0, 0, 1, 1):
        table.seal(seat, Value(value=2))
    drawn = table.owed()[0]

    with pytest.raises(LinkDoesNotFit):
        table.reveal(drawn.seat, Value(value=2), entrusted_link=table.nonce(drawn.seat, 1))

    assert table.reveal(drawn.seat, Value(value=2)).held == ()


def test_what_a_seat_entrusts_later_is_never_in_the_log() -> None:
    table = fill_mug(started())
    (owed,) = table.owed()
    link = str(table.further_link(owed.seat))

    decided = go_on(table)

    (held,) = decided.held
    assert held.entrusted == FurtherLink(seat=owed.seat, link=link)
    assert link.encode() not in b"".join(table.raws)
    assert link not in repr((held, table.game, table.commands[-1]))


def test_a_seat_that_runs_out_of_links_entrusts_its_last_one() -> None:
    table = Table(links=LINKS_MIN, **mug_terms(rounds=30)).start()

    table.finish()

    secrets = [held.entrusted for held in table.held if isinstance(held.entrusted, Opening | FurtherLink)]
    last = [secret.seat for secret in secrets if secret.link == own_links(secret.seat, 64)[-1]]
    assert set(last) == {0, 1}
    assert table_links(table) == [0, 0]
    assert redecide(GAMES, table.raws, CATALOGUE, SECRET) == table.game


def table_links(table: Table) -> list[int]:
    return [seat.links.left for seat in table.game.seats if isinstance(seat, Held) and seat.links is not None]


def test_each_link_is_disclosed_once_and_in_order_whatever_overtakes_what() -> None:
    table = fill_mug(started())

    table.finish()

    for seat in (0, 1):
        shown = nonces(table, seat)
        assert shown == list(own_links(seat)[1 : len(shown) + 1])


def test_entrusted_choices_that_are_not_overtaken_each_bring_a_link() -> None:
    table = started(options=mug_terms(opens_together=True)["options"])

    fill_mug(table)

    shown = table.data("action_revealed")
    assert [item["nonce"] for item in shown] == [own_links(seat)[link] for seat in (0, 1) for link in (2, 3)]


def test_an_entrusted_link_must_be_the_furthest_that_the_seats_choices_need() -> None:
    table = started()

    for ahead in (0, 2):
        with pytest.raises(LinkDoesNotFit):
            table.entrust(0, Value(value=2), nonce=table.nonce(0, ahead))
    with pytest.raises(LinkDoesNotFit):
        table.entrust(0, Value(value=2), nonce=None)

    table.entrust(0, Value(value=2), nonce=table.nonce(0, 1))
    assert table.types[-1] == "action_sealed"


def test_a_seat_whose_last_link_serves_two_choices_brings_it_once() -> None:
    rounds = LINKS_MIN // 2
    table = Table(links=LINKS_MIN, **mug_terms(rounds=rounds, opens_together=True)).start()

    for _ in range(rounds):
        fill_mug(table, value=0)

    shown = table.data("action_revealed")[-4:]
    assert [item["nonce"] is None for item in shown] == [False, True, False, True]


def test_own_custody_and_entrusted_choices_of_one_seat_mix() -> None:
    table = started(options=mug_terms(opens_together=True)["options"])
    table.entrust(0, Value(value=1))
    table.seal(0, Value(value=2))
    table.entrust(1, Value(value=1))
    table.entrust(1, Value(value=1))

    decided = table.reveal(0, Value(value=2), decision="m1/0/b")

    assert types_of(decided)[:4] == ["action_revealed"] * 4
    assert nonces(table, 0) == list(own_links(0)[1:4])
    assert redecide(GAMES, table.raws, CATALOGUE, SECRET) == table.game


def test_what_is_held_can_be_folded_in_again_while_some_of_it_is_opened() -> None:
    table = fill_mug(started())

    held: list[HeldAction] = table.held
    folded = hold(replay(GAMES, table.raws, CATALOGUE, secret=SECRET), held)

    assert folded == table.game


def test_two_asks_of_one_play_are_answered_one_after_the_other() -> None:
    table = Table(**{**mug_terms(), "seats": 3}).start()
    for seat in (0, 0, 1, 1, 2, 2):
        table.entrust(seat, Value(value=1))

    while table.game.status == "running":
        (owed,) = table.owed()
        table.play(owed.seat, owed.id, Go(is_far=True) if owed.id.endswith("/go") else Parry(is_high=True))

    asked = [fields["decision"] for fields in table.data("decision_asked")]
    plays = [decision.rpartition("/parry")[0] for decision in asked]
    assert len(plays) > len(set(plays))
    assert len(asked) == len(set(asked))
    assert redecide(GAMES, table.raws, CATALOGUE, SECRET) == table.game


def test_a_seat_that_never_seals_is_defaulted_only_when_its_token_is_drawn() -> None:
    table = started(clock=with_clock())
    for _ in range(2):
        table.entrust(0, Value(value=3))
    table.now += 180_001
    table.expire(1, "m1/1/a")
    before = table.types.count("action_defaulted")
    table.expire(1, "m1/1/b")

    table.finish()

    drawn = [fields["token"] for fields in table.data("token_drawn")]
    defaulted = [fields["decision"] for fields in table.data("action_defaulted")]
    assert before == 0
    assert defaulted == [item for item in drawn if item.startswith("m1/1/")]
    assert redecide(GAMES, table.raws, CATALOGUE, SECRET) == table.game


def test_a_forfeit_withdraws_other_choices_which_are_then_no_forfeits() -> None:
    table = Table(links=0, **{**mug_terms(opens_together=True), "clock": with_clock()}).start()
    for seat in (0, 0):
        table.seal(seat, Value(value=1))
    for seat in (1, 1):
        table.entrust(seat, Value(value=1))
    table.now += 180_001
    table.expire(0, "m1/0/a")

    table.expire(0, "m1/0/b")

    assert table.types.count("action_forfeited") == 1
    assert table.types.count("seat_gone") == 0
    assert redecide(GAMES, table.raws, CATALOGUE, SECRET) == table.game


def test_what_is_held_can_be_folded_in_again_while_a_play_waits() -> None:
    table = fill_mug(started())
    (go,) = table.owed()
    table.play(go.seat, go.id, Go(is_far=True))

    folded = hold(replay(GAMES, table.raws, CATALOGUE, secret=SECRET), table.held)
    waiting = table.game
    table.abort()

    assert folded == waiting
    assert table.game.resolution is None
    assert hold(replay(GAMES, table.raws, CATALOGUE, secret=SECRET), table.held) == table.game
