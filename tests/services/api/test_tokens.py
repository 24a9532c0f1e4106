"""Several tokens of an account: names, scopes, ends, revocation, and the hash that alone is stored."""

from typing import Any

import asyncpg
import pytest
from httpx2 import Response

from domain.accounts.account import Account
from domain.accounts.token import TOKENS_MAX, hash_token
from tests.database import Database
from tests.services.api.player import Player, expect, register
from tests.services.api.server import Api
from tests.services.api.test_problems import problem_of

ORGANISER = Account(id="0199c0de-0000-7000-8000-0000000000f0", name="Orga", role="organiser")


async def add(player: Player, *scopes: str, name: str = "Bot", days: int | None = None) -> Response:
    return await player.post("/account/tokens", {"name": name, "scopes": list(scopes), "days": days})


async def other(player: Player, *scopes: str) -> Player:
    """Return the same account with another token."""
    added = await expect(add(player, *scopes), 201)
    same = Player(player.api, added["token"], number=7)
    same.id = player.id
    return same


async def read_all(player: Player) -> list[dict[str, Any]]:
    response = await player.api.client.get("/v1/account/tokens", headers=player.headers)
    assert response.status_code == 200, response.text
    items: list[dict[str, Any]] = response.json()["items"]
    return items


async def test_a_token_does_what_its_scopes_say(api: Api) -> None:
    ada = await register(api, "Ada", number=1)
    playing, reading = await other(ada, "read", "play"), await other(ada, "read")

    await expect(playing.open(), 201)

    assert problem_of(await reading.command("seats", seat=0, anchor=None, links=0)) == (403, "not-allowed")
    assert (await api.client.get("/v1/account/games", headers=reading.headers)).status_code == 200
    assert problem_of(await add(playing, "read")) == (403, "not-allowed")
    assert problem_of(await playing.post("/account/revocations", {"tokens": None})) == (403, "not-allowed")


async def test_a_token_for_the_account_alone_sees_games_as_the_public_does(api: Api) -> None:
    ada = await register(api, "Ada")
    await expect(ada.open(visibility="private"), 201)
    managing, playing = await other(ada, "account"), await other(ada, "play")

    own = await api.client.get("/v1/account/games", headers=managing.headers)
    shown = await api.client.get("/v1/account", headers=managing.headers)

    assert problem_of(await managing.get()) == (404, "no-such-game")
    assert problem_of(own) == (403, "not-allowed")
    assert shown.json()["scopes"] == ["account"]
    assert (await playing.get()).status_code == 200


async def test_a_list_shows_names_scopes_and_ends_and_no_token(api: Api) -> None:
    ada = await register(api, "Ada")
    await expect(add(ada, "read", name="Phone", days=1), 201)

    first, phone = await read_all(ada)

    assert (first["name"], first["is_this"], first["ends_at"]) == ("First token", True, None)
    assert first["scopes"] == ["read", "play", "account"]
    assert (phone["name"], phone["is_this"], phone["scopes"]) == ("Phone", False, ["read"])
    assert phone["ends_at"] > phone["created_at"]
    assert "spina_" not in str([first, phone])


async def test_a_revoked_token_opens_nothing_more(api: Api) -> None:
    ada = await register(api, "Ada")
    reading = await other(ada, "read")
    own, lost = await read_all(ada)

    revoked = await expect(ada.post("/account/revocations", {"tokens": [lost["id"]]}), 201)
    again = await expect(ada.post("/account/revocations", {"tokens": [lost["id"]]}), 201)

    assert (revoked, again) == ({"revoked": 1}, {"revoked": 0})
    assert problem_of(await reading.get()) == (401, "not-authenticated")
    assert [item["id"] for item in await read_all(ada)] == [own["id"]]


async def test_a_token_that_ended_under_way_is_told_apart_from_one_that_is_not_known(api: Api) -> None:
    ada = await register(api, "Ada")
    reading = await other(ada, "read")
    _, lost = await read_all(ada)
    await reading.get()

    await expect(ada.post("/account/revocations", {"tokens": [lost["id"]]}), 201)
    await api.parts.people.known_tokens.look()
    ended, unknown = await reading.get(), await Player(api, "spina_invented").get()

    assert ended.json()["detail"].endswith("found one that has ended")
    assert unknown.json()["detail"].endswith("found one unknown here, or ended a while ago")


async def test_all_tokens_but_ones_own_are_revoked_at_once(api: Api) -> None:
    ada, bob = await register(api, "Ada"), await register(api, "Bob")
    others = [await other(ada, "read") for _ in range(3)]

    revoked = await expect(ada.post("/account/revocations", {"tokens": None}), 201)

    assert revoked == {"revoked": 3}
    assert {problem_of(await rival.get()) for rival in others} == {(401, "not-authenticated")}
    assert len(await read_all(ada)) == len(await read_all(bob)) == 1


async def test_tokens_of_another_account_are_out_of_reach(api: Api) -> None:
    ada, bob = await register(api, "Ada"), await register(api, "Bob")
    (of_bob,) = await read_all(bob)

    revoked = await expect(ada.post("/account/revocations", {"tokens": [of_bob["id"]]}), 201)

    assert revoked == {"revoked": 0}
    assert await read_all(bob) == [of_bob]


async def test_a_token_is_refused_after_its_end(api: Api, database: Database) -> None:
    ada = await register(api, "Ada")
    added = (await add(ada, "read", days=1)).json()
    owner = await asyncpg.connect(database.owner_url)
    await owner.execute("update spina.token set ends_at = now() where hash = $1", hash_token(added["token"]))
    await owner.close()

    assert problem_of(await Player(api, added["token"]).get()) == (401, "not-authenticated")


async def test_a_process_that_could_not_ask_for_an_hour_misses_no_end(api: Api) -> None:
    ada = await register(api, "Ada")
    added = (await add(ada, "read")).json()
    known = api.parts.people.known_tokens
    before = known.has_ended(added["id"])
    await api.execute(
        "update spina.token set ends_at = now() - interval '50 minutes' where hash = $1", hash_token(added["token"])
    )

    api.clock.now_ms += 3_600_000
    await known.look()

    assert (before, known.has_ended(added["id"])) == (False, True)


@pytest.mark.parametrize("scopes", [["organise"], ["play", "organise"]])
async def test_a_token_gives_no_scope_that_it_has_not(api: Api, scopes: list[str]) -> None:
    ada = await register(api, "Ada")

    assert problem_of(await add(ada, *scopes)) == (409, "token-refused")


async def test_an_account_has_a_number_of_tokens_at_most(api: Api) -> None:
    ada = await register(api, "Ada")

    answers = [await add(ada, "read") for _ in range(TOKENS_MAX)]

    assert [answer.status_code for answer in answers] == [201] * (TOKENS_MAX - 1) + [409]


async def test_an_organiser_without_a_live_token_is_named_in_no_game(api: Api, database: Database) -> None:
    await api.create_account(ORGANISER)
    ada = await register(api, "Ada")
    owner = await asyncpg.connect(database.owner_url)
    await owner.execute("update spina.token set ends_at = now() where account = $1::uuid", ORGANISER.id)
    await owner.close()

    assert problem_of(await ada.open(organisers={ORGANISER.id: None})) == (422, "unfit-terms")


async def test_the_role_of_the_server_reads_no_hash_and_acts_for_no_account(api: Api, database: Database) -> None:
    await api.create_account(ORGANISER)
    app = await asyncpg.connect(database.app_url)

    for column in ("hash", "name", "*"):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await app.fetch(f"select {column} from spina.token")  # noqa: S608  columns of this test
    added = await app.fetchval(
        "select spina.add_token($1, $2, 'token', 'x', '{read}', null, 50)", bytes(32), bytes(range(32))
    )
    await app.close()

    assert added is None
