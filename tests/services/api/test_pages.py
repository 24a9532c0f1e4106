"""The pages over the description: whole without a network, and without a request to third parties."""

import asyncio
import gzip
import hashlib
import re
import threading
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from services.api.http.description import ReadyDescription
from services.api.http.ready import Turns
from services.api.pages.pages import SCRIPT
from tests.services.api.lent_app import lent_app
from tests.services.api.server import PROBES, memory_parts

Client = TestClient[Litestar]
PATIENCE_S = 10.0


@pytest.fixture
def client() -> Iterator[Client]:
    with lent_app(probes=PROBES, parts=memory_parts()) as app, TestClient(app) as client:
        yield client


def test_the_page_names_nothing_that_this_server_does_not_serve(client: Client) -> None:
    page = client.get("/v1/docs")

    named = re.findall(r'(?:src|href|data-url)="([^"]*)"', page.text)
    assert page.headers["content-type"].startswith("text/html")
    assert "http" not in page.text
    assert [client.get(name).status_code for name in named if name != "data:,"] == [200] * (len(named) - 1)


def test_the_page_may_ask_this_server_alone(client: Client) -> None:
    policy = client.get("/v1/docs").headers["content-security-policy"]

    assert "default-src 'none'" in policy
    assert "connect-src 'self'" in policy
    assert "http" not in policy


def test_the_script_is_the_one_its_readme_names() -> None:
    readme = SCRIPT.with_name("README.md").read_text()

    digest = hashlib.sha256(gzip.decompress(SCRIPT.read_bytes())).hexdigest()

    assert digest in readme
    assert "MIT License" in SCRIPT.with_name("LICENSE").read_text()


def test_the_script_is_the_same_for_whoever_takes_no_compressed_answers(client: Client) -> None:
    packed = client.get("/v1/docs/scalar.js", headers={"accept-encoding": "gzip"})
    plain = client.get("/v1/docs/scalar.js", headers={"accept-encoding": "identity"})

    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert packed.content == plain.content


def test_answers_of_milliseconds_follow_one_another() -> None:
    turns = Turns(0.25)

    assert [turns.reserve(100.0) for _ in range(3)] == [0.0, 0.25, 0.5]
    assert turns.reserve(200.0) == 0.0


async def test_the_description_is_built_while_the_loop_goes_on() -> None:
    is_free = threading.Event()
    document = SimpleNamespace(to_schema=lambda: {"is_free": is_free.wait(PATIENCE_S)})
    request: Any = SimpleNamespace(app=SimpleNamespace(openapi_schema=document), headers={})

    asyncio.get_running_loop().call_soon(is_free.set)
    answer = await ReadyDescription().answer(request)

    assert answer.content == b'{"is_free":true}'
