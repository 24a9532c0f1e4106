"""Which refusal answers which exception, for every way of asking: routes and sockets refuse in the same words."""

from litestar.exceptions import HTTPException, NotFoundException
from litestar.types import ExceptionHandlersMap

from domain.rejection import Rejection
from infra.store_faults import StoreUnavailable
from services.api.bodies import BodyRefused, FieldRefused
from services.api.chronicle import ProjectionBehind
from services.api.problems import on_http_exception, on_recursion, on_unexpected_exception
from services.api.rates import TooManyRequests
from services.api.refusals import (
    on_body_refused,
    on_contended,
    on_field_refused,
    on_no_room,
    on_projection_behind,
    on_rejection,
    on_store_unavailable,
    on_too_many_audits,
    on_too_many_requests,
    on_too_many_waiting,
)
from services.api.web import on_not_found
from services.audits.own_audits import TooManyAudits
from services.commands.turns import TooManyWaiting
from services.commands.write_path import StreamContended
from services.live.hub import Stopping, TooManyReaders

EXCEPTIONS: ExceptionHandlersMap = {
    NotFoundException: on_not_found,
    HTTPException: on_http_exception,
    Rejection: on_rejection,
    BodyRefused: on_body_refused,
    FieldRefused: on_field_refused,
    StoreUnavailable: on_store_unavailable,
    StreamContended: on_contended,
    ProjectionBehind: on_projection_behind,
    TooManyWaiting: on_too_many_waiting,
    TooManyRequests: on_too_many_requests,
    TooManyAudits: on_too_many_audits,
    TooManyReaders: on_no_room,
    Stopping: on_no_room,
    RecursionError: on_recursion,
    Exception: on_unexpected_exception,
}
