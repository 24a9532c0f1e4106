"""Sends spans to an OpenTelemetry collector (OTLP over HTTP, as JSON). Spans that it does not take in time are dropped.

Set as every program that speaks OpenTelemetry is set: by the environment variables of its specification.
"""

# One POST has many spans, in the JSON encoding of opentelemetry-proto 1.x: ids in hex, 64-bit numbers as text, kinds
# and codes as numbers. Members that hold nothing may be left out; a span without a parent has "" for its id.

import asyncio
import re
from collections import deque
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import unquote

import httpx2
import structlog
from msgspec import Struct, field

from infra.settings import SettingsRefused
from infra.tracing import RecordingTracer, Span

log = structlog.get_logger()

ENDPOINT, TRACES_ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"
HEADERS, TRACES_HEADERS = "OTEL_EXPORTER_OTLP_HEADERS", "OTEL_EXPORTER_OTLP_TRACES_HEADERS"
SERVICE, RESOURCE = "OTEL_SERVICE_NAME", "OTEL_RESOURCE_ATTRIBUTES"
SAMPLER, SAMPLED = "OTEL_TRACES_SAMPLER", "OTEL_TRACES_SAMPLER_ARG"
# A trace that a request names is recorded as the request asks.
SAMPLERS: Mapping[str, float | None] = {
    "parentbased_always_on": 1.0,
    "parentbased_always_off": 0.0,
    "parentbased_traceidratio": None,
}
SERVICE_ATTRIBUTE = "service.name"
DEFAULT_SERVICE = "spina"
TRACES_PATH = "/v1/traces"
# Some seconds of a busy process; further ones are dropped and counted, as spans must never fill a memory.
WAITING_MAX = 8_192
# A few hundred kilobytes.
BATCH_MAX = 512
SEND_EVERY_S = 2.0
SEND_TIMEOUT_S = 5.0
# A stopping server still sends its spans, if they are taken within this.
FLUSH_TIMEOUT_S = 1.0
# The names of header fields and of attributes.
_KEY = re.compile(r"[A-Za-z0-9_.-]+")
KINDS = {"internal": 1, "server": 2, "client": 3}
FAILED = 2


class TracingSettings(Struct, frozen=True, kw_only=True):
    """Where spans are sent, with which header fields, by which resource, and of how many of all traces."""

    url: str
    resource: Mapping[str, str] = field(default_factory=lambda: {SERVICE_ATTRIBUTE: DEFAULT_SERVICE})
    ratio: float = 1.0
    headers: Mapping[str, str] = {}


def read_tracing(environment: Mapping[str, str]) -> TracingSettings | None:
    """Read OpenTelemetry's own variables; without an endpoint nothing is traced. Raises SettingsRefused."""
    general, own = environment.get(ENDPOINT, ""), environment.get(TRACES_ENDPOINT, "")
    # The endpoint of traces alone is an address as it stands; the general one has a path for each signal.
    name, url = (TRACES_ENDPOINT, own) if own else (ENDPOINT, general.rstrip("/") + TRACES_PATH)
    if not own and not general:
        return None
    if not url.startswith(("http://", "https://")):
        raise SettingsRefused((f"{name}: expected a URL that starts with http:// or https://",))
    resource = {SERVICE_ATTRIBUTE: DEFAULT_SERVICE} | _read_pairs(environment, RESOURCE)
    if environment.get(SERVICE):
        resource[SERVICE_ATTRIBUTE] = environment[SERVICE]
    headers = _read_pairs(environment, HEADERS) | _read_pairs(environment, TRACES_HEADERS)
    return TracingSettings(url=url, resource=resource, ratio=_read_ratio(environment), headers=headers)


def _read_ratio(environment: Mapping[str, str]) -> float:
    sampler = environment.get(SAMPLER) or "parentbased_traceidratio"
    if sampler not in SAMPLERS:
        raise SettingsRefused((f"{SAMPLER}: expected one of {', '.join(SAMPLERS)}, found {sampler!r}",))
    fixed = SAMPLERS[sampler]
    if fixed is not None:
        return fixed
    given = environment.get(SAMPLED) or "1"
    try:
        ratio = float(given)
    except ValueError:
        ratio = -1.0
    if not 0 <= ratio <= 1:
        raise SettingsRefused((f"{SAMPLED}: expected a part of all traces from 0 to 1, found {given!r}",))
    return ratio


def _read_pairs(environment: Mapping[str, str], name: str) -> dict[str, str]:
    """Read `key=value,key=value`, each value percent-encoded. A refusal has no value: a header may hold a key."""
    pairs: dict[str, str] = {}
    for number, member in enumerate(filter(str.strip, environment.get(name, "").split(",")), start=1):
        key, equals, value = (unquote(part.strip()) for part in member.partition("="))
        if not _KEY.fullmatch(key) or not equals or not value.isprintable() or not value.isascii():
            raise SettingsRefused(
                (f"{name}: expected key=value, separated by commas, found no such pair as no. {number}",)
            )
        pairs[key] = value
    return pairs


class OtlpExporter:
    """Made by `otlp_tracer`, which owns its task."""

    def __init__(self, settings: TracingSettings, client: httpx2.AsyncClient, *, version: str) -> None:
        self._settings = settings
        self._client = client
        self._version = version
        self._waiting: deque[Span] = deque()
        self._is_away = False
        self.dropped_count = 0

    def collect(self, span: Span) -> None:
        """Take a span in, or drop it where too many wait."""
        if len(self._waiting) >= WAITING_MAX:
            self.dropped_count += 1
            return
        self._waiting.append(span)

    async def send_for_ever(self, *, send_every_s: float) -> None:
        while True:
            await asyncio.sleep(send_every_s)
            await self.flush()

    async def flush(self) -> None:
        """Send all that waits."""
        while self._waiting:
            batch = [self._waiting.popleft() for _ in range(min(BATCH_MAX, len(self._waiting)))]
            if not await self._send(batch):
                return

    async def _send(self, batch: list[Span]) -> bool:
        try:
            answer = await self._client.post(self._settings.url, json=self._encode(batch), timeout=SEND_TIMEOUT_S)
            answer.raise_for_status()
        except (httpx2.HTTPError, OSError) as error:
            self.dropped_count += len(batch)
            if not self._is_away:
                log.warning("collector_away", reason=f"{type(error).__name__}: {error}")
            self._is_away = True
            return False
        if self._is_away:
            log.info("collector_back", dropped_count=self.dropped_count)
        self._is_away = False
        return True

    def _encode(self, batch: list[Span]) -> dict[str, Any]:
        resource = {"attributes": [_attribute(key, value) for key, value in self._settings.resource.items()]}
        scope = {"name": "spina", "version": self._version}
        spans = [_encode_span(span) for span in batch]
        return {"resourceSpans": [{"resource": resource, "scopeSpans": [{"scope": scope, "spans": spans}]}]}


@asynccontextmanager
async def otlp_tracer(
    settings: TracingSettings, *, version: str, send_every_s: float = SEND_EVERY_S
) -> AsyncIterator[RecordingTracer]:
    """Give a tracer whose spans are sent while the block runs."""
    async with httpx2.AsyncClient(headers=dict(settings.headers)) as client:
        exporter = OtlpExporter(settings, client, version=version)
        sending = asyncio.create_task(exporter.send_for_ever(send_every_s=send_every_s), name="tracer")
        try:
            yield RecordingTracer(exporter.collect, ratio=settings.ratio)
        finally:
            sending.cancel()
            await asyncio.wait({sending})
            await _flush(exporter)


async def _flush(exporter: OtlpExporter) -> None:
    try:
        async with asyncio.timeout(FLUSH_TIMEOUT_S):
            await exporter.flush()
    except TimeoutError:
        log.warning("tracer_stopped_early", dropped_count=exporter.dropped_count)


def _encode_span(span: Span) -> dict[str, Any]:
    return {
        "traceId": span.place.trace_id,
        "spanId": span.place.span_id,
        "parentSpanId": span.parent_id or "",
        "name": span.name,
        "kind": KINDS[span.kind],
        "startTimeUnixNano": str(span.begun_ns),
        "endTimeUnixNano": str(span.ended_ns),
        "attributes": [_attribute(key, value) for key, value in span.attributes.items()],
        "status": {"code": FAILED} if span.has_failed else {},
    }


def _attribute(key: str, value: str | int) -> dict[str, Any]:
    told = {"intValue": str(value)} if isinstance(value, int) else {"stringValue": value}
    return {"key": key, "value": told}
