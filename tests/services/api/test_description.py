"""The description's statements about tokens and headers are true of the server."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.services.api.player import expect, register
from tests.services.api.server import Api

NEEDED: Any = [{"token": []}]
TAKEN: Any = [{}, {"token": []}]
IGNORED: Any = []
# No game, no tile and no player is there; the first check is the right to ask at all.
NOWHERE = "0199c0de-0000-7000-8000-0000000000ff"


async def describe(api: Api) -> dict[str, Any]:
    described: dict[str, Any] = (await api.client.get("/v1/openapi.json")).json()
    return described


def list_operations(described: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, item in described["paths"].items():
        for method, operation in item.items():
            yield path, method, operation


def fill(path: str) -> str:
    return path.replace("{version}", "1").replace("{path}", "0/000").format_map(_Nowhere())


class _Nowhere(dict[str, str]):
    def __missing__(self, _: str) -> str:
        return NOWHERE


def example_of(operation: dict[str, Any]) -> Any:
    content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    return next((example["value"] for example in content.get("examples", {}).values()), None)


async def ask(api: Api, path: str, method: str, operation: dict[str, Any], token: str | None) -> int:
    headers = {} if token is None else {"authorization": f"Bearer {token}"}
    answer = await api.client.request(method, fill(path), json=example_of(operation), headers=headers)
    return answer.status_code


async def test_without_a_token_everything_else_is_refused_and_nothing_that_needs_none(api: Api) -> None:
    described = await describe(api)

    for path, method, operation in list_operations(described):
        status = await ask(api, path, method, operation, None)
        assert (status == 401) is (operation["security"] == NEEDED), (operation["operationId"], status)


async def test_a_made_up_token_is_refused_wherever_one_is_looked_at(api: Api) -> None:
    described = await describe(api)

    for path, method, operation in list_operations(described):
        status = await ask(api, path, method, operation, "spina_made-up")
        assert (status == 401) is (operation["security"] in (NEEDED, TAKEN)), (operation["operationId"], status)


async def test_reading_is_for_all_and_commanding_for_players(api: Api) -> None:
    described = await describe(api)

    found = {each["operationId"]: each["security"] for _, _, each in list_operations(described)}

    assert found["read_game"] == found["list_games"] == TAKEN
    assert found["open_game"] == found["play_action"] == found["preview_action"] == NEEDED
    assert found["register_player"] == found["read_health"] == IGNORED


async def test_wherever_an_action_is_sent_its_schema_tells_its_spelling(api: Api) -> None:
    described = await describe(api)

    schemas = described["components"]["schemas"]
    found = {name for name, schema in schemas.items() if "action" in schema.get("properties", {}) and "Body" in name}

    assert found == {"PlayActionBody", "EntrustActionBody", "RevealActionBody", "PreviewBody"}
    assert all(schemas[name]["properties"]["action"]["$ref"].endswith("/RulesetAction") for name in found)
    assert "canonical form" in schemas["RulesetAction"]["description"]
    assert "token" in described["paths"]["/v1/games/{game}"]["get"]["description"]


async def test_too_many_requests_and_outages_say_when_to_come_again(api: Api) -> None:
    described = await describe(api)

    for _, _, operation in list_operations(described):
        if operation["operationId"] != "read_health":
            for status in ("429", "503"):
                assert "retry-after" in operation["responses"][status]["headers"], operation["operationId"]
            assert "www-authenticate" in operation["responses"]["401"]["headers"]


@pytest.mark.parametrize("path", ["/v1/games", "/v1/rulesets", "/v1/tournaments"])
async def test_a_tagged_read_is_answered_with_a_tag_and_not_sent_twice(api: Api, path: str) -> None:
    described = await describe(api)
    operation = described["paths"][path]["get"]

    first = await api.client.get(path)
    again = await api.client.get(path, headers={"if-none-match": first.headers["etag"]})

    assert set(operation["responses"]["200"]["headers"]) <= set(first.headers)
    assert again.status_code == 304
    assert "304" in operation["responses"]
    assert "If-None-Match" in [parameter["name"] for parameter in operation["parameters"]]


async def test_every_read_that_has_a_tag_says_so(api: Api) -> None:
    ada = await register(api, "Ada", number=1)
    await expect(ada.open(), 201)
    described = await describe(api)

    for path, method, operation in list_operations(described):
        if method == "get" and "{tournament}" not in path:
            asked = path.replace("{game}", ada.game).replace("{player}", ada.id)
            answer = await api.client.get(fill(asked))
            told = operation["responses"]["200"].get("headers", {})
            assert answer.status_code != 200 or ("etag" in answer.headers) == ("etag" in told), path


async def test_the_schema_of_a_game_says_when_its_board_asks_for_nothing(api: Api) -> None:
    schemas = (await describe(api))["components"]["schemas"]

    assert "`is_complete` is false in the middle of one command's lines" in schemas["GameShown"]["description"]
    assert "whether the game waits for it" in schemas["OwedShown"]["description"]


async def test_no_parameter_may_be_null_and_no_generator_names_its_package_as_ours(api: Api) -> None:
    described = await describe(api)

    parameters = [
        parameter for *_, operation in list_operations(described) for parameter in operation.get("parameters", ())
    ]

    assert {"query", "path", "header"} <= {parameter["in"] for parameter in parameters}
    assert [parameter for parameter in parameters if "null" in str(parameter["schema"])] == []
    assert described["info"]["title"] == "Spina API"
