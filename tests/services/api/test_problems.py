"""Every failure over HTTP is a typed problem, and no internals of the server leave it."""

from collections.abc import Iterator

import httpx2
import pytest
import structlog
from httpx import Response
from litestar import Litestar, post
from litestar.params import JSONBody
from litestar.testing import TestClient
from msgspec import Struct

from services.api.app import build_app
from services.api.http.problems import ERRORS_MAX, KINDS, REQUEST_BYTES_MAX, TYPE_PREFIX
from tests.services.api.server import PROBES, memory_parts

Client = TestClient[Litestar]


class Guess(Struct, forbid_unknown_fields=True):
    number: int


@post("/v1/guesses")
async def take_guess(data: JSONBody[Guess]) -> Guess:
    return data


@post("/v1/failures")
async def fail() -> None:
    secret_local = "hunter2"
    raise RuntimeError(f"token={secret_local}")


@pytest.fixture(scope="module")
def guessing_app() -> Litestar:
    app = build_app(probes=PROBES, parts=memory_parts())
    app.register(take_guess)
    app.register(fail)
    return app


@pytest.fixture
def client(guessing_app: Litestar) -> Iterator[Client]:
    with TestClient(guessing_app, raise_server_exceptions=False) as client:
        client.headers["content-type"] = "application/json"
        yield client


def problem_of(response: Response | httpx2.Response) -> tuple[int, str]:
    body = response.json()
    assert response.headers["content-type"] == "application/problem+json"
    assert body["status"] == response.status_code
    assert body["title"]
    assert body["detail"]
    return response.status_code, body["type"].removeprefix(TYPE_PREFIX)


def test_an_unknown_path_is_a_problem(client: Client) -> None:
    response = client.get("/v1/nothing")

    assert problem_of(response) == (404, "not-found")


def test_a_method_that_is_not_offered_is_a_problem_that_names_the_others(client: Client) -> None:
    response = client.post("/v1/health")

    assert problem_of(response) == (405, "method-not-allowed")
    assert {"GET", "HEAD"} <= set(response.headers["allow"].split(", "))


@pytest.mark.parametrize("body", [b"{", b'{"number":1', b'{"number":1}}', b"\xff\xfe", b"[" * 2_000])
def test_a_malformed_body_is_a_problem(client: Client, body: bytes) -> None:
    response = client.post("/v1/guesses", content=body)

    assert problem_of(response) == (400, "malformed-request")


@pytest.mark.parametrize(
    ("body", "field"), [({"number": "one"}, "number"), ({"number": 1, "more": 2}, "data"), ({}, "data")]
)
def test_a_wrong_value_is_a_problem_that_names_the_field(client: Client, body: object, field: str) -> None:
    response = client.post("/v1/guesses", json=body)

    assert problem_of(response) == (400, "invalid-input")
    assert [error["field"] for error in response.json()["errors"]] == [field]
    assert len(response.json()["errors"]) <= ERRORS_MAX


def test_a_body_above_the_limit_is_a_problem(client: Client) -> None:
    within = client.post("/v1/guesses", content=b'{"number":1' + b" " * (REQUEST_BYTES_MAX - 12) + b"}")
    above = client.post("/v1/guesses", content=b'{"number":1' + b" " * (REQUEST_BYTES_MAX - 11) + b"}")

    assert within.status_code == 201
    assert problem_of(above) == (413, "body-too-large")


def test_a_body_that_does_not_tell_its_size_is_limited_as_well(client: Client) -> None:
    pieces = (b" " * 1024 for _ in range(REQUEST_BYTES_MAX // 1024 + 1))

    response = client.post("/v1/guesses", content=pieces)

    assert problem_of(response) == (413, "body-too-large")


def test_a_bug_is_a_problem_without_its_message_and_is_logged(client: Client) -> None:
    with structlog.testing.capture_logs() as logged:
        response = client.post("/v1/failures")

    assert problem_of(response) == (500, "internal-error")
    assert "hunter2" not in response.text
    assert "Traceback" not in response.text
    assert [(line["event"], line["path"]) for line in logged] == [("request_failed", "/v1/failures")]


def test_types_are_stable() -> None:
    slugs = {status: kind.slug for status, kind in KINDS.items()}

    assert slugs == {
        400: "malformed-request",
        401: "not-authenticated",
        403: "not-allowed",
        404: "not-found",
        405: "method-not-allowed",
        408: "body-too-slow",
        413: "body-too-large",
        415: "unsupported-media-type",
        429: "too-many-requests",
        431: "head-too-large",
        503: "unavailable",
    }


def test_the_description_lists_the_paths(client: Client) -> None:
    response = client.get("/v1/openapi.json")

    assert response.status_code == 200
    assert "/v1/health" in response.json()["paths"]
