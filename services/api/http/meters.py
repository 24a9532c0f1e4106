"""Counters and histograms of one process, and the page of its metrics. Each component gets only its own metric.

Labels are closed sets that follow from the code: operations, statuses, kinds of commands and of rejections. The page is
for holders of the token that the operator put into a file, as it describes how busy a server is.
"""

import hmac
from collections.abc import Awaitable, Callable, Iterable
from http import HTTPStatus
from pathlib import Path

from litestar import Request, Response, get
from litestar.datastructures import State
from litestar.exceptions import NotAuthorizedException
from msgspec import Struct

from domain.game import events as game
from domain.log.command import Command
from domain.rejection import Rejection
from domain.tournament import events as tournament
from infra.metrics import CONTENT_TYPE, Counter, Family, Histogram, Label, Metrics
from infra.settings import SettingsRefused, variable_name
from infra.version import VERSION
from services.api.http.authentication import CHALLENGE

STATUSES = frozenset(str(status.value) for status in HTTPStatus)
# By the type of the line that a command asks for.
COMMANDS = frozenset({*game.INPUT_TYPES, *tournament.INPUT_TYPES})
ACCEPTED = "accepted"
# The world failed, not the command: it may be sent again.
FAULT = "fault"
# One append in most batches of a quiet server, a hundred in those of a busy one.
BATCH_BOUNDS = (1, 2, 5, 10, 20, 50, 100)

METRICS_STATE = "metrics"
# Half of the output of `openssl rand -hex 32`.
TOKEN_CHARS_MIN = 32


class Meters:
    """`operations` are the ids of all operations over HTTP."""

    def __init__(self, metrics: Metrics, operations: Iterable[str]) -> None:
        asked = Label(name="operation", values=frozenset(operations))
        self.requests: Counter = metrics.counter(
            Family(
                name="spina_requests_total",
                help="Answers over HTTP, by operation and status.",
                labels=(asked, Label(name="status", values=STATUSES)),
            )
        )
        self.request_seconds: Histogram = metrics.histogram(
            Family(name="spina_request_seconds", help="From a request to the beginning of its answer.", labels=(asked,))
        )
        self.commands: Counter = metrics.counter(
            Family(
                name="spina_commands_total",
                help="Commands, by kind and by outcome: accepted, a type of rejection, or a fault.",
                labels=(
                    Label(name="command", values=COMMANDS),
                    Label(name="outcome", values=frozenset({ACCEPTED, FAULT, *list_codes()})),
                ),
            )
        )
        self.batch_appends: Histogram = metrics.histogram(
            Family(name="spina_append_batch_size", help="Commands appended in one call of the database."), BATCH_BOUNDS
        )
        self.batch_seconds: Histogram = metrics.histogram(
            Family(name="spina_append_seconds", help="From sending a batch of appends to its answer.")
        )
        self.reads: Counter = metrics.counter(
            Family(
                name="spina_reads_total",
                help="Reads of stores for readers, by the server that answered.",
                labels=(Label(name="source", values=frozenset({"primary", "replica"})),),
            )
        )
        version = Label(name="version", values=frozenset({VERSION}))
        metrics.gauge(Family(name="spina_info", help="The release.", labels=(version,)), lambda: {VERSION: 1})

    def note_command(self, command: Command, error: BaseException | None) -> None:
        """Count a command and its outcome."""
        match error:
            case None:
                outcome = ACCEPTED
            case Rejection():
                outcome = error.code
            case _:
                outcome = FAULT
        self.commands.add(command.type, outcome)

    def note_batch(self, appends: int, seconds: float) -> None:
        """Note a call of the database that was answered."""
        self.batch_appends.observe(appends)
        self.batch_seconds.observe(seconds)


def list_codes() -> set[str]:
    """List the codes of all rejections there are, those of the rulesets too."""
    found, waiting = set(), [Rejection]
    while waiting:
        kind = waiting.pop()
        waiting += kind.__subclasses__()
        if "code" in vars(kind):
            found.add(kind.code)
    return found


class MetricsPage(Struct, frozen=True, kw_only=True):
    """The metrics of this process. `refresh` reads the values that are not simply counted."""

    metrics: Metrics
    token: str
    refresh: Callable[[], Awaitable[None]]

    def __repr__(self) -> str:
        """Hide the token."""
        return "MetricsPage(<hidden>)"


def read_metrics_token(path: Path) -> str:
    """Read the token. Raises SettingsRefused."""
    name = variable_name("metrics_token_file")
    try:
        token = path.read_text(encoding="ascii", errors="replace").strip()
    except OSError as error:
        raise SettingsRefused((f"{name}: expected a file with a token, found {path}: {error.strerror}",)) from None
    if len(token) < TOKEN_CHARS_MIN or not token.isprintable():
        raise SettingsRefused((f"{name}: expected a file with at least {TOKEN_CHARS_MIN} characters, found fewer",))
    return token


# Not among the documented operations: it is for the machine's own operator.
@get("/metrics", operation_id="read_metrics", include_in_schema=False)
async def get_metrics(request: Request[object, object, State], state: State) -> Response[str]:
    page: MetricsPage = state[METRICS_STATE]
    header = request.headers.get("authorization", "")
    scheme, _, given = header.partition(" ")
    token = given.strip() if scheme.lower() == "bearer" else ""
    if not hmac.compare_digest(token.encode(), page.token.encode()):
        detail = "expected the token of the metrics, found another one or none"
        raise NotAuthorizedException(detail=detail, headers=CHALLENGE)
    await page.refresh()
    return Response(page.metrics.render(), media_type=CONTENT_TYPE, headers={"cache-control": "no-store"})
