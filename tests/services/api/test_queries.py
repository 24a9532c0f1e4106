"""A misspelt parameter of a query is refused: a list that passed it over would answer another question."""

import pytest

from services.api.http.problems import list_query
from tests.services.api.test_prices import ROUTES, asking, build_counted
from tests.services.api.test_problems import problem_of

# Routes that read the query in a way of their own: files, pages and descriptions by their path, links by their secret.
FREE = {
    "GET /v1/docs", "GET /v1/docs/scalar.js", "GET /v1/openapi.json", "GET /v1/openapi.json/{path}",
    "GET /v1/openapi.json/openapi.json", "GET /v1/health",
    "GET /v1/account/calendar.ics", "GET /v1/notices/departures",
}  # fmt: skip
READS = sorted(name for name in ROUTES if name.startswith("GET /v1/"))


@pytest.mark.parametrize("name", READS)
async def test_a_misspelt_parameter_of_any_read_is_refused_by_its_name(name: str) -> None:
    method, path, handler = ROUTES[name]
    misspelt = f"{min(list_query(handler), default='')}x"

    async with asking(*build_counted()) as client:
        response = await client.request(method, path, params={misspelt: "1"})

    if name in FREE:
        assert "found another" not in response.text
    else:
        assert problem_of(response) == (400, "invalid-input")
        assert [error["field"] for error in response.json()["errors"]] == [misspelt]
