"""A bot that waits for rivals: it takes what is offered, declines what it does not want, and survives its own end."""

import asyncio
from pathlib import Path

import httpx2
import pytest

from spina_client.challenge import challenge, friend
from spina_client.client import Client, Demand, Terms, register
from spina_client.connection import Connection, connected
from spina_client.formats import Json
from spina_client.ids import GameId, PlayerId
from spina_client.kept_seats import KeptSeats
from spina_client.problems import Refused
from spina_client.seat_secrets import build_seat_secrets
from spina_client.seen import Account, GameSeen, OwnOffer
from spina_client.serving import serve_challenges
from tests.clients.spina_client.races import RACE, choose, play_race

GAME = GameId("0199c0de-0000-7000-8000-000000000001")
BOB = Account(id=PlayerId("0199c0de-0000-7000-8000-00000000000b"), name="Bob", token="spina_hunter2")
OFFER = {"game": GAME, "ruleset": "torches@1", "seat": 1, "sender": None, "sender_name": None}
DEMANDS: dict[str, tuple[Demand, ...]] = {"none": (), "all": ("links", "own_custody", "signed")}


@pytest.mark.parametrize("demands", DEMANDS.values(), ids=DEMANDS)
async def test_a_bot_that_was_killed_in_a_race_plays_it_to_its_end(
    server: Connection, tmp_path: Path, demands: tuple[Demand, ...]
) -> None:
    ada, bob = [Client(server, await register(server, name)) for name in ("Ada", "Bob")]
    answered, ended = asyncio.Event(), asyncio.get_running_loop().create_future()

    def answer_once(board: Json, choices: Json) -> Json:
        if answered.is_set():
            # Killed in the middle of a decision.
            raise asyncio.CancelledError
        answered.set()
        return choose(board, choices)

    kept = KeptSeats(tmp_path / "seats")
    serving = asyncio.create_task(serve_challenges(bob, answer_once, kept=kept))
    terms = Terms(**RACE, demands=demands, offers=(None, friend(bob.account.id)))
    playing = asyncio.create_task(play_race(await challenge(ada, terms)))
    await answered.wait()
    serving.cancel()
    await asyncio.wait({serving})

    serving = asyncio.create_task(serve_challenges(bob, choose, kept=kept, on_ended=ended.set_result))
    await playing

    assert (await ended).status == "finished"
    serving.cancel()
    await asyncio.wait({serving})
    assert list((tmp_path / "seats").iterdir()) == []


async def test_an_offer_that_is_not_accepted_is_declined(server: Connection) -> None:
    ada, bob = [Client(server, await register(server, name)) for name in ("Ada", "Bob")]
    looked_at = asyncio.get_running_loop().create_future()

    def refuse(offer: OwnOffer) -> bool:
        if not looked_at.done():
            looked_at.set_result(offer.sender_name)
        return False

    serving = asyncio.create_task(serve_challenges(bob, choose, accepts=refuse))
    await ada.open_game(Terms(**RACE, offers=(None, friend(bob.account.id))))

    assert await looked_at == "Ada"
    while (await bob.read_own_games()).offers:
        pass
    serving.cancel()
    await asyncio.wait({serving})


async def test_a_fault_in_one_game_leaves_the_others_alone(server: Connection) -> None:
    ada, bob = [Client(server, await register(server, name)) for name in ("Ada", "Bob")]
    failed, ended = asyncio.Event(), asyncio.Queue[GameSeen]()

    def fail_once(board: Json, choices: Json) -> Json:
        if not failed.is_set():
            failed.set()
            raise RuntimeError("a bug")
        return choose(board, choices)

    serving = asyncio.create_task(serve_challenges(bob, fail_once, on_ended=ended.put_nowait))
    terms = Terms(**RACE, offers=(None, friend(bob.account.id)))
    first = await challenge(ada, terms)
    rival = asyncio.create_task(play_race(first))
    await failed.wait()
    second = await challenge(ada, terms)
    await play_race(second)

    assert (await ended.get()).id == second.game
    for task in (serving, rival):
        task.cancel()
    await asyncio.wait({serving, rival})


class Forgetting(httpx2.AsyncBaseTransport):
    """A server that knows the token when it lists the games of the account, and never again."""

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        if request.url.path == "/v1/account/games":
            return httpx2.Response(200, json={"after": 1, "items": [], "offers": [OFFER]})
        return httpx2.Response(401, json={"type": "urn:spina:problem:unauthorized", "status": 401})


@pytest.mark.parametrize("is_accepted", [True, False], ids=["the_stream", "a_decline"])
async def test_a_token_that_is_revoked_meanwhile_ends_it_by_the_refusal_itself(*, is_accepted: bool) -> None:
    async with connected("http://spina.test", transport=Forgetting()) as connection:
        serving = serve_challenges(Client(connection, BOB), choose, accepts=lambda _offer: is_accepted)

        with pytest.raises(Refused, match="unauthorized"):
            await serving


def test_kept_secrets_are_for_their_owner_alone_and_read_back(tmp_path: Path) -> None:
    kept, secrets = KeptSeats(tmp_path / "seats"), build_seat_secrets(is_signing=True, links_count=4)

    kept.keep(GAME, secrets)

    (file,) = (tmp_path / "seats").iterdir()
    found = kept.read(GAME)
    assert found is not None
    assert (found.anchor, found.public_key) == (secrets.anchor, secrets.public_key)
    assert file.stat().st_mode & 0o077 == 0
    kept.forget(GAME)
    assert kept.read(GAME) is None
