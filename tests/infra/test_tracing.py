"""Spans: nested as their blocks are, in one trace, recorded whole or not at all."""

import asyncio

import pytest

from domain.game.rejections import NotYourSeat
from infra.tracing import NO_TRACER, RecordingTracer, Span, SpanPlace, parse_traceparent

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
PARENT = "00f067aa0ba902b7"


class Notebook:
    """A tracer whose ids count up and whose clock ticks with every look."""

    def __init__(self, *, ratio: float = 1.0) -> None:
        self.spans: list[Span] = []
        self._count = 0
        self.tracer = RecordingTracer(
            self.spans.append, ratio=ratio, now_ns=self._tick, random_bytes=lambda size: self._tick().to_bytes(size)
        )

    def _tick(self) -> int:
        self._count += 1
        return self._count

    def tree(self) -> dict[str, str | None]:
        """Return of each span the one around it."""
        names = {span.place.span_id: span.name for span in self.spans}
        return {span.name: None if span.parent_id is None else names.get(span.parent_id, "?") for span in self.spans}


def test_a_span_inside_another_is_its_child_in_the_same_trace() -> None:
    notebook = Notebook()

    with notebook.tracer.span("command"):
        with notebook.tracer.span("decide"):
            pass
        with notebook.tracer.span("append", "client"):
            pass

    assert notebook.tree() == {"decide": "command", "append": "command", "command": None}
    assert len({span.place.trace_id for span in notebook.spans}) == 1
    assert all(span.begun_ns < span.ended_ns for span in notebook.spans)
    assert [span.kind for span in notebook.spans] == ["internal", "client", "internal"]


def test_after_a_span_nothing_is_inside_it() -> None:
    notebook = Notebook()

    for name in ("one", "two"):
        with notebook.tracer.span(name):
            pass

    assert notebook.tree() == {"one": None, "two": None}
    assert notebook.spans[0].place.trace_id != notebook.spans[1].place.trace_id


async def test_tasks_at_the_same_time_are_not_inside_each_other() -> None:
    notebook, meet = Notebook(), asyncio.Barrier(2)

    async def work(name: str) -> None:
        with notebook.tracer.span(name):
            await meet.wait()
            with notebook.tracer.span(f"in {name}"):
                await meet.wait()

    await asyncio.gather(work("one"), work("two"))

    assert notebook.tree() == {"in one": "one", "in two": "two", "one": None, "two": None}


def test_a_request_goes_on_in_the_trace_that_it_names() -> None:
    notebook = Notebook()

    with notebook.tracer.request(f"00-{TRACE}-{PARENT}-01") as span:
        span.rename("play_action")
        span.note("http.response.status_code", 200)

    (found,) = notebook.spans
    assert (found.place.trace_id, found.parent_id, found.name) == (TRACE, PARENT, "play_action")
    assert found.attributes == {"http.response.status_code": 200}


@pytest.mark.parametrize(
    "text",
    [
        None,
        "",
        f"01-{TRACE}-{PARENT}-01",
        f"00-{TRACE.upper()}-{PARENT}-01",
        f"00-{TRACE}-{PARENT}-01\n",
        f"00-{TRACE}-{PARENT}-01-more",
        f"00-{'0' * 32}-{PARENT}-01",
        f"00-{TRACE}-{'0' * 16}-01",
        f"00-{TRACE[1:]}-{PARENT}-01",
    ],
)
def test_a_trace_that_is_not_named_as_it_should_be_is_none(text: str | None) -> None:
    assert parse_traceparent(text) is None


def test_whether_a_trace_is_recorded_is_decided_by_who_began_it() -> None:
    notebook = Notebook()

    with notebook.tracer.request(f"00-{TRACE}-{PARENT}-00"), notebook.tracer.span("command"):
        pass

    assert parse_traceparent(f"00-{TRACE}-{PARENT}-00") == SpanPlace(TRACE, PARENT, is_recorded=False)
    assert notebook.spans == []


def test_of_all_traces_none_is_recorded_where_none_is_wanted() -> None:
    notebook = Notebook(ratio=0)

    with notebook.tracer.span("command"), notebook.tracer.span("decide"):
        pass

    assert notebook.spans == []


def test_a_rejection_is_no_failure_and_anything_else_is() -> None:
    notebook = Notebook()

    with pytest.raises(NotYourSeat), notebook.tracer.span("rejected"):
        raise NotYourSeat(expected="Ada", found="Bob")
    with pytest.raises(ValueError, match="broken"), notebook.tracer.span("failed"):
        raise ValueError("broken")

    rejected, failed = notebook.spans
    assert (rejected.has_failed, rejected.attributes) == (False, {"spina.rejection": "not-your-seat"})
    assert (failed.has_failed, failed.attributes) == (True, {})


def test_without_a_tracer_blocks_run_as_they_are() -> None:
    with NO_TRACER.request(None) as outer, NO_TRACER.span("command") as inner:
        outer.rename("x")
        inner.note("y", 1)

    assert outer is inner
