"""Spans: nested durations of work. None is kept without a collector; with one, each costs microseconds.

A span holds no hidden data of a game: names of steps, kinds of commands, ids and outcomes, no action and no token.
"""

import re
import secrets
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from contextvars import ContextVar, Token
from types import TracebackType
from typing import Literal, Protocol

from msgspec import Struct

from domain.rejection import Rejection

TRACE_ID_BYTES = 16
SPAN_ID_BYTES = 8

# A request may state which trace it is part of (W3C Trace Context), as in
#     traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
# that is version, trace, span and flags in lower-case hex. The last bit of the flags states that it is being recorded.
# Refused, as if it were not there: another version, another length, a trace or span of zeros alone.
_TRACEPARENT = re.compile(r"00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})")

Kind = Literal["internal", "server", "client"]
Attributes = dict[str, str | int]


class SpanPlace(Struct, frozen=True):
    """Which span of which trace; inside one that is not recorded nothing is."""

    trace_id: str
    span_id: str
    is_recorded: bool = True


class Span(Struct, frozen=True, kw_only=True):
    """One that has ended."""

    place: SpanPlace
    parent_id: str | None
    name: str
    kind: Kind
    begun_ns: int
    ended_ns: int
    attributes: Attributes
    has_failed: bool


class OpenSpan(Protocol):
    """The attributes of a span that are known only later."""

    def rename(self, name: str) -> None: ...

    def note(self, key: str, value: str | int) -> None: ...


class Tracer(Protocol):
    def span(self, name: str, kind: Kind = "internal") -> AbstractContextManager[OpenSpan]:
        """Measure the block, inside the span that is open around it."""

    def request(self, traceparent: str | None) -> AbstractContextManager[OpenSpan]:
        """Measure an answer to a request, in the trace that the request names, if it names one."""


class _Unrecorded:
    def rename(self, name: str) -> None:
        pass

    def note(self, key: str, value: str | int) -> None:
        pass


class NoTracer:
    """Measures nothing, and costs next to nothing."""

    def __init__(self) -> None:
        self._span = nullcontext(_Unrecorded())

    def span(self, name: str, kind: Kind = "internal") -> AbstractContextManager[OpenSpan]:  # noqa: ARG002 - see Tracer
        return self._span

    def request(self, traceparent: str | None) -> AbstractContextManager[OpenSpan]:  # noqa: ARG002 - see Tracer
        return self._span


NO_TRACER = NoTracer()
# The span that the current task is in. Each task has its own, and begins with that of who made it.
_current: ContextVar[SpanPlace | None] = ContextVar("spina_span", default=None)


def find_place() -> SpanPlace | None:
    """Return the span that this task is in, for the lines that it logs."""
    return _current.get()


class RecordingTracer:
    """Hands every span that has ended to `collect`, which neither waits nor raises."""

    def __init__(
        self,
        collect: Callable[[Span], None],
        *,
        ratio: float = 1.0,
        now_ns: Callable[[], int] = time.time_ns,
        random_bytes: Callable[[int], bytes] = secrets.token_bytes,
    ) -> None:
        self._collect = collect
        # A trace is recorded, whole, if the last bytes of its id are below this: every process decides alike.
        self._below = round(ratio * 2**32)
        self._now_ns = now_ns
        self._random_bytes = random_bytes

    def span(self, name: str, kind: Kind = "internal") -> AbstractContextManager[OpenSpan]:
        return self._open(_current.get(), name, kind)

    def request(self, traceparent: str | None) -> AbstractContextManager[OpenSpan]:
        return self._open(parse_traceparent(traceparent), "request", "server")

    def _open(self, parent: SpanPlace | None, name: str, kind: Kind) -> AbstractContextManager[OpenSpan]:
        span_id = self._random_bytes(SPAN_ID_BYTES).hex()
        if parent is None:
            trace_id = self._random_bytes(TRACE_ID_BYTES).hex()
            place = SpanPlace(trace_id, span_id, int(trace_id[-8:], 16) < self._below)
        else:
            place = SpanPlace(parent.trace_id, span_id, parent.is_recorded)
        return _Recorded(self._collect, self._now_ns, place, (None if parent is None else parent.span_id, name, kind))


class _Recorded:
    __slots__ = ("_attributes", "_begun_ns", "_collect", "_kind", "_name", "_now_ns", "_parent_id", "_place", "_token")

    def __init__(
        self,
        collect: Callable[[Span], None],
        now_ns: Callable[[], int],
        place: SpanPlace,
        said: tuple[str | None, str, Kind],
    ) -> None:
        self._collect, self._now_ns, self._place = collect, now_ns, place
        self._parent_id, self._name, self._kind = said
        self._attributes: Attributes = {}
        self._begun_ns = 0
        self._token: Token[SpanPlace | None] | None = None

    def rename(self, name: str) -> None:
        self._name = name

    def note(self, key: str, value: str | int) -> None:
        self._attributes[key] = value

    def __enter__(self) -> OpenSpan:
        self._token = _current.set(self._place)
        self._begun_ns = self._now_ns()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._token is not None, "left without having been entered"
        _current.reset(self._token)
        if not self._place.is_recorded:
            return
        if isinstance(error, Rejection):
            # No failure: the player gets it as an answer.
            self._attributes["spina.rejection"] = error.code
        self._collect(
            Span(
                place=self._place,
                parent_id=self._parent_id,
                name=self._name,
                kind=self._kind,
                begun_ns=self._begun_ns,
                ended_ns=self._now_ns(),
                attributes=self._attributes,
                has_failed=error is not None and not isinstance(error, Rejection),
            )
        )


def parse_traceparent(text: str | None) -> SpanPlace | None:
    """Return the place that a request names; None where it names none, or not as it should."""
    found = None if text is None else _TRACEPARENT.fullmatch(text)
    return None if found is None else SpanPlace(found[1], found[2], bool(int(found[3], 16) & 1))
