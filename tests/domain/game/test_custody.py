"""Custody: own-custody seats reveal first, then the server in seat order at once; nothing else is believed."""

from typing import Any

import msgspec
import pytest

from domain.canonical import encode
from domain.game.commands import GameCommand
from domain.game.custody import hold
from domain.game.events import ActionRevealed, ActionSealed, InputEvent, SeatResigned
from domain.game.kind import GAMES
from domain.game.rejections import RevealDoesNotFit, RevealTooEarly, RevealTooLate, SealsExhausted, WrongAnswer
from domain.game.state import Game, Opening, Sealed
from domain.ids import CommandId, DecisionId, Seat
from domain.log.actors import ByServer
from domain.log.enact import enact
from domain.log.entry import Input
from domain.log.rejections import DemandNotMet, LinkDoesNotFit, UnfitEvent
from domain.log.replay import replay
from domain.rejection import IllegalAction
from tests.domain.game.fake_ruleset_mug import Value
from tests.domain.game.game_harness import CATALOGUE, SALT, SECRET, Table, mug_terms, types_of, with_clock
from tests.domain.log.redeciding import redecide
from tests.domain.rulesets.fake_ruleset_torches import Bid, Strike

BIDS = [Bid(card=0, drop=None), Bid(card=3, drop=5), Bid(card=6, drop=None)]
OTHER = CommandId("0199c0de-0000-7000-a000-000000000001")


def sealed_by(custodies: str, **terms: Any) -> Table:
    """Return a game in which the seats have sealed: "o" in their own custody, "s" in the server's."""
    table = Table(**terms).start()
    for seat, custody in enumerate(custodies):
        (table.seal if custody == "o" else table.entrust)(seat, BIDS[seat])
    return table


def reveal_by_server(game: Game, seat: int, nonce: str | None, *, at_ms: int | None = None) -> Input:
    action = msgspec.to_builtins(BIDS[seat])
    decision = DecisionId(f"r1/bid/{seat}")
    event = ActionRevealed(seat=Seat(seat), decision=decision, action=action, salt=SALT, nonce=nonce)
    return Input(event=event, by="server", at_ms=game.at_ms if at_ms is None else at_ms, command=None, sig=None)


@pytest.mark.parametrize("custodies", ["ooo", "sss", "oss", "sos", "sso", "oos", "oso", "soo"])
def test_own_custody_reveals_first_then_the_server_in_seat_order_at_once(custodies: str) -> None:
    table = sealed_by(custodies)
    own = [seat for seat, custody in enumerate(custodies) if custody == "o"]

    for seat in reversed(own):
        decided = table.reveal(seat, BIDS[seat])

    shown = [(entry.line.by, entry.line.at) for entry in table.entries if entry.line.type == "action_revealed"]
    of_server = [fields["seat"] for fields in table.data("action_revealed")][len(own) :]
    assert [by for by, _ in shown] == [f"seat:{seat}" for seat in reversed(own)] + ["server"] * custodies.count("s")
    assert of_server == [seat for seat, custody in enumerate(custodies) if custody == "s"]
    assert not own or types_of(decided).count("action_revealed") == 1 + custodies.count("s")
    assert redecide(GAMES, table.raws, CATALOGUE, SECRET) == table.game


def test_nothing_is_revealed_while_others_still_choose() -> None:
    table = Table().start()
    table.seal(0, BIDS[0])

    with pytest.raises(RevealTooEarly):
        table.reveal(0, BIDS[0], decision=DecisionId("r1/bid/0"))


def test_a_reveal_of_another_action_or_salt_is_refused_and_not_logged() -> None:
    table = sealed_by("ooo")
    before = table.raws

    for action, salt in ((BIDS[1], SALT), (BIDS[0], "34" * 32)):
        with pytest.raises(RevealDoesNotFit):
            table.reveal(0, action, salt=salt)

    assert table.raws == before


def test_a_seal_fits_no_other_seat_or_decision() -> None:
    table = Table(links=0, **mug_terms(opens_together=True)).start()
    table.seal(0, Value(value=1))
    first = table.game.choices[DecisionId("m1/0/a")]
    table.seal(0, Value(value=1))
    second = table.game.choices[DecisionId("m1/0/b")]
    table.seal(1, Value(value=1))
    third = table.game.choices[DecisionId("m1/1/a")]

    assert isinstance(first, Sealed)
    assert isinstance(second, Sealed)
    assert isinstance(third, Sealed)
    assert len({first.seal, second.seal, third.seal}) == 3


def test_a_seat_reveals_once() -> None:
    table = sealed_by("ooo")
    table.reveal(0, BIDS[0])

    with pytest.raises(RevealTooLate):
        table.reveal(0, BIDS[0])


def test_a_seal_may_be_replaced_eight_times() -> None:
    table = Table().start()
    for _ in range(9):
        table.seal(0, BIDS[0])

    with pytest.raises(SealsExhausted):
        table.seal(0, BIDS[0])
    with pytest.raises(SealsExhausted):
        table.entrust(0, BIDS[0])


def test_only_the_last_seal_counts() -> None:
    table = Table().start()
    table.entrust(0, BIDS[0])
    table.seal(0, Bid(card=1, drop=None))
    table.entrust(1, BIDS[1])
    table.entrust(2, BIDS[2])

    with pytest.raises(RevealDoesNotFit):
        table.reveal(0, BIDS[0])
    table.reveal(0, Bid(card=1, drop=None))

    assert [fields["card"] for fields in table.data("bid_shown")] == [1, 3, 6]
    assert hold(replay(GAMES, table.raws, CATALOGUE, secret=SECRET), table.held) == table.game


def test_after_the_last_seal_none_is_replaced() -> None:
    table = sealed_by("oss")

    with pytest.raises(WrongAnswer):
        table.seal(0, BIDS[0], decision=DecisionId("r1/bid/0"))
    with pytest.raises(WrongAnswer):
        table.entrust(0, BIDS[0], decision=DecisionId("r1/bid/0"))


def test_a_seat_does_not_reveal_what_the_server_has_in_custody() -> None:
    table = sealed_by("oos")

    with pytest.raises(WrongAnswer):
        table.reveal(2, BIDS[2])


def test_what_is_entrusted_is_judged_at_once() -> None:
    table = Table().start()

    with pytest.raises(IllegalAction):
        table.entrust(0, Bid(card=8, drop=None))


@pytest.mark.parametrize("salt", ["", "33" * 31, "3G" * 32, "AB" * 32, "33" * 32 + "\n"])
def test_a_salt_must_be_spelled_as_in_the_log(salt: str) -> None:
    table = Table().start()
    table_of_own = sealed_by("ooo")

    with pytest.raises(UnfitEvent):
        table.put(
            GameCommand(
                event=ActionSealed(seat=Seat(0), decision=DecisionId("r1/bid/0"), seal="aa" * 32),
                entrusted=Opening(seat=Seat(0), action=encode(BIDS[0]), salt=salt, link=table.nonce(0)),
                **table.player(0),
            )
        )
    with pytest.raises(UnfitEvent):
        table_of_own.put(
            GameCommand(
                event=ActionRevealed(
                    seat=Seat(0),
                    decision=DecisionId("r1/bid/0"),
                    action={"card": 0, "drop": None, "kind": "bid"},
                    salt=salt,
                    nonce=table_of_own.nonce(0),
                ),
                **table_of_own.player(0),
            )
        )


def test_where_own_custody_is_demanded_the_server_neither_seals_nor_reveals() -> None:
    table = sealed_by("ooo", demands=("own_custody",))

    with pytest.raises(DemandNotMet):
        table.entrust(0, BIDS[0])
    with pytest.raises(DemandNotMet):
        enact(GAMES, table.game, reveal_by_server(table.game, 0, table.nonce(0)))


def test_a_server_that_reveals_before_own_custody_is_not_believed() -> None:
    table = sealed_by("oss")

    with pytest.raises(RevealTooEarly):
        enact(GAMES, table.game, reveal_by_server(table.game, 1, table.nonce(1)))


def test_a_server_that_leaves_out_a_link_is_not_believed() -> None:
    table = sealed_by("sso")

    with pytest.raises(LinkDoesNotFit):
        enact(GAMES, table.game, reveal_by_server(table.game, 0, None))
    assert enact(GAMES, table.game, reveal_by_server(table.game, 0, table.nonce(0))).entries


def test_a_server_that_reveals_later_than_it_could_is_not_believed() -> None:
    table = sealed_by("oss")
    game = table.game

    with pytest.raises(RevealTooLate):
        enact(GAMES, game, reveal_by_server(game, 0, table.nonce(0), at_ms=game.at_ms + 1))


@pytest.mark.parametrize("event", [SeatResigned(seat=Seat(2)), None])
def test_once_the_server_reveals_nothing_comes_between(event: InputEvent | None) -> None:
    table = sealed_by("oss")
    begun = enact(GAMES, table.game, reveal_by_server(table.game, 0, table.nonce(0))).state
    own = reveal_by_server(begun, 1, table.nonce(1))
    between = event if event is not None else own.event

    with pytest.raises(RevealTooLate):
        enact(GAMES, begun, Input(event=between, by="seat:2" if event else "seat:1", at_ms=0, command=OTHER, sig=None))
    assert enact(GAMES, begun, own).entries


def test_nobody_reveals_in_the_servers_name() -> None:
    table = sealed_by("ooo")

    with pytest.raises(UnfitEvent):
        table.reveal(0, BIDS[0], actor=ByServer())


def test_an_entrusted_action_shows_itself_in_no_traceback() -> None:
    table = sealed_by("s")
    (held,) = table.held

    assert "33" * 8 not in repr(held)
    assert "card" not in repr(held)
    assert str(table.nonce(0)) not in repr(held)
    assert str(table.nonce(0)) not in repr(table.game)


def test_a_withheld_reveal_is_a_forfeit() -> None:
    table = sealed_by("oss", clock=with_clock())
    table.now += 180_001

    decided = table.expire(0, "r1/bid/0")

    assert types_of(decided)[:4] == ["clock_expired", "action_revealed", "action_revealed", "action_forfeited"]
    assert table.data("action_forfeited")[0] == {"seat": 0, "decision": "r1/bid/0", "reason": "unrevealed"}
    assert redecide(GAMES, table.raws, CATALOGUE, SECRET) == table.game


@pytest.mark.parametrize(
    "action", [Bid(card=8, drop=None), Bid(card=0, drop=0), Strike(target=1), {"kind": "bid"}, [], "bid", None, {}]
)
def test_an_illegal_or_unreadable_reveal_is_logged_and_a_forfeit(action: Any) -> None:
    table = Table().start()
    table.seal(0, action)
    table.entrust(1, BIDS[1])
    table.entrust(2, BIDS[2])

    decided = table.reveal(0, action)

    assert types_of(decided)[:4] == ["action_revealed", "action_revealed", "action_revealed", "action_forfeited"]
    assert table.data("action_forfeited")[0]["reason"] == "illegal"
    assert redecide(GAMES, table.raws, CATALOGUE, SECRET) == table.game


def test_the_second_forfeit_retires_the_seat() -> None:
    table = Table(options={"rounds": 3, "lives": 9, "omens": 0}).start()
    for _ in range(2):
        table.seal(0, {})
        for decision in table.waiting():
            table.answer_by_default(decision)
        table.reveal(0, {})
        while table.owed() and table.owed()[0].kind == "plain":
            table.answer_by_default(table.owed()[0])

    assert table.types.count("action_forfeited") == 2
    assert [fields["seat"] for fields in table.data("seat_fell")] == [0]
    assert table.game.departures == (0,)
    assert redecide(GAMES, table.raws, CATALOGUE, SECRET) == table.game


def test_a_default_is_logged_only_with_the_reveals() -> None:
    table = Table(clock=with_clock()).start()
    table.now += 180_001
    expired = table.expire(1, "r1/bid/1")
    table.extend(0, 2, ms=600_000)
    table.seal(0, BIDS[0])
    table.entrust(2, BIDS[2])

    decided = table.reveal(0, BIDS[0])

    assert types_of(expired) == ["clock_expired"]
    assert types_of(decided)[:4] == ["action_revealed", "action_revealed", "bid_shown", "action_defaulted"]
    assert redecide(GAMES, table.raws, CATALOGUE, SECRET) == table.game


def test_the_seal_of_a_bidder_that_falls_meanwhile_is_no_forfeit() -> None:
    table = Table().start()
    table.seal(0, BIDS[0])
    table.entrust(1, BIDS[1])
    table.resign(0)

    table.entrust(2, BIDS[2])

    assert "action_forfeited" not in table.types
    assert [fields["seat"] for fields in table.data("action_revealed")] == [1, 2]
    assert redecide(GAMES, table.raws, CATALOGUE, SECRET) == table.game


def test_the_last_seal_that_is_missing_may_resign_instead() -> None:
    table = Table().start()
    table.entrust(1, BIDS[1])
    table.entrust(2, BIDS[2])

    decided = table.resign(0)

    assert types_of(decided)[:5] == ["seat_resigned", "seat_fell", "bids_closed", "action_revealed", "action_revealed"]
