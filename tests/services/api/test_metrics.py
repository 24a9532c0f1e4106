"""The metrics over HTTP: counted for every answer, shown to holders of the token, and without personal data."""

from pathlib import Path
from typing import Any

import pytest
from httpx2 import ASGITransport, AsyncClient

from infra.metrics import CONTENT_TYPE, Metrics
from infra.settings import SettingsRefused
from services.api.app import Offered, build_app, list_all_operations
from services.api.http.meters import Meters, MetricsPage, read_metrics_token
from services.api.http.wrapping import measured
from tests.domain.game.game_harness import GAME
from tests.services.api.server import PROBES, memory_parts

TOKEN = "f" * 64
OPEN = {"authorization": f"Bearer {TOKEN}"}


class Site:
    """An app with metrics, and how often they were asked for anew."""

    def __init__(self, *, has_page: bool = True) -> None:
        self.metrics = Metrics()
        self.meters = Meters(self.metrics, list_all_operations())
        self.refreshed = 0
        page = MetricsPage(metrics=self.metrics, token=TOKEN, refresh=self.refresh)
        app = build_app(probes=PROBES, parts=memory_parts(), offered=Offered(metrics=page if has_page else None))
        # The two packages write the same protocol with types of their own.
        served: Any = measured(app, self.meters, now_s=lambda: 0.0)
        self.client = AsyncClient(transport=ASGITransport(app=served), base_url="http://spina.test")

    async def refresh(self) -> None:
        self.refreshed += 1

    def counted(self) -> list[str]:
        return [line for line in self.metrics.render().splitlines() if line.startswith("spina_requests_total{")]


async def test_every_answer_is_counted_by_its_operation_and_status() -> None:
    site = Site()

    for path in ("/v1/health", "/v1/health", f"/v1/games/{GAME}", "/no/such/place"):
        await site.client.get(path)
    await site.client.post("/v1/games", content=b"nonsense", headers={"content-type": "application/json"})

    assert site.counted() == [
        'spina_requests_total{operation="open_game",status="400"} 1',
        'spina_requests_total{operation="other",status="404"} 1',
        'spina_requests_total{operation="read_game",status="404"} 1',
        'spina_requests_total{operation="read_health",status="200"} 2',
    ]


def test_every_operation_that_is_described_is_counted_under_its_own_name() -> None:
    there: Any = object()
    offered = Offered(live=there, ledger=there, audits=there, metrics=there)
    schema = build_app(probes=PROBES, parts=memory_parts(), offered=offered).openapi_schema

    described = {
        operation.operation_id
        for path in (schema.paths or {}).values()
        for operation in (path.get, path.post)
        if operation is not None
    }

    assert len(described) > 20
    assert described - list_all_operations() == set()


async def test_whoever_has_the_token_reads_the_metrics() -> None:
    site = Site()
    await site.client.get("/v1/health")

    answer = await site.client.get("/metrics", headers=OPEN)

    assert (answer.status_code, answer.headers["content-type"]) == (200, f"{CONTENT_TYPE}; charset=utf-8")
    assert 'spina_request_seconds_count{operation="read_health"} 1' in answer.text
    assert site.refreshed == 1


@pytest.mark.parametrize("header", ["", "Bearer ", f"Bearer {TOKEN[1:]}", f"Basic {TOKEN}", TOKEN, "Bearer né"])
async def test_nobody_else_does(header: str) -> None:
    site = Site()

    answer = await site.client.get("/metrics", headers={b"authorization": header.encode()})

    assert answer.status_code == 401
    assert "spina_requests_total" not in answer.text
    assert site.refreshed == 0


async def test_without_a_token_there_are_none() -> None:
    answer = await Site(has_page=False).client.get("/metrics", headers=OPEN)

    assert answer.status_code == 404


@pytest.mark.parametrize("text", ["", "short", "\n" * 64])
def test_a_token_that_could_be_guessed_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "token"
    file.write_text(text)

    with pytest.raises(SettingsRefused) as refused:
        read_metrics_token(file)

    assert str(refused.value).startswith("SPINA_METRICS_TOKEN_FILE: expected")


def test_the_token_is_what_stands_in_the_file(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text(TOKEN + "\n")

    assert read_metrics_token(file) == TOKEN
