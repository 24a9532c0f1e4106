"""Quotas of the acts that cost others, of an account and of its network: each refusal states when it ends."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from domain.ids import GameId, StreamId
from infra.networks import network_of
from services.api.games.lobby import OPEN_OF_ONE_MAX
from services.api.games.rematch import REMATCHES_EACH_MAX
from services.api.http.examples import ADD_WAY_EXAMPLE
from services.api.http.rates import (
    HOUSE_CALLS,
    NETWORK_OFFERS,
    NETWORK_OFFERS_TO_ONE,
    NETWORK_OPENINGS,
    NETWORK_UNSTARTED,
    NETWORK_WAYS,
    OFFERS,
    OFFERS_TO_ONE,
    OPENINGS,
    UNSTARTED,
    WAYS,
    Quota,
)
from tests.database import Database
from tests.domain.rulesets.fake_ruleset_torches import Bid
from tests.services.api.player import GAME, Player, expect, register, seat_two
from tests.services.api.server import TORCHES, Api, running_api
from tests.services.api.test_problems import problem_of
from tests.services.api.test_rematch import ask_rematch, end

NETWORK = network_of("127.0.0.1")
BOTS = {"any": lambda *_: Bid(card=0, drop=None)}
KIT = type(TORCHES)(ruleset=TORCHES.ruleset, build=TORCHES.build, folder=TORCHES.folder, bots=BOTS)
# Each act with what it counts for: the account, the network, and the player who is asked.
OPEN = ("open", (OPENINGS, NETWORK_OPENINGS))
OFFER = ("offer", (OFFERS, NETWORK_OFFERS, OFFERS_TO_ONE, NETWORK_OFFERS_TO_ONE, UNSTARTED, NETWORK_UNSTARTED))
CALL = ("call", (HOUSE_CALLS,))
LEAVE = ("leave", (UNSTARTED, NETWORK_UNSTARTED))
ADD_WAY = ("add_way", (WAYS, NETWORK_WAYS))
ACTS = [(act, quota) for act, quotas in (OPEN, OFFER, CALL, LEAVE, ADD_WAY) for quota in quotas]


def name_spender(quota: Quota, account: str, other: str) -> str:
    spender = NETWORK if "network" in quota.name else account
    return f"{spender}:{other}" if quota.name.startswith("offer-one") else spender


async def act_once(act: str, player: Player, other: Player) -> Any:
    game = GameId(StreamId(f"{GAME[:-1]}9"))
    acts: dict[str, Callable[[], Awaitable[Any]]] = {
        "open": lambda: player.open(command=game),
        "offer": lambda: player.command("offers", seat=1, to={"kind": "player", "player": other.id}),
        "call": lambda: player.open(command=game, offers=[None, {"kind": "house", "bot": "any"}]),
        "leave": lambda: player.command("leave", seat=0),
        "add_way": lambda: player.post("/account/ways", ADD_WAY_EXAMPLE),
    }
    return await acts[act]()


@pytest.mark.parametrize(("act", "quota"), ACTS, ids=[f"{act}-{quota.name}" for act, quota in ACTS])
async def test_an_act_beyond_a_quota_is_refused_with_the_time_of_the_next(
    database: Database, act: str, quota: Quota
) -> None:
    async with running_api(database, kits=(KIT,), per_s=1_000, monotonic_us=lambda: 0) as api:
        ada, bob = await register(api, "Ada", number=1), await register(api, "Bob", number=2)
        await expect(ada.open(), 201)
        # The first opening of the test counts already, and a command sent again is not asked for the house again.
        await api.parts.rates.spend(quota, name_spender(quota, ada.id, bob.id), cost=quota.at_once - 1)
        if quota is HOUSE_CALLS:
            await api.parts.rates.spend(quota, NETWORK)
        elif quota not in (OPENINGS, NETWORK_OPENINGS):
            await act_once(act, ada, bob)
        refused = await act_once(act, ada, bob)

    assert problem_of(refused) == (429, "too-many-requests")
    assert quota.what in refused.json()["detail"]
    assert "the next one may come in" in refused.json()["detail"]


async def test_a_loser_who_opens_and_aborts_rematches_leaves_the_winner_its_own(api: Api) -> None:
    ada, bob = await seat_two(api)
    await end(ada, bob)
    former = ada.game
    for _ in range(REMATCHES_EACH_MAX):
        ada.game = former
        ada.game = (await expect(ask_rematch(ada), 201))["game"]
        await expect(ada.command("abort", reason="No."), 200)
    ada.game = former

    refused = await ask_rematch(ada)
    opened = await ask_rematch(bob)

    assert (refused.status_code, opened.status_code) == (422, 201)
    assert "rematches of one game by one player" in refused.json()["detail"]


async def test_one_opener_has_few_open_tables_on_a_page_and_hides_none_of_others(api: Api) -> None:
    ada, bob = await register(api, "Ada", number=1), await register(api, "Bob", number=2)
    theirs = f"{GAME[:-3]}900"
    await expect(bob.open(command=theirs), 201)
    for number in range(60):
        api.clock.now_ms += 1_000
        await expect(ada.open(command=f"{GAME[:-3]}{number:03d}", delay_s=300 * (number % 2)), 201)
    await api.project()
    api.clock.now_ms += 400_000

    for query in ("?status=open", ""):
        items = (await api.client.get(f"/v1/games{query}")).json()["items"]

        assert theirs in [item["id"] for item in items]
        assert len([item for item in items if item["opened_by"] == f"player:{ada.id}"]) == OPEN_OF_ONE_MAX
