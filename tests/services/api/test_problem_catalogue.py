"""The catalogue has every problem that the server answers, and every problem leads to its entry."""

from typing import Any

import pytest
from litestar.handlers import HTTPRouteHandler

from services.api.http.guarding import Guard
from services.api.http.problem_catalogue import build_catalogue, list_rejections
from services.api.http.problems import INTERNAL_ERROR, KINDS
from services.api.http.rates import NETWORK_BURST, Rates, RateTerms
from services.api.http.refusals import FAULTS
from tests.services.api.test_guarding import client_of
from tests.services.api.test_prices import APP, build_counted
from tests.services.api.test_problems import problem_of
from tests.services.api.test_refusals import every_rejection

HANDLERS = [
    handler
    for route in APP.routes
    for handler in getattr(route, "route_handlers", ())
    if isinstance(handler, HTTPRouteHandler) and handler.operation_id and handler.include_in_schema
]
CATALOGUE = {problem.code: problem for problem in build_catalogue(HANDLERS)}
# Answered before an operation is known, or by none on purpose.
WITHOUT_OPERATIONS = {"method-not-allowed", "head-too-large", "internal-error"}
ANSWERS = [
    pytest.param(str(handler.operation_id), status, id=f"{handler.operation_id}-{status}")
    for handler in HANDLERS
    for status in handler.responses or {}
    # Every command is described with 409 and 422 alike, those of accounts included, which hardly have any.
    if status >= 400 and status not in {409, 422}
]


def test_the_catalogue_has_every_rejection_and_every_failure() -> None:
    rejections = {rejection.code for rejection in every_rejection()}
    kinds = {kind.slug for kind in (*KINDS.values(), *FAULTS, INTERNAL_ERROR)}

    assert CATALOGUE.keys() == rejections | kinds
    assert set(list_rejections()) == set(every_rejection())


@pytest.mark.parametrize("code", sorted(CATALOGUE))
def test_every_problem_has_a_meaning_a_remedy_and_its_operations(code: str) -> None:
    problem = CATALOGUE[code]

    assert problem.meaning.endswith(".")
    assert problem.remedy.endswith(".")
    assert bool(problem.operations) == (code not in WITHOUT_OPERATIONS)


@pytest.mark.parametrize(("operation", "status"), ANSWERS)
def test_every_refusal_of_an_operation_is_a_problem_of_the_catalogue(operation: str, status: int) -> None:
    found = [
        code for code, problem in CATALOGUE.items() if problem.status == status and operation in problem.operations
    ]

    assert found


async def test_a_refusal_leads_to_its_entry() -> None:
    app, _ = build_counted()

    async with client_of(app) as client:
        refused = await client.get("/v1/problems/no-such-code")
        entry = await client.get(refused.links["help"]["url"])

    assert problem_of(refused) == (404, "no-such-problem")
    assert entry.json()["code"] == "no-such-problem"
    assert "read_problem" in entry.json()["operations"]


async def test_the_list_and_the_entries_are_the_same() -> None:
    app, _ = build_counted()

    async with client_of(app) as client:
        listed: list[dict[str, Any]] = (await client.get("/v1/problems")).json()["items"]
        entry = await client.get("/v1/problems/seats-vacant")

    assert [problem["code"] for problem in listed] == sorted(CATALOGUE)
    assert entry.json() in listed


@pytest.mark.parametrize(("requests", "left"), [(1, NETWORK_BURST - 1), (3, NETWORK_BURST - 3)])
async def test_an_answer_has_the_limits_and_the_room_left(requests: int, left: int) -> None:
    app, _ = build_counted()
    rates = Rates(RateTerms(per_s=20), shared=None, now_us=lambda: 0)

    async with client_of(Guard(app, rates)) as client:
        answers = [await client.get("/nothing") for _ in range(requests)]

    assert answers[-1].headers["ratelimit-policy"] == '"account";q=80;w=4, "network";q=100;w=2'
    assert answers[-1].headers["ratelimit"] == f'"network";r={left};t=1'


async def test_without_a_limit_no_room_is_shown() -> None:
    app, _ = build_counted()

    async with client_of(Guard(app, Rates(RateTerms(per_s=0), shared=None, now_us=lambda: 0))) as client:
        answer = await client.get("/nothing")

    assert "ratelimit" not in answer.headers
    assert answer.status_code == 404
