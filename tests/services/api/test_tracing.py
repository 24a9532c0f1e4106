"""A command in its spans: from the request to the frames of readers."""

from typing import Any

import httpx2
from httpx2 import ASGITransport, AsyncClient

from infra.tracing import RecordingTracer, Span
from services.api.app import build_app
from services.api.http.wrapping import traced
from simulate.stores.event_store import MemoryEventStore
from tests.domain.game.game_harness import ADA, GAME, opening
from tests.services.api.server import PROBES, memory_parts
from tests.services.commands.test_arena import arena_on, take

TRACEPARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"


def tree(spans: list[Span]) -> list[tuple[str, str | None]]:
    """List the spans, each with the one it was in, in the order in which they ended."""
    names = {span.place.span_id: span.name for span in spans}
    return [(span.name, None if span.parent_id is None else names.get(span.parent_id)) for span in spans]


async def test_a_command_is_decided_appended_and_announced_in_one_trace() -> None:
    spans: list[Span] = []
    arena = arena_on(MemoryEventStore())
    arena.tracer = RecordingTracer(spans.append)

    await arena.handle(opening())

    assert tree(spans) == [("decide", "command"), ("append", "command"), ("announce", "command"), ("command", None)]
    assert spans[-1].attributes == {"spina.game": GAME, "spina.command": "game_opened", "spina.version": 1}


async def test_a_rejected_command_says_which_rejection_and_has_not_failed() -> None:
    spans: list[Span] = []
    arena = arena_on(MemoryEventStore())
    await arena.handle(opening())
    arena.tracer = RecordingTracer(spans.append)

    try:
        await arena.handle(take(9, ADA))
    except Exception as error:  # noqa: BLE001 - any error will do, its span is looked at
        code = getattr(error, "code", None)

    assert tree(spans) == [("decide", "command"), ("command", None)]
    assert [(span.has_failed, span.attributes["spina.rejection"]) for span in spans] == [(False, code)] * 2


async def ask(spans: list[Span], method: str, path: str, **sent: Any) -> httpx2.Response:
    app: Any = traced(build_app(probes=PROBES, parts=memory_parts()), RecordingTracer(spans.append))
    async with AsyncClient(transport=ASGITransport(app=app), base_url="http://spina.test") as client:
        return await client.request(method, path, **sent)


async def test_a_request_is_named_by_its_operation_and_goes_on_in_its_callers_trace() -> None:
    spans: list[Span] = []

    await ask(
        spans,
        "POST",
        "/v1/games",
        content=b"{",
        headers={"traceparent": TRACEPARENT, "content-type": "application/json"},
    )

    (span,) = spans
    assert (span.name, span.kind, span.parent_id) == ("open_game", "server", "00f067aa0ba902b7")
    assert span.place.trace_id == "4bf92f3577b34da6a3ce929d0e0e4736"
    assert span.attributes == {"http.response.status_code": 400}


async def test_what_only_reads_has_no_span() -> None:
    spans: list[Span] = []

    await ask(spans, "GET", "/v1/health")

    assert spans == []
