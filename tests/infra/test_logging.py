"""No secret reaches the output, by any way of logging."""

import io
import json
import logging
from collections.abc import Iterator

import pytest
import structlog
from msgspec import Struct

from infra.keys import MasterKey, format_master_key
from infra.logging import configure_logging
from infra.redaction import Secret, is_confidential, redact, redact_text
from infra.tracing import RecordingTracer, Span
from tests.own_logging import own_logging

# Stands in every value that must not be seen.
HUNTER = "hunter2"
MASTER = MasterKey(bytes(range(32)))
DATABASE = f"postgresql://ada:{HUNTER}@db.example:5432/spina"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Deal(Struct, frozen=True, kw_only=True):
    game: str
    salt: str


@pytest.fixture(params=[io.StringIO, Terminal], ids=["pipe", "terminal"])
def output(request: pytest.FixtureRequest) -> Iterator[io.StringIO]:
    stream: io.StringIO = request.param()
    with own_logging():
        configure_logging("debug", stream=stream)
        yield stream


def fail_in_two_steps(*, local_value: str) -> None:
    try:
        read_missing_file(local_value)
    except OSError as error:
        raise RuntimeError(f"token={HUNTER}") from error


def read_missing_file(local_value: str) -> None:
    raise OSError(f"cannot reach {DATABASE} {len(local_value)}")


@pytest.mark.parametrize(
    "fields",
    [
        {"secret": HUNTER},
        {"salt": HUNTER},
        {"bearer_token": HUNTER},
        {"leaf_key": HUNTER},
        {"password": HUNTER},
        {"nonces": [HUNTER, HUNTER]},
        {"Authorization": f"Bearer {HUNTER}"},
        {"url": DATABASE},
        {"reason": f"could not connect to {DATABASE}: timeout"},
        {"reason": f"password={HUNTER} host=db.example"},
        {"reason": f'{{"token": "{HUNTER}"}}'},
        {"reason": f"GET /v1/games Authorization: Bearer {HUNTER}"},
        {"value": Secret(HUNTER.encode())},
        {"value": HUNTER.encode()},
        {"value": [Secret(HUNTER.encode())]},
        {"value": Deal(game="g", salt=HUNTER)},
        {"value": {"deep": {"deeper": [{"secret": HUNTER}]}}},
        {"value": {"url": DATABASE}},
        {"value": {DATABASE: 1}},
        {"value": ValueError(DATABASE)},
        {"value": {1: {2: {3: {4: {5: {6: {7: HUNTER}}}}}}}},
    ],
)
def test_a_secret_field_is_hidden(output: io.StringIO, fields: dict[str, object]) -> None:
    structlog.get_logger().info("deal_made", **fields)

    assert "deal_made" in output.getvalue()
    assert HUNTER not in output.getvalue()


def test_the_master_key_is_hidden_in_every_form(output: io.StringIO) -> None:
    text = format_master_key(MASTER)

    structlog.get_logger().info("key_read", value=MASTER, text=text, nested={"x": [MASTER, text]}, repr=repr(MASTER))

    assert MASTER.hex()[:16] not in output.getvalue()
    assert "\\x01\\x02" not in output.getvalue()


def test_an_exception_is_logged_without_its_secret_and_without_local_values(output: io.StringIO) -> None:
    try:
        fail_in_two_steps(local_value=f"local-{HUNTER}")
    except RuntimeError:
        structlog.get_logger().exception("start_failed")

    written = output.getvalue()
    assert HUNTER not in written
    assert "RuntimeError" in written
    assert "OSError" in written
    assert "test_logging.py" in written


def test_the_members_of_an_exception_group_are_logged(output: io.StringIO) -> None:
    group = ExceptionGroup("two failed", [OSError(DATABASE), ValueError("plain")])

    structlog.get_logger().error("tasks_failed", exc_info=group)

    assert "OSError" in output.getvalue()
    assert "plain" in output.getvalue()
    assert HUNTER not in output.getvalue()


@pytest.mark.parametrize("name", ["uvicorn.error", "asyncio", "some.library"])
def test_the_standard_library_s_loggers_pass_through_the_same(output: io.StringIO, name: str) -> None:
    logging.getLogger(name).error("cannot reach %s", DATABASE, extra={"secret": HUNTER})

    assert "library_logged" in output.getvalue()
    assert name in output.getvalue()
    assert HUNTER not in output.getvalue()


def test_a_flood_of_malformed_requests_is_one_line_a_minute(output: io.StringIO) -> None:
    server = logging.getLogger("uvicorn.error")

    for number in range(1_000):
        at_s = 1_795_000_000 + number / 10
        server.handle(logging.makeLogRecord({"msg": "Invalid HTTP request.", "levelno": 30, "created": at_s}))
    server.error("a bug is told each time")
    server.error("a bug is told each time")

    lines = output.getvalue()
    assert (lines.count("Invalid HTTP request."), lines.count("a bug is told each time")) == (2, 2)
    assert "599" in lines


def test_an_exception_of_a_library_is_logged_without_its_secret(output: io.StringIO) -> None:
    try:
        fail_in_two_steps(local_value=HUNTER)
    except RuntimeError:
        logging.getLogger("uvicorn.error").exception("lifespan failed")

    assert "OSError" in output.getvalue()
    assert HUNTER not in output.getvalue()


def test_a_pipe_gets_one_json_object_a_line() -> None:
    stream = io.StringIO()

    with own_logging():
        configure_logging("info", stream=stream)
        structlog.get_logger().info("game_opened", game="g", version=1)
        structlog.get_logger().info("two_lines", text="a\nb")
        structlog.get_logger().debug("not_shown")

    first, second = (json.loads(line) for line in stream.getvalue().splitlines())
    assert (first["event"], first["game"], first["version"], first["level"]) == ("game_opened", "g", 1, "info")
    assert second["text"] == "a\nb"


@pytest.mark.parametrize("ratio", [1.0, 0.0])
def test_a_line_names_the_trace_that_is_recorded_around_it(ratio: float) -> None:
    stream, spans = io.StringIO(), list[Span]()

    with own_logging():
        configure_logging("info", stream=stream)
        with RecordingTracer(spans.append, ratio=ratio).span("command"):
            structlog.get_logger().info("within")
        structlog.get_logger().info("outside")

    within, outside = (json.loads(line) for line in stream.getvalue().splitlines())
    named = [(span.place.trace_id, span.place.span_id) for span in spans]
    assert [(within["trace_id"], within["span_id"])] == named if ratio else "trace_id" not in within
    assert "trace_id" not in outside


def test_what_is_no_secret_stays_as_it_is() -> None:
    shown = redact("fields", {"game": "g", "version": 3, "ok": True, "none": None, "key_id": "3e60", "hash": "9f" * 32})

    assert shown == {"game": "g", "version": 3, "ok": True, "none": None, "key_id": "3e60", "hash": "9f" * 32}


@pytest.mark.parametrize("name", ["monkey", "keyboard", "assault", "seat", "tokio"])
def test_a_harmless_name_is_not_confidential(name: str) -> None:
    assert not is_confidential(name)


@pytest.mark.parametrize("password", ["p@ss", "p/ss", "p:ss", "p%40ss", "p?ss#"])
def test_a_password_in_a_url_is_hidden_whatever_it_contains(password: str) -> None:
    shown = redact_text(f"at redis://:{password}@cache.example/0, again")

    assert shown == "at redis://[redacted]@cache.example/0, again"


@pytest.mark.parametrize("text", ["b'hunter2'", 'b"hunter2"', "OSError(\"b'hunter2'\")", "found b'a\\'hunter2'"])
def test_bytes_of_the_program_are_hidden_in_a_text(text: str) -> None:
    shown = redact_text(text)

    assert "<bytes>" in shown
    assert HUNTER not in shown


@pytest.mark.parametrize("text", ['expected {"a":"x","b":"y"} here', "found 'b':'c'"])
def test_a_text_of_the_one_letter_b_is_no_bytes(text: str) -> None:
    assert redact_text(text) == text


def test_a_very_long_text_is_cut() -> None:
    shown = redact_text("x" * 100_000)

    assert len(shown) < 5_000
    assert shown.endswith("(100000 characters)")
