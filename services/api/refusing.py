"""Which refusal answers which exception: routes and sockets refuse in the same words."""

from collections.abc import Callable, Mapping
from typing import Any

from litestar import Response
from litestar.exceptions import HTTPException, NotFoundException
from litestar.types import ExceptionHandlersMap

from domain.rejection import Rejection
from infra.store_faults import StoreUnavailable
from services.api import refusals
from services.api.bodies import BodyRefused, FieldRefused
from services.api.problems import (
    AnyRequest,
    Problem,
    on_http_exception,
    on_recursion,
    on_unexpected_exception,
    refuse_http_exception,
)
from services.api.rates import TooManyRequests
from services.api.web import on_not_found
from services.audits.own_audits import TooManyAudits
from services.commands.turns import TooManyWaiting
from services.commands.write_path import StreamContended
from services.live.hub import Stopping, TooManyReaders

Refuse = Callable[[Any], Response[Problem]]

# Every exception that is no failure of ours, but for those of the framework.
REFUSALS: Mapping[type[Exception], Refuse] = {
    Rejection: refusals.refuse_rejection,
    BodyRefused: refusals.refuse_body,
    FieldRefused: refusals.refuse_field,
    StoreUnavailable: refusals.refuse_store_unavailable,
    StreamContended: refusals.refuse_contended,
    TooManyWaiting: refusals.refuse_too_many_waiting,
    TooManyRequests: refusals.refuse_too_many_requests,
    TooManyAudits: refusals.refuse_too_many_audits,
    TooManyReaders: refusals.refuse_no_room,
    Stopping: refusals.refuse_no_room,
}


def find_refusal(error: Exception) -> Problem | None:
    """Return the problem that an exception is told as; None for a failure of ours."""
    if isinstance(error, HTTPException):
        refused = refuse_http_exception(error)
        return None if refused is None else refused.content
    refuse = next((REFUSALS[kind] for kind in type(error).__mro__ if kind in REFUSALS), None)
    return None if refuse is None else refuse(error).content


def _as_handler(refuse: Refuse) -> Callable[[AnyRequest, Exception], Response[Problem]]:
    def handle(_request: AnyRequest, error: Exception) -> Response[Problem]:
        return refuse(error)

    return handle


EXCEPTIONS: ExceptionHandlersMap = {
    **{kind: _as_handler(refuse) for kind, refuse in REFUSALS.items()},
    NotFoundException: on_not_found,
    HTTPException: on_http_exception,
    RecursionError: on_recursion,
    Exception: on_unexpected_exception,
}
