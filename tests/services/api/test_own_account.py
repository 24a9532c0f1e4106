"""A person's own account: renamed, exported and forgotten, while every bundle of a game keeps its bytes."""

from typing import Any
from uuid import UUID

import asyncpg

from domain.accounts.account import Account
from domain.ids import GameId, StreamId
from infra.postgres.moderation import NEUTRAL_NAME, mute, name_player
from services.api.http.examples import ORGANISER
from tests.database import Database
from tests.services.api.player import GAME, Player, expect, register, seat_two
from tests.services.api.server import Api
from tests.services.api.test_problems import problem_of


async def rename(player: Player, name: str) -> Any:
    return await expect(player.post("/account/name", {"name": name}), 201)


async def read(api: Api, path: str, player: Player | None = None) -> Any:
    response = await api.client.get(f"/v1{path}", headers=player.headers if player else {})
    assert response.status_code == 200, response.text
    return response.json()


async def test_a_new_name_is_shown_everywhere_at_once_and_changes_no_bundle(api: Api) -> None:
    ada, bob = await seat_two(api)
    await expect(bob.resign(), 200)
    before = (await ada.get("/bundle")).content

    renamed = await rename(ada, "  Augusta ")
    await api.project()

    assert renamed == {"name": "Augusta"}
    assert (await read(api, f"/players/{ada.id}"))["name"] == "Augusta"
    assert [seat["name"] for seat in (await read(api, "/games"))["items"][0]["taken"]] == ["Augusta", "Bob"]
    assert (await ada.get("/bundle")).content == before


async def test_a_new_name_imitates_no_other(api: Api) -> None:
    ada, bob = await register(api, "Ada"), await register(api, "Bob")

    names = [(await rename(bob, name))["name"] for name in ("ADA", "\u0410da", "Bob", "bob")]
    own = (await rename(ada, "ada"))["name"]

    assert names == ["ADA #2", "\u0410da #2", "Bob", "bob"]
    assert own == "ada"
    assert problem_of(await bob.post("/account/name", {"name": "Scorpus (house bot)"})) == (400, "invalid-input")


async def test_a_muted_player_plays_on_without_a_name_of_its_own(api: Api, database: Database) -> None:
    ada, _bob = await seat_two(api)

    async with database.owned() as owner:
        is_done = await mute(owner, UUID(ada.id), is_muted=True)
        await name_player(owner, UUID(ada.id), NEUTRAL_NAME)
    await api.project()
    renamed = await ada.post("/account/name", {"name": "Augusta"})

    assert is_done
    assert problem_of(renamed) == (403, "not-allowed")
    assert [seat["name"] for seat in (await read(api, "/games"))["items"][0]["taken"]] == ["Player", "Bob"]
    await expect(ada.resign(), 200)


async def test_an_export_has_the_account_its_tokens_and_games_and_no_secret(api: Api) -> None:
    ada, _bob = await seat_two(api)
    await expect(ada.post("/account/codes", {"minutes": None}), 201)
    await api.project()

    export = await read(api, "/account/export", ada)

    assert (export["account"]["name"], export["account"]["id"]) == ("Ada", ada.id)
    assert [token["kind"] for token in export["tokens"]] == ["token", "code"]
    assert [(game["game"], game["seat"]) for game in export["games"]] == [(GAME, 0)]
    assert "spina_" not in str(export)


async def test_an_export_gives_seats_a_page_after_the_other_and_passes_offers_by(api: Api) -> None:
    ada, bob = await register(api, "Ada"), await register(api, "Bob")
    ids = [f"{GAME[:-1]}{number}" for number in range(3)]
    for number, id_ in enumerate(ids):
        await expect(bob.open(command=id_, offers=[{"kind": "player", "player": ada.id}, None]), 201)
        ada.game = GameId(StreamId(id_))
        await expect(ada.take(0), 200)
        await expect(bob.open(command=f"{id_[:-2]}9{number}", offers=[{"kind": "player", "player": ada.id}, None]), 201)
        api.clock.now_ms += 1_000 * number
    await api.project()

    first = await read(api, "/account/export?limit=2", ada)
    second = await read(api, f"/account/export?limit=2&before={first['next']}", ada)

    assert [game["result"] for page in (first, second) for game in page["games"]] == ["open"] * 3
    assert {game["game"] for page in (first, second) for game in page["games"]} == set(ids)
    assert second["next"] is None


async def test_a_forgotten_account_leaves_no_name_and_every_bundle_as_it_was(api: Api, database: Database) -> None:
    ada, bob = await seat_two(api)
    await expect(bob.resign(), 200)
    await rename(ada, "Augusta Secunda")
    await expect(ada.post("/account/tokens", {"name": "Augusta's bot", "scopes": ["play"], "days": None}), 201)
    before = (await bob.get("/bundle")).content

    gone = await expect(ada.post("/account/forget", {"name": "Augusta Secunda"}), 201)
    await api.project()

    owner = await asyncpg.connect(database.owner_url)
    stored = [
        await owner.fetchval(f"select string_agg(one::text, ' ') from spina.{table} one")  # noqa: S608  our tables
        for table in ("account", "token", "projection_row")
    ]
    await owner.close()
    assert gone == {"id": ada.id}
    assert "Augusta" not in str(stored)
    assert problem_of(await ada.get()) == (401, "not-authenticated")
    assert (await bob.get("/bundle")).content == before
    assert [seat["name"] for seat in (await read(api, "/games"))["items"][0]["taken"]] == [None, "Bob"]


async def test_an_account_is_forgotten_by_its_present_name_alone(api: Api) -> None:
    ada = await register(api, "Ada")

    refused = await ada.post("/account/forget", {"name": "Bob"})

    assert problem_of(refused) == (400, "invalid-input")
    assert (await read(api, "/account", ada))["name"] == "Ada"


async def test_an_organiser_exports_an_account_without_games(api: Api) -> None:
    token = await api.create_account(Account(id=ORGANISER, name="Orga", role="organiser"))

    export = await read(api, "/account/export", Player(api, token))

    assert (export["account"]["name"], export["games"], export["next"]) == ("Orga", [], None)
