"""Refusals of a server and failures of the network: exceptions that carry data."""

import msgspec
from msgspec import Struct

TYPE_PREFIX = "urn:spina:problem:"
# Enough of a foreign page to recognise its sender.
SHOWN_CHARS_MAX = 200


class SpinaError(Exception):
    """Base of all exceptions of this package."""


class FieldError(Struct, frozen=True, kw_only=True):
    """The error of one field of the request."""

    field: str
    message: str


class Problem(Struct, frozen=True, kw_only=True):
    """RFC 9457, as far as a program needs it; must agree with services/api/http/problems.py. `type` is stable."""

    type: str
    status: int
    title: str = ""
    detail: str = ""
    expected: str | None = None
    found: str | None = None
    may_send_again: bool = False
    errors: tuple[FieldError, ...] = ()

    @property
    def code(self) -> str:
        """The last part of the type: `seat-not-vacant`."""
        return self.type.removeprefix(TYPE_PREFIX)


class Refused(SpinaError):
    """The server refused the request."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        wrong = "; ".join(f"{error.field}: {error.message}" for error in problem.errors)
        super().__init__(f"{problem.code} ({problem.status}): {wrong or problem.detail or problem.title}")


class ServerUnreachable(SpinaError):
    """No answer came to any attempt. A command may have been accepted; sending it again is safe."""

    def __init__(self, *, url: str, attempts: int, reason: str) -> None:
        self.url = url
        self.attempts = attempts
        super().__init__(f"expected an answer from {url}, found {reason}, {attempts} times")


class NoServerThere(SpinaError):
    """Nothing takes connections at the URL."""

    def __init__(self, url: str) -> None:
        self.url = url
        super().__init__(f"expected a server at {url}, found none; start it with `make run`, or name another by --url")


class AnswerUnreadable(SpinaError):
    """The answer is none of a Spina server."""

    def __init__(self, *, url: str, reason: str) -> None:
        self.url = url
        super().__init__(f"expected an answer of a Spina server at {url}, found {reason}")


_DECODER = msgspec.json.Decoder(Problem)


def read_problem(*, status: int, content: bytes) -> Problem:
    """Read a refusal; the answer of a proxy in between becomes a problem of its own."""
    try:
        return _DECODER.decode(content)
    except (msgspec.DecodeError, UnicodeDecodeError):
        said = content[:SHOWN_CHARS_MAX].decode(errors="replace")
        return Problem(type="about:blank", status=status, detail=said, may_send_again=status in (502, 503, 504))
