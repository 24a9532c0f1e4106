"""Spans on their way to a collector: in its form, in bounded memory, and never blocking a request."""

import asyncio
from collections.abc import Callable
from typing import Any

import httpx2
import msgspec
import pytest

from infra.settings import SettingsRefused
from infra.tracing import Span, SpanPlace
from services.node.otlp import BATCH_MAX, WAITING_MAX, OtlpExporter, TracingSettings, otlp_tracer, read_tracing

SETTINGS = TracingSettings(url="http://collector.test/v1/traces", resource={"service.name": "games"})
SPAN = Span(
    place=SpanPlace("4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"),
    parent_id=None,
    name="append",
    kind="client",
    begun_ns=1,
    ended_ns=2,
    attributes={"spina.version": 7, "spina.command": "play_action"},
    has_failed=True,
)


class Collector:
    """Takes the spans that are sent, or is away."""

    def __init__(self) -> None:
        self.taken: list[dict[str, Any]] = []
        self.is_away = False

    def answer(self, request: httpx2.Request) -> httpx2.Response:
        if self.is_away:
            raise httpx2.ConnectError("nobody there")
        self.taken.append(msgspec.json.decode(request.content))
        return httpx2.Response(200)

    def exporter(self, answer: Callable[[httpx2.Request], httpx2.Response] | None = None) -> OtlpExporter:
        client = httpx2.AsyncClient(transport=httpx2.MockTransport(answer or self.answer))
        return OtlpExporter(SETTINGS, client, version="1.2.3")

    def spans(self) -> list[dict[str, Any]]:
        return [span for body in self.taken for span in body["resourceSpans"][0]["scopeSpans"][0]["spans"]]


async def test_a_span_is_sent_as_the_protocol_has_it() -> None:
    collector = Collector()
    exporter = collector.exporter()

    exporter.collect(SPAN)
    await exporter.flush()

    (body,) = collector.taken
    assert body["resourceSpans"][0]["resource"] == {
        "attributes": [{"key": "service.name", "value": {"stringValue": "games"}}]
    }
    assert body["resourceSpans"][0]["scopeSpans"][0]["scope"] == {"name": "spina", "version": "1.2.3"}
    assert collector.spans() == [
        {
            "traceId": "4bf92f3577b34da6a3ce929d0e0e4736",
            "spanId": "00f067aa0ba902b7",
            "parentSpanId": "",
            "name": "append",
            "kind": 3,
            "startTimeUnixNano": "1",
            "endTimeUnixNano": "2",
            "attributes": [
                {"key": "spina.version", "value": {"intValue": "7"}},
                {"key": "spina.command", "value": {"stringValue": "play_action"}},
            ],
            "status": {"code": 2},
        }
    ]


async def test_many_spans_go_in_batches() -> None:
    collector = Collector()
    exporter = collector.exporter()
    for _ in range(2 * BATCH_MAX + 1):
        exporter.collect(SPAN)

    await exporter.flush()

    assert [len(body["resourceSpans"][0]["scopeSpans"][0]["spans"]) for body in collector.taken] == [
        BATCH_MAX,
        BATCH_MAX,
        1,
    ]


async def test_what_a_collector_does_not_take_is_dropped_and_counted() -> None:
    collector = Collector()
    exporter = collector.exporter()
    collector.is_away = True
    exporter.collect(SPAN)

    await exporter.flush()
    collector.is_away = False
    exporter.collect(SPAN)
    await exporter.flush()

    assert exporter.dropped_count == 1
    assert len(collector.spans()) == 1


async def test_a_collector_that_refuses_is_away() -> None:
    exporter = Collector().exporter(lambda _: httpx2.Response(500))
    exporter.collect(SPAN)

    await exporter.flush()

    assert exporter.dropped_count == 1


async def test_no_more_wait_than_fit() -> None:
    exporter = Collector().exporter()

    for _ in range(WAITING_MAX + 5):
        exporter.collect(SPAN)

    assert exporter.dropped_count == 5


async def test_what_was_traced_is_sent_over_the_wire_also_when_the_server_stops() -> None:
    received: asyncio.Queue[bytes] = asyncio.Queue()

    async def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        await received.put(head)
        size = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
        await received.put(await reader.readexactly(size))
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(take, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        settings = TracingSettings(url=f"http://127.0.0.1:{port}/v1/traces", headers={"x-key": "sesame"})
        async with otlp_tracer(settings, version="1", send_every_s=3_600) as tracer:
            with tracer.span("command"):
                pass
        head, body = [await asyncio.wait_for(received.get(), 10) for _ in range(2)]

    assert b"x-key: sesame\r\n" in head
    assert b'"name":"command"' in body


def test_without_an_endpoint_nothing_is_traced() -> None:
    assert read_tracing({"OTEL_SERVICE_NAME": "games"}) is None


def test_the_endpoint_is_the_one_of_the_specification() -> None:
    given = {
        "OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector.test:4318/",
        "OTEL_SERVICE_NAME": "games",
        "OTEL_TRACES_SAMPLER_ARG": "0.25",
    }

    assert read_tracing(given) == TracingSettings(
        url="http://collector.test:4318/v1/traces", resource={"service.name": "games"}, ratio=0.25
    )


def test_a_hosted_collector_is_named_with_its_key_and_the_resource_with_its_attributes() -> None:
    given = {
        "OTEL_EXPORTER_OTLP_ENDPOINT": "http://not-of-traces.test",
        "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "https://collector.test/of/ours",
        "OTEL_EXPORTER_OTLP_HEADERS": "x-tenant=club,authorization=Basic%20of-all",
        "OTEL_EXPORTER_OTLP_TRACES_HEADERS": " authorization=Basic%20YTpi ",
        "OTEL_RESOURCE_ATTRIBUTES": "service.name=hidden,deployment.environment=hall%2C left",
        "OTEL_SERVICE_NAME": "games",
        "OTEL_TRACES_SAMPLER": "parentbased_always_off",
        "OTEL_TRACES_SAMPLER_ARG": "1",
    }

    assert read_tracing(given) == TracingSettings(
        url="https://collector.test/of/ours",
        resource={"service.name": "games", "deployment.environment": "hall, left"},
        ratio=0.0,
        headers={"x-tenant": "club", "authorization": "Basic YTpi"},
    )


@pytest.mark.parametrize("name", ["OTEL_EXPORTER_OTLP_HEADERS", "OTEL_RESOURCE_ATTRIBUTES"])
@pytest.mark.parametrize("pairs", ["a=b,sesame", "=sesame", "a b=sesame", "a=sesame%0d%0ab: c", "a=sesam\u00e9"])
def test_pairs_that_are_none_are_refused_by_their_number_and_never_shown(name: str, pairs: str) -> None:
    with pytest.raises(SettingsRefused) as refused:
        read_tracing({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector", name: pairs})

    assert str(refused.value).startswith(name)
    assert "sesam" not in str(refused.value)


@pytest.mark.parametrize(
    "given",
    [
        {"OTEL_EXPORTER_OTLP_ENDPOINT": "collector:4317"},
        {"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "collector:4317"},
        {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector", "OTEL_TRACES_SAMPLER": "jaeger_remote"},
        {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector", "OTEL_TRACES_SAMPLER_ARG": "half"},
        {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector", "OTEL_TRACES_SAMPLER_ARG": "1.5"},
        {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector", "OTEL_TRACES_SAMPLER_ARG": "nan"},
    ],
)
def test_what_cannot_be_meant_is_refused(given: dict[str, str]) -> None:
    with pytest.raises(SettingsRefused) as refused:
        read_tracing(given)

    assert str(refused.value).startswith("OTEL_")
