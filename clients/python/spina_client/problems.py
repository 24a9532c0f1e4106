"""Refusals of a server and faults of the network: exceptions that carry data."""

import msgspec
from msgspec import Struct

TYPE_PREFIX = "urn:spina:problem:"
# Enough of a page that is no problem of ours to recognise whose it is.
SHOWN_CHARS_MAX = 200


class FieldError(Struct, frozen=True, kw_only=True):
    """The fault of one field of a request."""

    field: str
    message: str


class Problem(Struct, frozen=True, kw_only=True):
    """RFC 9457, as far as a program needs it; must agree with services/api/problems.py. `type` is stable."""

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
        """The fault in one word: `seat-not-vacant`."""
        return self.type.removeprefix(TYPE_PREFIX)


class Refused(Exception):
    """The server read the request and said no."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        wrong = "; ".join(f"{each.field}: {each.message}" for each in problem.errors)
        super().__init__(f"{problem.code} ({problem.status}): {wrong or problem.detail or problem.title}")


class ServerUnreachable(Exception):
    """No answer came, as often as it was asked. A command may have been accepted: it is safe to send it again."""

    def __init__(self, *, url: str, attempts: int, reason: str) -> None:
        self.url = url
        self.attempts = attempts
        super().__init__(f"expected an answer from {url}, found {reason}, {attempts} times")


class NoServerThere(Exception):
    """Nothing takes connections at the URL."""

    def __init__(self, url: str) -> None:
        self.url = url
        super().__init__(f"expected a server at {url}, found none; start it with `make run`, or name another by --url")


class AnswerUnreadable(Exception):
    """The answer is not of a server for which this client was written."""

    def __init__(self, *, url: str, reason: str) -> None:
        self.url = url
        super().__init__(f"expected an answer of a Spina server at {url}, found {reason}")


_DECODER = msgspec.json.Decoder(Problem)


def read_problem(*, status: int, content: bytes) -> Problem:
    """Read a refusal; that of a proxy in between becomes a problem of its own."""
    try:
        return _DECODER.decode(content)
    except (msgspec.DecodeError, UnicodeDecodeError):
        said = content[:SHOWN_CHARS_MAX].decode(errors="replace")
        return Problem(type="about:blank", status=status, detail=said, may_send_again=status in (502, 503, 504))
