"""One event of the program a line: a name in snake_case and fields, JSON unless a person is watching.

Everything written passes the redaction, the standard library's loggers (uvicorn, asyncio) included.
"""

import logging
import sys
import traceback
from collections import Counter
from typing import TextIO

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from infra.redaction import redact
from infra.tracing import find_place

# Innermost frames that are shown of an exception; recursion would fill a screen with the same line.
FRAMES_MAX = 30
# Causes, contexts and members of groups that are followed.
CAUSES_MAX = 8
# A warning of the HTTP server may be one for each request of a stranger: so many seconds have one of each text.
WARNINGS_EVERY_S = 60.0
# Names that the processors themselves put in, which hold no value of ours.
PLUMBING = frozenset({"_record", "_from_structlog"})


def configure_logging(level: str, *, stream: TextIO | None = None) -> None:
    """Send structlog's and the standard library's loggers to one stream; a terminal gets colours, a pipe JSON."""
    stream = stream or sys.stderr
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        name_trace,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    renderers: list[Processor] = (
        [exception_as_text, structlog.dev.ConsoleRenderer()]
        if stream.isatty()
        else [structlog.processors.JSONRenderer()]
    )
    formatter = structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[name_foreign_event, *shared],
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            show_exception,
            redact_event,
            *renderers,
        ],
    )
    handler = logging.StreamHandler(stream)
    handler.setFormatter(formatter)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    # At debug level asyncio states which selector it took, which is of no use to an operator.
    logging.getLogger("asyncio").setLevel(max(logging.INFO, root.level))
    # Of each start and stop uvicorn logs five lines at info level; ours is one.
    logging.getLogger("uvicorn").setLevel(max(logging.WARNING, root.level))
    logging.getLogger("uvicorn.error").filters[:] = [WarningsInAWhile()]
    # The bots' client logs each request at info level.
    logging.getLogger("httpx2").setLevel(max(logging.WARNING, root.level))
    structlog.configure(
        processors=[structlog.stdlib.filter_by_level, *shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.stdlib.BoundLogger,
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=False,
    )


def name_trace(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Name the trace that is recorded around a line, by which a collector joins both."""
    place = find_place()
    if place is not None and place.is_recorded:
        event["trace_id"], event["span_id"] = place.trace_id, place.span_id
    return event


class WarningsInAWhile(logging.Filter):
    """Lets one warning of each text pass in a while, which describes how many were kept back since the last one."""

    def __init__(self) -> None:
        super().__init__()
        self._passed_s: dict[str, float] = {}
        self._kept_back: Counter[str] = Counter()

    def filter(self, record: logging.LogRecord) -> bool:
        # The text before its values: a closed set, which the library's code has.
        text = str(record.msg)
        if record.levelno != logging.WARNING:
            return True
        if record.created - self._passed_s.get(text, 0.0) < WARNINGS_EVERY_S:
            self._kept_back[text] += 1
            return False
        self._passed_s[text] = record.created
        record.kept_back = self._kept_back.pop(text, 0)
        return True


def name_foreign_event(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Give a line of a library its place: its sentence is a field, its logger another, the event has one name."""
    record = event.get("_record")
    event["message"] = event["event"]
    event["event"] = "library_logged"
    event["logger"] = record.name if isinstance(record, logging.LogRecord) else None
    if kept_back := getattr(record, "kept_back", 0):
        event["kept_back"] = kept_back
    return event


def show_exception(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Turn `exc_info` into types, messages and frames. Local values are never read."""
    found = event.pop("exc_info", None)
    if found is True:
        found = sys.exc_info()
    error = found[1] if isinstance(found, tuple) else found
    if isinstance(error, BaseException):
        event["exception"] = exception_chain(error)
    event.pop("exc_text", None)
    return event


def exception_as_text(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Lay an exception out for a terminal, where its list would be one long line."""
    chain = event.get("exception")
    if isinstance(chain, list):
        event["exception"] = "\n".join(
            f"{error['type']}: {error['message']}" + "".join(f"\n    {frame}" for frame in error["frames"])
            for error in chain
        )
    return event


def exception_chain(error: BaseException) -> list[dict[str, object]]:
    """List the exception, then its causes, then the members of a group, nearest first."""
    shown: list[dict[str, object]] = []
    seen: set[int] = set()
    waiting = [error]
    while waiting and len(shown) < CAUSES_MAX:
        current = waiting.pop(0)
        if id(current) in seen:
            continue
        seen.add(id(current))
        shown.append(_exception_line(current))
        cause = current.__cause__ or (None if current.__suppress_context__ else current.__context__)
        waiting += [cause] if cause else []
        waiting += current.exceptions if isinstance(current, BaseExceptionGroup) else []
    return shown


def _exception_line(error: BaseException) -> dict[str, object]:
    frames = traceback.extract_tb(error.__traceback__)[-FRAMES_MAX:]
    return {
        "type": type(error).__qualname__,
        "message": str(error),
        "frames": [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames],
    }


def redact_event(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Pass every field, at any depth, through the redaction."""
    return {name: value if name in PLUMBING else redact(name, value) for name, value in event.items()}
