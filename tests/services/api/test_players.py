"""Accounts over HTTP: who may have one, the rights of its token, and the data kept about it."""

import asyncio

import asyncpg
import pytest

from domain.accounts.account import Account
from domain.accounts.token import hash_token
from domain.house import HOUSE
from infra.postgres.connection import open_app_connection
from services.api.http.known_tokens import KEPT_MS_MAX
from tests.database import Database
from tests.services.api.player import GAME, Player, expect, register
from tests.services.api.server import Api
from tests.services.api.test_problems import problem_of

ORGANISER = Account(id="0199c0de-0000-7000-8000-0000000000f0", name="Orga", role="organiser")


async def test_a_player_gets_a_token_that_opens_games(api: Api) -> None:
    ada = await register(api, "Ada")

    opened = await expect(ada.open(), 201)

    assert opened["game"] == GAME
    game = await expect(ada.get(), 200)
    assert game["opened_by"] == f"player:{ada.id}"


async def test_the_token_is_kept_as_its_hash_alone(api: Api, database: Database) -> None:
    ada = await register(api, "Ada")
    token = ada.headers["authorization"].removeprefix("Bearer ")

    owner = await asyncpg.connect(database.owner_url)
    stored = await owner.fetchrow("select token::text as text, hash from spina.token")
    await owner.close()

    assert stored is not None
    assert token not in stored["text"]
    assert stored["hash"] == hash_token(token)


async def test_the_answer_with_the_token_is_kept_by_no_cache(api: Api) -> None:
    response = await api.client.post("/v1/players", json={"name": "Ada"})

    assert response.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("name", ["", "  ", "a" * 81, "a\nb", "a\u0000", "\u202eabc", 7])
async def test_a_name_that_cannot_be_shown_is_refused(api: Api, name: object) -> None:
    response = await api.client.post("/v1/players", json={"name": name})

    assert problem_of(response) == (400, "invalid-input")
    assert response.json()["errors"][0]["field"] == "$.name"
    assert "\\" not in response.json()["errors"][0]["message"], "a pattern is no sentence"


async def test_a_name_that_looks_like_one_in_use_gets_a_number(api: Api) -> None:
    typed = ("Ada", "\u0410da", "ADA")

    names = [(await api.client.post("/v1/players", json={"name": name})).json()["name"] for name in typed]

    assert names == ["Ada", "\u0410da #2", "ADA #3"]


async def test_many_of_one_name_at_once_are_told_apart(api: Api) -> None:
    asked = (api.client.post("/v1/players", json={"name": "Guest"}) for _ in range(8))

    names = {answer.json()["name"] for answer in await asyncio.gather(*asked)}

    assert names == {"Guest", *(f"Guest #{number}" for number in range(2, 9))}


async def test_a_bot_is_declared_with_its_account_and_is_named_as_one_for_ever(api: Api, database: Database) -> None:
    typed = [("Ada", False), ("Ada", True), ("ada", True)]
    made = [
        (await api.client.post("/v1/players", json={"name": name, "is_bot": is_bot})).json() for name, is_bot in typed
    ]
    bot = Player(api, made[1]["token"])

    renamed = await expect(bot.post("/account/name", {"name": "Crescens"}), 201)
    records = [(await api.client.get(f"/v1/players/{account['id']}")).json() for account in (*made, {"id": HOUSE[0]})]

    assert [account["name"] for account in made] == ["Ada", "Ada (bot)", "ada (bot) #2"]
    assert renamed == {"name": "Crescens (bot)"}
    assert [record["is_bot"] for record in records] == [False, True, True, True]
    app, owner = await open_app_connection(database.app_url), await asyncpg.connect(database.owner_url)
    with pytest.raises(asyncpg.InvalidParameterValueError):
        await app.execute("select declare_bot($1, 'Ada', 'ada')", made[0]["id"])
    with pytest.raises(asyncpg.RestrictViolationError):
        await owner.execute("update spina.account set is_bot = false")
    await asyncio.gather(app.close(), owner.close())


@pytest.mark.parametrize("name", ["Scorpus (house bot)", "Ada #2", "Ada (bot)"])
async def test_a_name_that_would_imitate_is_refused(api: Api, name: str) -> None:
    response = await api.client.post("/v1/players", json={"name": name})

    assert problem_of(response) == (400, "invalid-input")
    assert response.json()["errors"][0]["field"] == "$.name"


async def test_the_space_around_a_name_is_left_out(api: Api) -> None:
    response = await api.client.post("/v1/players", json={"name": "  Ada \n"})

    assert response.json()["name"] == "Ada"


@pytest.mark.parametrize(
    "header", ["Bearer spina_unknown", "Bearer ", "Basic c3BpbmE=", "Bearer " + "x" * 5000, "Bearer spina_\u00fc"]
)
async def test_a_token_that_is_none_is_refused_also_for_what_is_public(api: Api, header: str) -> None:
    response = await api.client.get("/v1/rulesets", headers=[(b"authorization", header.encode("latin-1"))])

    assert problem_of(response) == (401, "not-authenticated")
    assert response.headers["www-authenticate"].startswith("Bearer")


async def test_without_a_token_nothing_is_commanded(api: Api) -> None:
    ada = await register(api, "Ada")
    await expect(ada.open(), 201)
    nobody = Player(api, None)

    answers = [await nobody.open(), await nobody.take(0), await nobody.command("abort", reason="none")]

    assert [problem_of(answer) for answer in answers] == [(401, "not-authenticated")] * 3


async def test_an_account_that_was_deleted_by_hand_loses_its_rights_within_a_minute(
    api: Api, database: Database
) -> None:
    ada = await register(api, "Ada")
    await expect(ada.open(), 201)
    owner = await asyncpg.connect(database.owner_url)
    await owner.execute("delete from spina.account")
    await owner.close()

    api.clock.now_ms += KEPT_MS_MAX

    assert problem_of(await ada.get()) == (401, "not-authenticated")


async def test_the_server_can_make_no_organiser(database: Database) -> None:
    app = await asyncpg.connect(database.app_url)

    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await app.execute("insert into spina.account (id, name, role) values (gen_random_uuid(), 'x', 'operator')")
    await app.close()


async def test_whoever_is_no_organiser_cannot_be_named_as_one(api: Api) -> None:
    ada = await register(api, "Ada")
    await api.create_account(ORGANISER)

    assert problem_of(await ada.open(organisers={ORGANISER.id: None, ada.id: None})) == (422, "unfit-terms")
    assert problem_of(await ada.open(organisers={ORGANISER.id[:-1] + "1": None})) == (422, "unfit-terms")
    await expect(ada.open(organisers={ORGANISER.id: None}), 201)


async def test_an_organiser_opens_games_and_takes_no_seat(api: Api) -> None:
    organiser = Player(api, await api.create_account(ORGANISER))

    await expect(organiser.open(), 201)

    assert (await expect(organiser.get(), 200))["opened_by"] == f"organiser:{ORGANISER.id}"
    assert problem_of(await organiser.take(0)) == (403, "not-allowed")
