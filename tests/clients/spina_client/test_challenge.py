"""One call from terms to a game, and the errors that a program catches."""

import asyncio
import importlib
import pkgutil
from inspect import isclass

import pytest

import spina_client
from spina_client.challenge import RivalAway, challenge, friend
from spina_client.client import TOKEN_VARIABLE, Client, Terms, TokenMissing, register, sign_in
from spina_client.connection import Connection
from spina_client.ids import Seat
from spina_client.problems import Refused, SpinaError
from spina_client.seat import SeatAt
from spina_client.seat_secrets import build_seat_secrets

ERRORS = [
    found
    for module in pkgutil.iter_modules(spina_client.__path__, "spina_client.")
    for found in vars(importlib.import_module(module.name)).values()
    if isclass(found) and issubclass(found, Exception) and found.__module__ == module.name
]


@pytest.mark.parametrize("error", ERRORS)
def test_every_error_of_the_package_is_one_of_spina(error: type[Exception]) -> None:
    assert issubclass(error, SpinaError)


async def test_a_friend_who_sits_down_is_waited_for_and_the_game_runs(server: Connection) -> None:
    ada, bob = [Client(server, await register(server, name)) for name in ("Ada", "Bob")]
    terms = Terms(ruleset="charioteer@1", seats=2, offers=(None, friend(bob.account.id)))

    challenging = asyncio.create_task(challenge(ada, terms))
    signed_in = await sign_in(server, environment={TOKEN_VARIABLE: bob.account.token})
    at = await sit_down(signed_in)
    mine = await challenging
    await at.ready()

    seen = await mine.read()
    assert signed_in.account == bob.account
    assert (seen.status, seen.your_seat) == ("running", 0)


async def sit_down(client: Client) -> SeatAt:
    """Sit down at the game that is open to this account, once it is there."""
    while True:
        async for listed in client.list_games(status="open", pages_max=1):
            at = SeatAt(client, listed.id, Seat(1), build_seat_secrets())
            await at.take()
            return at


async def test_a_rival_who_stays_away_is_waited_for_no_longer_than_asked(server: Connection) -> None:
    ada = Client(server, await register(server, "Ada"))

    with pytest.raises(RivalAway, match="found 1 vacant"):
        await challenge(ada, Terms(ruleset="charioteer@1", seats=2), waits_max=0)


async def test_without_a_token_none_is_signed_in(server: Connection) -> None:
    with pytest.raises(TokenMissing, match=TOKEN_VARIABLE):
        await sign_in(server, environment={})
    with pytest.raises(Refused, match="not-authenticated"):
        await sign_in(server, "spina_made-up")


async def test_an_offered_seat_is_read_and_a_game_that_ended_is_proven_and_played_again(server: Connection) -> None:
    ada, bob = [Client(server, await register(server, name)) for name in ("Ada", "Bob")]
    opened = await ada.open_game(Terms(ruleset="charioteer@1", seats=2, offers=(None, friend(bob.account.id))))
    seats = [SeatAt(client, opened.game, Seat(place), build_seat_secrets()) for place, client in enumerate((ada, bob))]
    offered = await read_offered(bob)
    for at in seats:
        await at.take()
    for at in seats:
        await at.ready()
    decision = (await seats[0].read()).owed[0].decision
    effect = await seats[0].preview(decision, {"cards": [0], "discard": None, "kind": "reset"})
    await seats[0].resign()

    rematch = await bob.open_rematch(opened.game)

    assert offered == [(opened.game, Seat(1), ada.account.id)]
    assert b"damage_removed" in bytes(effect)
    assert rematch.game != opened.game
    assert (await ada.read_bundle(opened.game)).startswith(b"PK")


async def read_offered(client: Client) -> list[tuple[str, int, str | None]]:
    """Read the seats that are offered to an account, once there are any."""
    while not (own := await client.read_own_games()).offers:
        pass
    return [(offer.game, offer.seat, offer.sender) for offer in own.offers]
