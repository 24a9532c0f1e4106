"""Refusals over HTTP: the status of each rejection and of each fault. Codes are stable for ever.

Routes and sockets refuse in the same words.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from litestar import Response
from litestar.exceptions import HTTPException
from litestar.types import ExceptionHandlersMap

from domain.rejection import Kind as RejectionKind
from domain.rejection import Rejection
from infra.store_faults import StoreBusy, StoreUnavailable
from services.api.http import problems
from services.api.http.bodies import BodyRefused, FieldRefused
from services.api.http.rates import TooManyRequests
from services.audits.own_audits import TooManyAudits
from services.commands.turns import TooManyWaiting
from services.commands.write_path import StreamContended
from services.live.hub import Stopping, TooManyReaders

# The status of each kind of rejection.
STATUSES: Mapping[RejectionKind, int] = {"absent": 404, "forbidden": 403, "not_now": 409, "never": 422}

STORE_UNAVAILABLE = problems.Kind("store-unavailable", "The log cannot be reached", 503)
STORE_BUSY = problems.Kind("store-busy", "The log has more to take in than it can", 503)
GAME_CONTENDED = problems.Kind("game-contended", "Too many others write to this game", 503)
TOO_MANY_WAITING = problems.Kind("too-many-waiting", "Too many commands wait for this game", 503)
TOO_MANY_AUDITS = problems.Kind("too-many-audits", "Too many audits wait", 503)
NO_ROOM = problems.Kind("no-room", "This server takes no more readers now", 503)
TOO_MANY_REQUESTS = problems.Kind("too-many-requests", "Too many requests", 429)
FAULTS: Sequence[problems.Kind] = (
    STORE_UNAVAILABLE,
    STORE_BUSY,
    GAME_CONTENDED,
    TOO_MANY_WAITING,
    TOO_MANY_AUDITS,
    NO_ROOM,
    TOO_MANY_REQUESTS,
)
# A store that is away is back in seconds or in minutes; a busy one within a moment.
AWAY_RETRY_S = 2
BUSY_RETRY_S = 1


def refuse_rejection(rejection: Rejection) -> Response[problems.Problem]:
    return problems.problem_response(
        problems.Kind(rejection.code, problems.title_of(rejection.code), STATUSES[rejection.kind]),
        str(rejection),
        expected=rejection.expected,
        found=rejection.found,
    )


def refuse_store_unavailable(fault: StoreUnavailable) -> Response[problems.Problem]:
    if isinstance(fault, StoreBusy):
        return _come_again(STORE_BUSY, "nothing was stored", after_s=BUSY_RETRY_S)
    outcome = "the command may have been accepted" if fault.may_have_committed else "nothing was stored"
    return _come_again(STORE_UNAVAILABLE, outcome, after_s=AWAY_RETRY_S)


def refuse_contended(_fault: StreamContended) -> Response[problems.Problem]:
    return _come_again(GAME_CONTENDED, "nothing was stored", after_s=BUSY_RETRY_S)


def refuse_too_many_waiting(_fault: TooManyWaiting) -> Response[problems.Problem]:
    return _come_again(TOO_MANY_WAITING, "nothing was stored", after_s=BUSY_RETRY_S)


def refuse_too_many_requests(fault: TooManyRequests) -> Response[problems.Problem]:
    return problems.problem_response(TOO_MANY_REQUESTS, str(fault), headers={"retry-after": str(fault.wait_s)})


def refuse_too_many_audits(fault: TooManyAudits) -> Response[problems.Problem]:
    return problems.problem_response(
        TOO_MANY_AUDITS, str(fault), may_send_again=True, headers={"retry-after": str(AWAY_RETRY_S)}
    )


def refuse_no_room(fault: Exception) -> Response[problems.Problem]:
    return problems.problem_response(
        NO_ROOM, str(fault), may_send_again=True, headers={"retry-after": str(AWAY_RETRY_S)}
    )


def refuse_body(refused: BodyRefused) -> Response[problems.Problem]:
    return problems.problem_response(problems.MALFORMED_REQUEST, str(refused))


def refuse_field(refused: FieldRefused) -> Response[problems.Problem]:
    error = problems.FieldError(field=refused.place, message=refused.message)
    return problems.problem_response(problems.INVALID_INPUT, "see errors", errors=(error,))


def _come_again(kind: problems.Kind, outcome: str, *, after_s: int) -> Response[problems.Problem]:
    """State that the request may be sent again: an accepted command is answered again, never done twice."""
    detail = f"{outcome}; the same request, with the same id, may simply be sent again"
    return problems.problem_response(kind, detail, may_send_again=True, headers={"retry-after": str(after_s)})


Refuse = Callable[[Any], Response[problems.Problem]]

# Every exception that is no failure of ours, but for those of the framework.
REFUSALS: Mapping[type[Exception], Refuse] = {
    Rejection: refuse_rejection,
    BodyRefused: refuse_body,
    FieldRefused: refuse_field,
    StoreUnavailable: refuse_store_unavailable,
    StreamContended: refuse_contended,
    TooManyWaiting: refuse_too_many_waiting,
    TooManyRequests: refuse_too_many_requests,
    TooManyAudits: refuse_too_many_audits,
    TooManyReaders: refuse_no_room,
    Stopping: refuse_no_room,
}


def find_refusal(error: Exception) -> problems.Problem | None:
    """Return the problem that an exception is answered as; None for a failure of ours."""
    if isinstance(error, HTTPException):
        refused = problems.refuse_http_exception(error)
        return None if refused is None else refused.content
    refuse = next((REFUSALS[kind] for kind in type(error).__mro__ if kind in REFUSALS), None)
    return None if refuse is None else refuse(error).content


def _as_handler(refuse: Refuse) -> Callable[[problems.AnyRequest, Exception], Response[problems.Problem]]:
    def handle(_request: problems.AnyRequest, error: Exception) -> Response[problems.Problem]:
        return refuse(error)

    return handle


EXCEPTIONS: ExceptionHandlersMap = {
    **{kind: _as_handler(refuse) for kind, refuse in REFUSALS.items()},
    HTTPException: problems.on_http_exception,
    RecursionError: problems.on_recursion,
    Exception: problems.on_unexpected_exception,
}
