"""A seat over a real server: links found again from the server's state, seals opened as made, secrets unseen."""

from typing import Any

import msgspec
import pytest

from domain.rulesets.charioteer.view import View
from spina_client.client import Client, Terms, register
from spina_client.connection import Connection
from spina_client.ids import DecisionId, Seat
from spina_client.problems import Refused
from spina_client.seat import SeatAt
from spina_client.seat_secrets import (
    LinkUnknown,
    SealedAction,
    SeatSecrets,
    SecretsUnreadable,
    build_seat_secrets,
)

RESET = {"cards": [0, 1], "discard": None, "kind": "reset"}


# Braking on and on ends a turn too: a few dozen answers a chariot.
COMMANDS_MAX = 400


async def sit_two(
    server: Connection, *, links_count: int = 1024, ruleset: str = "charioteer@1", options: dict[str, Any] | None = None
) -> tuple[SeatAt, SeatAt]:
    """Two seats of a game, of Charioteer unless it is stated, that has started."""
    ada, bob = [Client(server, await register(server, name)) for name in ("Ada", "Bob")]
    game = (await ada.open_game(Terms(ruleset=ruleset, seats=2, options=options or {}))).game
    seats = tuple(
        SeatAt(client, game, Seat(place), build_seat_secrets(links_count=links_count, is_signing=True))
        for place, client in enumerate((ada, bob))
    )
    for at in seats:
        await at.take()
    for at in seats:
        await at.ready()
    return seats[0], seats[1]


async def first_card(at: SeatAt) -> list[int]:
    own = msgspec.json.decode((await at.read()).board, type=View).own
    assert own is not None
    return [own.hand[0].draw]


async def test_a_seal_may_be_replaced_and_the_last_one_is_revealed(server: Connection) -> None:
    ada, bob = await sit_two(server)
    mine, theirs = [owed.decision for owed in (await ada.read()).owed]

    await ada.seal(mine, {**RESET, "cards": [0]})
    await ada.seal(mine, RESET)
    await bob.seal(theirs, {**RESET, "cards": await first_card(bob)})
    await ada.reveal(await ada.read(), mine)
    await bob.reveal(await bob.read(), theirs)

    seen = await ada.read()
    assert all(owed.decision.startswith("t2/") for owed in seen.owed)
    assert [seat.links_left for seat in seen.seats] == [1022, 1022]
    assert ada.secrets.sealed == {}


async def test_a_seat_without_links_plays_without_nonces(server: Connection) -> None:
    ada, _ = await sit_two(server, links_count=0)
    seen = await ada.read()

    await ada.entrust(seen, seen.owed[0].decision, RESET)

    assert [seat.links_left for seat in (await ada.read()).seats] == [0, 0]


async def test_a_seat_without_links_of_its_own_goes_on_without(server: Connection) -> None:
    ada, _ = await sit_two(server, links_count=0)
    seen = await ada.read()

    await ada.entrust(seen, seen.owed[0].decision, RESET)

    assert seen.seats[0].links_left == 0
    assert build_seat_secrets().find_link("a link that was the last", steps=0) is None


async def test_a_seat_taken_with_other_secrets_is_noticed_before_anything_is_sent(server: Connection) -> None:
    ada, _ = await sit_two(server)
    seen = await ada.read()
    ada.secrets = build_seat_secrets()

    with pytest.raises(LinkUnknown):
        await ada.entrust(seen, seen.owed[0].decision, RESET)


async def test_somebody_else_s_key_cannot_play_the_seat(server: Connection) -> None:
    ada, _ = await sit_two(server)
    seen = await ada.read()
    ada.secrets.key = build_seat_secrets(is_signing=True, links_count=0).key

    with pytest.raises(Refused) as refused:
        await ada.entrust(seen, seen.owed[0].decision, RESET)

    assert refused.value.problem.code == "signature-does-not-fit"


def test_no_secret_of_a_seat_is_shown() -> None:
    secrets = build_seat_secrets(links_count=3, is_signing=True)
    sealed = SealedAction(action={"kind": "reset"}, salt="33" * 32)
    assert secrets.key is not None

    shown = f"{secrets!r} {sealed!r} {SeatSecrets()!r}"

    assert "33" * 32 not in shown
    assert "reset" not in shown
    assert secrets.key.private_bytes_raw().hex() not in shown
    assert str(secrets.find_link(secrets.anchor, steps=3)) not in shown


async def test_what_is_sealed_is_named_until_it_is_opened(server: Connection) -> None:
    ada, bob = await sit_two(server)
    mine, theirs = [owed.decision for owed in (await ada.read()).owed]

    await ada.entrust(await ada.read(), mine, RESET)
    while_sealed = (await bob.read()).sealed
    await bob.entrust(await bob.read(), theirs, {**RESET, "cards": await first_card(bob)})

    assert while_sealed == (mine,)
    assert (await ada.read()).sealed == ()


def choose_first(choices: bytes) -> Any:
    """Choose the first thing offered."""
    first = msgspec.json.decode(choices)["candidates"][0]
    return first.get("action", first)


async def play_once(at: SeatAt) -> bool:
    """Answer the decisions of this seat, sealed in the server's custody; return whether there were any."""
    seen = await at.read()
    due = next((owed for owed in seen.owed if owed.seat == at.seat and owed.is_waited_for), None)
    if due is None:
        return False
    action = choose_first(bytes(seen.choices[due.decision]))
    answer = at.entrust if due.kind == "sealed" else at.play
    await answer(seen, due.decision, action)
    return True


@pytest.mark.parametrize("links_count", [1024, 64, 0])
async def test_seats_play_on_while_the_server_still_keeps_tokens_of_theirs(
    server: Connection, links_count: int
) -> None:
    options = {"laps": 1, "equipment": "none", "chariots_each": 2, "turns_max": 2}
    ada, bob = await sit_two(server, links_count=links_count, ruleset="chariotmaster@1", options=options)

    for _ in range(COMMANDS_MAX):
        if not (await play_once(ada) or await play_once(bob)):
            break

    seen = await ada.read()
    assert seen.status == "finished"
    assert seen.sealed == ()


async def test_a_seat_is_played_on_after_a_restart_with_the_secrets_that_were_kept(server: Connection) -> None:
    ada, bob = await sit_two(server)
    mine, theirs = [owed.decision for owed in (await ada.read()).owed]
    await ada.seal(mine, {**RESET, "cards": await first_card(ada)})
    kept = ada.secrets.to_bytes()

    again = SeatAt(ada.client, ada.game, ada.seat, SeatSecrets.from_bytes(kept))
    await bob.seal(theirs, {**RESET, "cards": await first_card(bob)})
    accepted = await again.reveal(await again.read(), mine)

    assert again.secrets.to_bytes() != kept
    assert accepted.last_version > 0
    assert repr(again.secrets) == "SeatSecrets(1024 links, a key)"


@pytest.mark.parametrize("damage", [b"", b"{}", b'{"entrusted":[],"key":"zz","links":[],"sealed":{}}'])
def test_bytes_that_are_no_secrets_are_refused_without_a_word_of_them(damage: bytes) -> None:
    with pytest.raises(SecretsUnreadable, match="found others") as refused:
        SeatSecrets.from_bytes(damage)

    assert "zz" not in str(refused.value)
    assert refused.value.__cause__ is None


@pytest.mark.parametrize("is_signing", [True, False])
def test_secrets_are_the_same_after_they_were_kept(*, is_signing: bool) -> None:
    made = build_seat_secrets(is_signing=is_signing, links_count=8)
    made.entrusted.add(DecisionId("t1/seat-0"))
    made.sealed[DecisionId("t1/seat-1")] = SealedAction(action=RESET, salt="9f" * 32)

    read = SeatSecrets.from_bytes(made.to_bytes())

    assert read.to_bytes() == made.to_bytes()
    assert (read.anchor, read.public_key, read.sealed) == (made.anchor, made.public_key, made.sealed)
