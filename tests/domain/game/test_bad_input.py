"""Bad input: each is refused by name, with expected and found, and leaves game and log unchanged."""

import re
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from domain.game import rejections
from domain.game.actions import ACTION_SIZE_MAX, read_action
from domain.game.commands import GameCommand
from domain.game.events import ActionSealed, ClockExpired, SeatResigned
from domain.game.rejections import (
    ActionTooLarge,
    ClockStillRuns,
    DecisionNotOwed,
    NoSuchSeat,
    NotYourSeat,
    RevealDoesNotFit,
    SeatDeparted,
    UnreadableAction,
    WrongAnswer,
)
from domain.ids import CommandId, DecisionId, PlayerId, Seat
from domain.log.actors import ByPlayer
from domain.log.opening import read_options
from domain.log.record import AT_MAX_MS
from domain.log.rejections import LinkDoesNotFit, NotAllowed, UnfitEvent, UnfitOptions
from domain.rejection import IllegalAction, Rejection
from tests.domain.game.game_harness import (
    CLOCK,
    OPERATOR,
    ORGANISER,
    SECRET,
    SERVER,
    Table,
    mug_terms,
    own_links,
    with_clock,
)
from tests.domain.rulesets.fake_ruleset_torches import Bid, Strike, Torches

BIDS = [Bid(card=0, drop=None), Bid(card=3, drop=5), Bid(card=6, drop=None)]
STRIKE = b'{"kind":"strike","target":null}'
Ask = Callable[[Table], object]


def bidding() -> Table:
    """Seat 0 has sealed in its own custody; 1 and 2 still choose."""
    table = Table(seats=4, clock=with_clock()).start()
    table.seal(0, BIDS[0])
    table.resign(3)
    return table


def showing() -> Table:
    """Seat 0 must reveal; the server waits for it."""
    table = bidding()
    table.entrust(1, BIDS[1])
    table.entrust(2, BIDS[2])
    return table


def striking() -> Table:
    """Seat 1 owes two strikes."""
    table = Table(clock=with_clock()).start()
    for seat, bid in enumerate(BIDS):
        table.entrust(seat, bid)
    return table


def striker(table: Table) -> int:
    return table.owed()[0].seat


def play(raw: bytes, **changes: Any) -> Ask:
    """Return an attempt to play these bytes for the first strike that is owed."""
    return lambda table: table.play(striker(table), table.owed()[0].id, raw, **changes)


def bid(raw: bytes, **changes: Any) -> Ask:
    return lambda table: table.entrust(1, raw, **changes)


NESTED = b"[" * 31 + b"]" * 31
BID_1 = DecisionId("r1/bid/1")
OTHER_ID = CommandId("0199c0de-0000-7000-a000-00000000000a")


def _resign(table: Table, seat: Any) -> object:
    return table.put(GameCommand(event=SeatResigned(seat=Seat(seat)), **table.player(0)))


def _resign_with(table: Table, **changes: Any) -> object:
    return table.put(
        msgspec.structs.replace(GameCommand(event=SeatResigned(seat=Seat(0)), **table.player(0)), **changes)
    )


def _seal(table: Table, seal: str, *, decision: str = BID_1) -> object:
    event = ActionSealed(seat=Seat(1), decision=DecisionId(decision), seal=seal)
    return table.put(GameCommand(event=event, **table.player(1)))


def _seal_strike(table: Table) -> object:
    return table.seal(striker(table), Strike(target=None), decision=table.owed()[0].id)


def _entrust_strike(table: Table) -> object:
    return table.entrust(striker(table), Strike(target=None), decision=table.owed()[0].id)


def _reveal_strike(table: Table) -> object:
    return table.reveal(striker(table), Strike(target=None), decision=table.owed()[0].id)


def _strike_oneself(table: Table) -> object:
    return table.play(striker(table), table.owed()[0].id, Strike(target=striker(table)))


def _late(table: Table) -> Table:
    table.now += 10**7
    return table


def _expire_by_player(table: Table) -> object:
    return table.put(GameCommand(event=ClockExpired(seat=Seat(1), decision=BID_1), **_late(table).player(1)))


TABLE: list[tuple[str, Callable[[], Table], Ask, type[Rejection]]] = [
    ("a seat of another player", bidding, lambda table: table.seal(1, BIDS[1], **table.player(2)), NotYourSeat),
    ("a seat that is not there", bidding, lambda table: _resign(table, 7), NoSuchSeat),
    ("a seat below none", bidding, lambda table: _resign(table, -1), UnfitEvent),
    ("a seat in words", bidding, lambda table: _resign(table, "0"), UnfitEvent),
    ("a seat that is no value at all", bidding, lambda table: _resign(table, object()), UnfitEvent),
    ("an id of no command", bidding, lambda table: _resign_with(table, id="nope"), UnfitEvent),
    ("an id in capitals", bidding, lambda table: _resign_with(table, id=str(OTHER_ID).upper()), UnfitEvent),
    ("no id", bidding, lambda table: _resign_with(table, id=None), UnfitEvent),
    (
        "a player of no id",
        bidding,
        lambda table: _resign_with(table, actor=ByPlayer(player=PlayerId("ada"))),
        UnfitEvent,
    ),
    ("a time before 1970", bidding, lambda table: _resign_with(table, at_ms=-5), UnfitEvent),
    ("a time after 2999", bidding, lambda table: _resign_with(table, at_ms=AT_MAX_MS + 1), UnfitEvent),
    ("a time beyond all numbers", bidding, lambda table: _resign_with(table, at_ms=10**30), UnfitEvent),
    ("half a time", bidding, lambda table: _resign_with(table, at_ms=0.5), UnfitEvent),
    ("a signature that is none", bidding, lambda table: _resign_with(table, sig="ab"), UnfitEvent),
    ("a decision that is no text", bidding, lambda table: _seal(table, "aa" * 32, decision="\ud800"), UnfitEvent),
    ("a proof that is no text", Table, lambda table: table.witness("\ud800"), UnfitEvent),
    ("a decision of another seat", bidding, lambda table: table.seal(2, BIDS[1], decision=BID_1), DecisionNotOwed),
    (
        "a decision of a later round",
        bidding,
        lambda table: table.seal(1, BIDS[1], decision="r2/bid/1"),
        DecisionNotOwed,
    ),
    ("a decision of an earlier phase", striking, lambda table: table.seal(1, {}, decision=BID_1), DecisionNotOwed),
    ("no decision at all", bidding, lambda table: table.seal(1, BIDS[1], decision="x" * 81), UnfitEvent),
    ("a decision with a zero byte", bidding, lambda table: table.seal(1, BIDS[1], decision="a\0b"), UnfitEvent),
    ("a seat that has left", bidding, lambda table: table.seal(3, {}, decision="r1/bid/3"), SeatDeparted),
    ("a seal that is no hash", bidding, lambda table: _seal(table, "zz"), UnfitEvent),
    ("a play where a seal is owed", bidding, lambda table: table.play(1, BID_1, BIDS[1]), WrongAnswer),
    ("a seal where a play is owed", striking, _seal_strike, WrongAnswer),
    ("an entrusted play", striking, _entrust_strike, WrongAnswer),
    ("a reveal where a play is owed", striking, _reveal_strike, WrongAnswer),
    ("a play where a reveal is owed", showing, lambda table: table.play(0, "r1/bid/0", BIDS[0]), WrongAnswer),
    ("a reveal of another action", showing, lambda table: table.reveal(0, BIDS[1]), RevealDoesNotFit),
    ("a reveal with another salt", showing, lambda table: table.reveal(0, BIDS[0], salt="44" * 32), RevealDoesNotFit),
    ("a reveal with a short salt", showing, lambda table: table.reveal(0, BIDS[0], salt="44"), UnfitEvent),
    ("a reveal with a capital salt", showing, lambda table: table.reveal(0, BIDS[0], salt="AB" * 32), UnfitEvent),
    ("a reveal without its link", showing, lambda table: table.reveal(0, BIDS[0], nonce=None), LinkDoesNotFit),
    (
        "a reveal with a used link",
        showing,
        lambda table: table.reveal(0, BIDS[0], nonce=own_links(0)[1]),
        LinkDoesNotFit,
    ),
    ("a play with a skipped link", striking, play(STRIKE, nonce=own_links(1)[4]), LinkDoesNotFit),
    ("a play with a link that is none", striking, play(STRIKE, nonce="zz"), UnfitEvent),
    ("an action with an unknown field", striking, play(b'{"also":1,"kind":"strike","target":null}'), UnreadableAction),
    ("an action that lacks a field", striking, play(b'{"kind":"strike"}'), UnreadableAction),
    ("an action of no kind", striking, play(b'{"target":null}'), UnreadableAction),
    ("an action of an unknown kind", striking, play(b'{"kind":"kick","target":null}'), UnreadableAction),
    ("an action with a field of another type", striking, play(b'{"kind":"strike","target":"0"}'), UnreadableAction),
    ("an action that is no object", striking, play(b"[]"), UnreadableAction),
    ("an action that is a whole float", striking, play(b'{"kind":"strike","target":1.0}'), UnreadableAction),
    ("an action with an exponent", striking, play(b'{"kind":"strike","target":1e0}'), UnreadableAction),
    ("an action with a mark before it", striking, play(b"\xef\xbb\xbf" + STRIKE), UnreadableAction),
    ("an action that is no text", striking, play(b"\xff"), UnreadableAction),
    ("an action that is cut", striking, play(STRIKE[:-1]), UnreadableAction),
    ("an action that is nothing", striking, play(b""), UnreadableAction),
    (
        "an action too large an integer",
        striking,
        play(b'{"kind":"strike","target":9007199254740992}'),
        UnreadableAction,
    ),
    ("an action nested too deep for a line", striking, play(NESTED), UnreadableAction),
    ("an action without end", striking, play(b'"' + b"a" * ACTION_SIZE_MAX + b'"'), ActionTooLarge),
    ("an entrusted action without end", bidding, bid(b'"' + b"a" * ACTION_SIZE_MAX + b'"'), ActionTooLarge),
    ("an entrusted action with a fraction", bidding, bid(b'{"card":3.0,"drop":null,"kind":"bid"}'), UnreadableAction),
    ("an entrusted action that lacks a field", bidding, bid(b'{"card":3,"kind":"bid"}'), UnreadableAction),
    ("an entrusted action that is illegal", bidding, bid(b'{"card":0,"drop":null,"kind":"bid"}'), IllegalAction),
    ("an entrusted action of another kind", bidding, bid(STRIKE), IllegalAction),
    ("an illegal action", striking, _strike_oneself, IllegalAction),
    ("an action for another decision", striking, play(b'{"is_raised":false,"kind":"shield"}'), IllegalAction),
    ("an expiry before its time", bidding, lambda table: table.expire(1, BID_1), ClockStillRuns),
    ("an expiry of what is done", bidding, lambda table: _late(table).expire(0, "r1/bid/0"), DecisionNotOwed),
    ("an expiry of what is not owed", bidding, lambda table: _late(table).expire(1, "r9/bid/1"), DecisionNotOwed),
    ("an expiry by a player", bidding, _expire_by_player, NotAllowed),
    ("a seal by the operator", bidding, lambda table: table.seal(1, BIDS[1], actor=OPERATOR), NotAllowed),
    ("a seal by the clock", bidding, lambda table: table.seal(1, BIDS[1], actor=CLOCK), NotAllowed),
    (
        "an entrusted action by an organiser",
        bidding,
        bid(b'{"card":3,"drop":null,"kind":"bid"}', actor=ORGANISER),
        NotAllowed,
    ),
    ("a play by the server", striking, play(STRIKE, actor=SERVER), NotAllowed),
]


@pytest.mark.parametrize(("build", "ask", "rejection"), [row[1:] for row in TABLE], ids=[row[0] for row in TABLE])
def test_it_is_refused_by_name_and_changes_nothing(
    build: Callable[[], Table], ask: Ask, rejection: type[Rejection]
) -> None:
    table = build()
    game, raws = table.game, table.raws

    with pytest.raises(rejection) as refused:
        ask(table)

    assert type(refused.value) is rejection
    assert refused.value.expected
    assert refused.value.found
    assert refused.value.expected in str(refused.value)
    assert table.game is game
    assert table.raws == raws


def test_no_rejection_quotes_a_salt_a_link_or_the_secret() -> None:
    salt = "5a" * 32
    for _, build, ask, _ in TABLE:
        table = build()
        with pytest.raises(Rejection) as refused:
            ask(table)
        said = str(refused.value)
        hidden = [salt, "44" * 32, SECRET.hex(), *(table.nonce(seat) or salt for seat in range(3))]
        assert not [name for name in hidden if name in said]


MARK = "4718293"
HIDDEN_ACTIONS = [
    b'{"card":"4718293","drop":null,"kind":"bid"}',
    b'{"card":4718293.5,"drop":null,"kind":"bid"}',
    b'{"card":47182934718293471829,"drop":null,"kind":"bid"}',
    b'{"card": 4718293,"drop":null,"kind":"bid","more":0}',
    b'{"card":4718293,"kind":"bid"}',
    b'{"card":0,"drop":null,"kind":"4718293"}',
    b'{"card":0,"drop":null,"kind":"4718293` - at `$.x"}',
    b'{"4718293":0,"card":0,"drop":null,"kind":"bid"}',
    b'{"kind":"bid","card":4718293}',
    b'{"card":"\\u0034718293","drop":null,"kind":"bid"}',
    b'{"card":4718293,"drop":null,"kind":"bid"',
    b'"4718293"',
    b"4718293",
    b'{"4718293\xc3\xa9":0}',
    b'{"kind":"4718293\xff"}',
]


@pytest.mark.parametrize("raw", HIDDEN_ACTIONS)
def test_no_rejection_of_an_action_that_is_hidden_from_others_quotes_it(raw: bytes) -> None:
    table = bidding()

    with pytest.raises(UnreadableAction) as refused:
        table.entrust(1, raw)

    assert MARK not in str(refused.value)


@pytest.mark.parametrize(
    "raw",
    [
        b'{"card": 3, "drop": null, "kind": "bid"}',
        b'{\n"card":3,"drop":null,"kind":"bid"}\n',
        b'{"kind":"bid","card":3,"drop":null}',
        b'{"card":3,"drop":null,"kind":"\\u0062id"}',
        b'{"card":0,"drop":null,"kind":"bid","card":3}',
    ],
    ids=["spaces", "line breaks", "another order", "an escape", "a key twice, of which the last counts"],
)
def test_an_action_in_another_spelling_is_sealed_and_logged_in_the_canonical_one(raw: bytes) -> None:
    canonical, other = bidding(), bidding()
    canonical.entrust(1, b'{"card":3,"drop":null,"kind":"bid"}')

    other.entrust(1, raw)

    assert other.raws == canonical.raws


def test_a_reveal_that_does_not_fit_shows_the_canonical_action_that_was_compared() -> None:
    table = showing()

    with pytest.raises(RevealDoesNotFit) as refused:
        table.reveal(0, b'{ "kind": "bid", "card": 5, "drop": null }')

    assert '{"card":5,"drop":null,"kind":"bid"}' in refused.value.found


def test_a_field_that_is_left_out_or_in_disorder_is_named() -> None:
    mug = Table(**mug_terms()).start()

    with pytest.raises(UnreadableAction, match=r"[$]\.marks"):
        mug.entrust(0, b'{"kind":"value","value":1}')


def test_each_rejection_has_a_code_of_its_own() -> None:
    classes = [value for value in vars(rejections).values() if isinstance(value, type) and issubclass(value, Rejection)]
    codes = [rejection.code for rejection in classes if rejection.__module__ == rejections.__name__]

    assert len(codes) == len(set(codes))
    assert all(re.fullmatch("[a-z]+(-[a-z]+)*", code) for code in codes)


def test_an_action_of_an_unknown_kind_is_told_the_kinds_and_an_unknown_option_the_options() -> None:
    ruleset = Torches()

    with pytest.raises(UnreadableAction) as unreadable:
        read_action(ruleset, {"kind": "kick"})
    with pytest.raises(UnfitOptions) as unfit:
        read_options(ruleset, {"round": 2})

    assert unreadable.value.expected == 'an action of torches, with one of "bid", "strike", "shield"'
    assert unreadable.value.found == "Invalid value - at `$.kind`"
    assert "rounds" in unfit.value.expected
    assert "kick" not in str(unreadable.value)
