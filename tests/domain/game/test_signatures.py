"""Signed inputs: a signature fits one input, at one place of one game, once."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from domain.canonical import encode
from domain.game.commands import GameCommand
from domain.game.custody import seal_opening
from domain.game.events import ActionRevealed, ActionSealed, ClockExtended, SeatLeft, SeatResigned
from domain.game.kind import GAMES
from domain.game.state import Opening
from domain.ids import CommandId, DecisionId, GameId, Seat, StreamId
from domain.log.actors import ByPlayer
from domain.log.rejections import CommandIdReused, SignatureDoesNotFit, SignatureMissing, SignatureUnwanted
from domain.rejection import Rejection
from domain.signature import signed_input
from tests.domain.game.game_harness import (
    CATALOGUE,
    ORGA,
    ORGANISER,
    PLAYERS,
    SECRET,
    Table,
    as_event,
    public_hex,
    signing_key,
    with_clock,
)
from tests.domain.log.redeciding import redecide
from tests.domain.rulesets.fake_ruleset_torches import Bid, Shield, Strike

KEYS = [signing_key(number) for number in range(1, 5)]
OTHER_GAME = GameId(StreamId("0199c0de-0000-7000-8000-000000000002"))
BIDS = [Bid(card=0, drop=None), Bid(card=3, drop=5), Bid(card=6, drop=None)]


def signed_table(**terms: Any) -> Table:
    """Return a game whose seats 0 to 2 and whose organiser sign; not started."""
    organisers = {ORGA: public_hex(KEYS[3])}
    table = Table(**{"clock": with_clock(), "demands": ("signed",), "organisers": organisers, **terms})
    table.keys = {ByPlayer(player=player): key for player, key in zip(PLAYERS, KEYS, strict=False)}
    table.keys[ORGANISER] = KEYS[3]
    for seat in range(3):
        table.take(seat, key=public_hex(KEYS[seat]))
    return table


def started(**terms: Any) -> Table:
    table = signed_table(**terms)
    for seat in range(3):
        table.ready(seat)
    return table


def resigning(table: Table, **changes: Any) -> GameCommand:
    """Return a signed command whose signed parts are replaced after signing."""
    command = table.sign(GameCommand(event=SeatResigned(seat=Seat(0)), **table.player(0)))
    return msgspec.structs.replace(command, **changes)


def test_every_kind_of_input_of_a_seat_and_an_organiser_can_be_signed() -> None:
    table = signed_table()
    table.leave(2)
    table.take(2, key=public_hex(KEYS[2]))
    for seat in range(3):
        table.ready(seat)
    table.extend(0)
    table.seal(0, BIDS[0])
    table.entrust(1, BIDS[1])
    table.entrust(2, BIDS[2])
    table.reveal(0, BIDS[0])
    left = table.owed()[0]
    table.play(left.seat, left.id, Strike(target=None))
    table.resign(left.seat)
    table.remove(next(seat for seat in range(3) if seat != left.seat))

    signed = {entry.line.type for entry in table.entries if entry.line.sig is not None}

    expected = "seat_taken seat_left seat_readied action_sealed action_revealed action_played seat_resigned"
    assert signed == {*expected.split(), "clock_extended", "seat_removed"}
    assert redecide(GAMES, table.raws, CATALOGUE, SECRET) == table.game


def test_what_the_server_reveals_for_a_seat_with_a_key_is_not_signed() -> None:
    table = started()
    for seat, bid in enumerate(BIDS):
        table.entrust(seat, bid)

    revealed = [entry.line for entry in table.entries if entry.line.type == "action_revealed"]

    assert [(line.by, line.sig) for line in revealed] == [("server", None)] * 3


@pytest.mark.parametrize(
    "ask",
    [
        lambda table: table.ready(0),
        lambda table: table.leave(0),
        lambda table: table.take(3, key=public_hex(KEYS[3])),
    ],
    ids=["ready", "leave", "take"],
)
def test_before_the_start_an_unsigned_input_of_a_seat_with_a_key_is_refused(ask: Callable[[Table], object]) -> None:
    table = signed_table(seats=4)
    table.keys = {}

    with pytest.raises(SignatureMissing):
        ask(table)


@pytest.mark.parametrize(
    "ask",
    [
        lambda table: table.seal(0, BIDS[0]),
        lambda table: table.entrust(0, BIDS[0]),
        lambda table: table.resign(0),
        lambda table: table.play(0, "r1/left/0", Shield(is_raised=False)),
        lambda table: table.reveal(0, BIDS[0]),
        lambda table: table.extend(0),
        lambda table: table.remove(0),
        lambda table: table.abort(ORGANISER),
    ],
    ids=["seal", "entrust", "resign", "play", "reveal", "extend", "remove", "abort"],
)
def test_an_unsigned_input_of_whoever_has_a_key_is_refused(ask: Callable[[Table], object]) -> None:
    table = started()
    table.keys = {}

    with pytest.raises(SignatureMissing):
        ask(table)


def test_a_signature_by_another_key_is_refused() -> None:
    table = started()
    table.keys = dict.fromkeys(table.keys, KEYS[1])

    with pytest.raises(SignatureDoesNotFit):
        table.resign(0)


def test_a_seat_is_taken_with_a_signature_by_the_key_it_registers() -> None:
    table = Table()
    table.keys = {ByPlayer(player=PLAYERS[0]): KEYS[1]}

    with pytest.raises(SignatureDoesNotFit):
        table.take(0, key=public_hex(KEYS[0]))


def test_a_signature_nobody_can_check_is_refused() -> None:
    table = Table()

    with pytest.raises(SignatureUnwanted):
        table.take(0, sig="ab" * 64)
    table.start()
    with pytest.raises(SignatureUnwanted):
        table.put(resigning(table, sig="ab" * 64))


def test_a_signed_input_is_not_accepted_twice() -> None:
    table = started()
    table.extend(0)
    first = table.entries[-1].line.command
    again = {**table.meta(ORGANISER), "id": first}

    with pytest.raises(CommandIdReused):
        table.put(GameCommand(event=ClockExtended(seats=(Seat(0),), ms=60_000, reason="outage"), **again))


@pytest.mark.parametrize(
    "changes",
    [{"stream": OTHER_GAME}, {"id": CommandId(OTHER_GAME)}],
    ids=["another stream", "another command"],
)
def test_a_signature_fits_one_stream_and_one_command(changes: dict[str, Any]) -> None:
    table = started()
    command = GameCommand(event=SeatResigned(seat=Seat(0)), **{**table.player(0), **changes})
    signed = table.sign(command)

    moved = msgspec.structs.replace(signed, id=CommandId(PLAYERS[0]), stream=table.game.id)

    with pytest.raises(SignatureDoesNotFit):
        table.put(moved)


def test_a_signed_seal_moved_to_another_decision_is_refused() -> None:
    table = started()
    seal = GameCommand(
        event=ActionSealed(seat=Seat(0), decision=DecisionId("r2/bid/0"), seal="aa" * 32), **table.player(0)
    )
    signed = table.sign(seal)

    with pytest.raises(SignatureDoesNotFit):
        table.put(
            msgspec.structs.replace(
                signed, event=ActionSealed(seat=Seat(0), decision=DecisionId("r1/bid/0"), seal="aa" * 32)
            )
        )


def test_a_signed_input_of_another_type_is_refused() -> None:
    table = signed_table()
    _, data = as_event(GameCommand(event=SeatResigned(seat=Seat(0)), **table.player(0)))
    meta = table.player(0)
    message = signed_input(
        base=table.game.head, command=meta["id"], data=data, stream=table.game.id, type_="seat_resigned"
    )

    with pytest.raises(SignatureDoesNotFit):
        table.put(
            GameCommand(event=SeatLeft(seat=Seat(0)), base=table.game.head, sig=KEYS[0].sign(message).hex(), **meta)
        )


def test_a_signed_seal_with_another_hash_is_refused() -> None:
    table = started()
    seal = GameCommand(
        event=ActionSealed(seat=Seat(0), decision=DecisionId("r1/bid/0"), seal="aa" * 32), **table.player(0)
    )
    signed = table.sign(seal)

    with pytest.raises(SignatureDoesNotFit):
        table.put(
            msgspec.structs.replace(
                signed, event=ActionSealed(seat=Seat(0), decision=DecisionId("r1/bid/0"), seal="bb" * 32)
            )
        )


def test_the_server_cannot_seal_another_action_than_the_one_a_player_signed() -> None:
    table = started()
    table.entrust(0, BIDS[0])
    mine, other = (
        Opening(seat=Seat(0), action=encode(bid), salt="33" * 32, link=table.nonce(0))
        for bid in (BIDS[0], Bid(card=1, drop=None))
    )
    sealed, exchanged = (seal_opening(table.id, DecisionId("r1/bid/0"), opening) for opening in (mine, other))
    sent = table.sign(GameCommand(event=sealed, entrusted=mine, **table.player(0)))

    with pytest.raises(SignatureDoesNotFit):
        table.put(msgspec.structs.replace(sent, event=exchanged, entrusted=other))


def test_a_signature_over_another_spelling_of_an_action_is_answered_with_the_canonical_one() -> None:
    table = started()
    for seat in range(len(table.game.seats)):
        table.seal(seat, BIDS[seat])
    revealed = ActionRevealed(
        seat=Seat(0),
        decision=DecisionId("r1/bid/0"),
        action={"kind": "bid", "drop": None, "card": 0},
        salt="33" * 32,
        nonce=table.nonce(0),
    )
    command = GameCommand(event=revealed, base=table.game.head, sig="ab" * 64, **table.player(0))

    with pytest.raises(SignatureDoesNotFit, match=r'{"card":0,"drop":null,"kind":"bid"}'):
        table.put(command)


def test_a_signed_seal_is_not_put_back_in_place_of_its_replacement() -> None:
    table = started()
    first = GameCommand(
        event=ActionSealed(seat=Seat(0), decision=DecisionId("r1/bid/0"), seal="aa" * 32), **table.player(0)
    )
    table.put(first)
    table.seal(0, BIDS[0])

    with pytest.raises(CommandIdReused):
        table.put(first)
    with pytest.raises(SignatureDoesNotFit):
        table.put(msgspec.structs.replace(table.sign(first), id=CommandId(OTHER_GAME)))


@pytest.mark.parametrize("sig", ["", "ab", "AB" * 64, "00" * 64, "ab" * 64 + "\n"])
def test_what_is_no_signature_is_refused(sig: str) -> None:
    table = started()

    with pytest.raises(Rejection):
        table.put(resigning(table, sig=sig))
