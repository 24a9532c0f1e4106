"""Sessions of browsers: a cookie that scripts cannot read, counted beside the page's header alone, and the codes in."""

from typing import Any

import asyncpg
import pytest
from httpx2 import AsyncClient, Response

from domain.accounts.account import Account
from domain.accounts.token import SESSIONS_MAX, hash_token
from services.api.http.rates import SIGN_INS
from tests.database import Database
from tests.services.api.player import Player, expect, register
from tests.services.api.server import Api, running_api
from tests.services.api.test_problems import problem_of

PAGE = {"authorization": "Session player"}
ORGANISER = Account(id="0199c0de-0000-7000-8000-0000000000f0", name="Orga", role="organiser")


def read_cookie(response: Response, name: str = "spina-player") -> str:
    """Return the value of the cookie that an answer sets."""
    return response.headers["set-cookie"].partition(f"{name}=")[2].partition(";")[0]


async def sign_up(api: Api, name: str = "Ada") -> Response:
    return await api.client.post("/v1/players", json={"name": name}, headers={**PAGE, "cookie": ""})


async def sign_in(api: Api, secret: str, cookie: str = "") -> Response:
    headers = {**PAGE, "cookie": cookie and f"spina-player={cookie}"}
    return await api.client.post("/v1/sessions", json={"secret": secret}, headers=headers)


async def ask(api: Api, path: str, cookie: str, **headers: str) -> Response:
    api.client.cookies.clear()
    return await api.client.get(f"/v1{path}", headers={**PAGE, "cookie": f"spina-player={cookie}", **headers})


async def send(api: Api, path: str, body: dict[str, Any], cookie: str) -> Response:
    api.client.cookies.clear()
    headers = {**PAGE, "cookie": f"spina-player={cookie}"}
    return await api.client.post(f"/v1{path}", json=body, headers=headers)


async def make_code(api: Api, cookie: str, minutes: int | None = 10) -> str:
    made = await send(api, "/account/codes", {"minutes": minutes}, cookie)
    assert made.status_code == 201, made.text
    assert made.headers["cache-control"] == "no-store"
    return str(made.json()["code"])


async def test_a_page_gets_a_session_that_no_script_can_read(api: Api) -> None:
    made = await sign_up(api)

    told = made.headers["set-cookie"].lower()
    assert made.json().keys() == {"id", "name", "role"}
    assert {"httponly", "samesite=strict", "path=/"} <= {part.strip() for part in told.split(";")}
    assert "secure" not in told
    assert read_cookie(made) not in made.text
    own = (await ask(api, "/account", read_cookie(made))).json()
    assert (own["id"], own["scopes"]) == (made.json()["id"], ["account", "play", "read"])


async def test_over_tls_the_cookie_is_bound_to_its_host(api: Api) -> None:
    transport = api.client._transport  # noqa: SLF001  the same app, asked as a proxy with TLS asks
    async with AsyncClient(transport=transport, base_url="https://spina.test") as client:
        made = await client.post("/v1/players", json={"name": "Ada"}, headers=PAGE)
        own = await client.get("/v1/account", headers=PAGE)

    assert made.headers["set-cookie"].startswith("__Host-spina-player=spina_")
    assert "secure" in made.headers["set-cookie"].lower()
    assert own.json()["name"] == "Ada"


@pytest.mark.parametrize("header", [None, "Bearer", "Session organiser", "Session", "Cookie player"])
async def test_a_forged_request_which_has_the_cookie_alone_has_no_session(api: Api, header: str | None) -> None:
    cookie = read_cookie(await sign_up(api))
    headers = {"cookie": f"spina-player={cookie}"} | ({} if header is None else {"authorization": header})
    api.client.cookies.clear()

    answer = await api.client.post("/v1/account/codes", json={"minutes": 1}, headers=headers)

    assert problem_of(answer) == (401, "not-authenticated")


@pytest.mark.parametrize("path", ["/v1/sessions", "/v1/sessions/end"])
async def test_no_other_site_signs_a_browser_in_or_out(api: Api, path: str) -> None:
    answer = await api.client.post(path, json={"secret": "x", "role": "player"})

    assert problem_of(answer) == (403, "not-allowed")
    assert "set-cookie" not in answer.headers


async def test_a_cookie_takes_no_token_and_a_header_no_session(api: Api) -> None:
    ada = await register(api, "Ada")
    cookie = read_cookie(await sign_up(api))
    api.client.cookies.clear()

    planted = await ask(api, "/account", ada.headers["authorization"].removeprefix("Bearer "))
    stolen = await api.client.get("/v1/account", headers={"authorization": f"Bearer {cookie}"})

    assert problem_of(planted) == problem_of(stolen) == (401, "not-authenticated")


async def test_a_code_opens_one_session_as_people_type_it(api: Api) -> None:
    first = read_cookie(await sign_up(api))
    code = await make_code(api, first)
    typed = f" {code.upper().replace('-', ' ').replace('1', 'I').replace('0', 'o')} "

    second = await sign_in(api, typed)
    again = await sign_in(api, code)

    assert (second.status_code, second.json()["name"]) == (201, "Ada")
    assert (await ask(api, "/account", read_cookie(second))).status_code == 200
    assert problem_of(again) == (401, "not-authenticated")


async def test_signing_in_makes_a_new_session_and_ends_the_one_that_was_brought(api: Api) -> None:
    planted = read_cookie(await sign_up(api, "Mallory"))
    code = await make_code(api, read_cookie(await sign_up(api, "Ada")))

    fresh = read_cookie(await sign_in(api, code, cookie=planted))
    await api.parts.people.known_tokens.look()

    assert fresh != planted
    assert problem_of(await ask(api, "/account", planted)) == (401, "not-authenticated")
    assert (await ask(api, "/account", fresh)).json()["name"] == "Ada"


async def test_a_new_recovery_code_takes_the_place_of_the_one_before(api: Api) -> None:
    cookie = read_cookie(await sign_up(api))
    former, newest = [await make_code(api, cookie, minutes=None) for _ in range(2)]

    assert problem_of(await sign_in(api, former)) == (401, "not-authenticated")
    assert (await sign_in(api, newest)).status_code == 201


async def test_an_organiser_signs_a_browser_in_by_a_token_beside_the_player(api: Api) -> None:
    token = await api.create_account(ORGANISER)
    player = read_cookie(await sign_up(api))

    signed = await sign_in(api, token, cookie=player)

    cookies = f"spina-player={player}; spina-organiser={read_cookie(signed, 'spina-organiser')}"
    headers = {"authorization": "Session organiser", "cookie": cookies}
    assert (await api.client.get("/v1/account", headers=headers)).json()["name"] == "Orga"
    assert (await ask(api, "/account", player)).json()["name"] == "Ada"


async def test_signing_out_ends_the_session_and_its_cookie(api: Api) -> None:
    cookie = read_cookie(await sign_up(api))

    out = await send(api, "/sessions/end", {"role": "player"}, cookie)

    assert "max-age=0" in out.headers["set-cookie"].lower()
    assert problem_of(await ask(api, "/account", cookie)) == (401, "not-authenticated")


async def test_the_oldest_of_too_many_sessions_ends(api: Api) -> None:
    first = read_cookie(await sign_up(api))
    newest = first
    for _ in range(SESSIONS_MAX):
        newest = read_cookie(await sign_in(api, await make_code(api, newest)))
    await api.parts.people.known_tokens.look()

    assert problem_of(await ask(api, "/account", first)) == (401, "not-authenticated")
    items = (await ask(api, "/account/tokens", newest)).json()["items"]
    assert len(items) == SESSIONS_MAX


async def test_a_session_that_is_used_lasts_longer(api: Api, database: Database) -> None:
    cookie = read_cookie(await sign_up(api))
    owner = await asyncpg.connect(database.owner_url)
    await owner.execute("update spina.token set ends_at = now() + interval '1 day'")

    used = await ask(api, "/account", cookie)

    left = await owner.fetchval("select ends_at - now() > interval '399 days' from spina.token")
    await owner.close()
    assert left
    assert read_cookie(used) == cookie


async def test_guesses_are_limited_and_all_refused_alike(database: Database) -> None:
    async with running_api(database, per_s=1_000) as api:
        cookie = read_cookie(await sign_up(api))
        code = await make_code(api, cookie)
        near = code[:-1] + ("0" if code[-1] != "0" else "1")
        guesses = [near, code.replace("-", "")[:-1], "", "x" * 100, "spina_" + "A" * 43, "ü" * 20]

        answers = [await sign_in(api, guesses[number % len(guesses)] or "?") for number in range(SIGN_INS.at_once + 5)]

    refused = {(problem_of(answer), answer.json()["detail"]) for answer in answers if answer.status_code == 401}
    assert len(refused) == 1
    assert {answer.status_code for answer in answers[-4:]} == {429}


async def test_codes_and_sessions_are_stored_as_hashes_alone(api: Api, database: Database) -> None:
    cookie = read_cookie(await sign_up(api))
    code = await make_code(api, cookie)

    owner = await asyncpg.connect(database.owner_url)
    rows = await owner.fetch("select token::text as text, hash from spina.token")
    await owner.close()

    assert {row["hash"] for row in rows} == {hash_token(cookie), hash_token(code)}
    assert not any(secret in row["text"] for row in rows for secret in (cookie, code, code.replace("-", "")))


async def test_a_token_that_only_plays_makes_no_code(api: Api) -> None:
    ada = await register(api, "Ada")
    added = await expect(ada.post("/account/tokens", {"name": "Bot", "scopes": ["play"], "days": None}), 201)

    made = await Player(api, added["token"]).post("/account/codes", {"minutes": 1})
    signed = await sign_in(api, added["token"])

    assert problem_of(made) == (403, "not-allowed")
    assert problem_of(signed) == (401, "not-authenticated")
