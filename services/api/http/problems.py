"""Every refusal over HTTP is an RFC 9457 problem with a stable `type`; nothing of a stack trace leaves the server."""

from collections.abc import Mapping
from functools import cache
from inspect import Parameter, signature
from typing import Any, get_args

import structlog
from litestar import Request, Response
from litestar.datastructures import State
from litestar.exceptions import HTTPException, ValidationException
from litestar.handlers import BaseRouteHandler
from litestar.params import QueryParameter
from msgspec import Struct

from domain.ids import GameIdField
from domain.spellings import tell_refusal

TYPE_PREFIX = "urn:spina:problem:"
# Where each code has an entry with its meaning and the next step.
PROBLEMS_PATH = "/v1/problems"
# The most a client may send in one body. The largest command is far below; bundles only leave the server.
REQUEST_BYTES_MAX = 64 * 1024
# Complaints about one body; a client that has more wrong reads the documentation first.
ERRORS_MAX = 20

log = structlog.get_logger()

AnyRequest = Request[object, object, State]


class FieldError(Struct, frozen=True, kw_only=True):
    """One place of the body and its fault."""

    field: str
    message: str


class Problem(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """RFC 9457. `type` is stable and for programs, `detail` is for people and may change.

    `may_send_again`: the same request, with the same id, is safe and may well succeed.
    """

    type: str
    title: str
    status: int
    detail: str
    errors: tuple[FieldError, ...] = ()
    expected: str | None = None
    found: str | None = None
    may_send_again: bool = False


class Kind(Struct, frozen=True):
    """The parts that all problems of one type share."""

    slug: str
    title: str
    status: int


MALFORMED_REQUEST = Kind("malformed-request", "The request cannot be read", 400)
INVALID_INPUT = Kind("invalid-input", "The request has a value that is not allowed", 400)
INTERNAL_ERROR = Kind("internal-error", "The server failed", 500)
KINDS: Mapping[int, Kind] = {
    kind.status: kind
    for kind in (
        MALFORMED_REQUEST,
        Kind("not-authenticated", "A valid token is needed", 401),
        Kind("not-allowed", "The token does not allow this", 403),
        Kind("not-found", "There is nothing here", 404),
        Kind("method-not-allowed", "This method is not offered here", 405),
        Kind("body-too-slow", "The request's body did not come in time", 408),
        Kind("body-too-large", "The request's body is too large", 413),
        Kind("unsupported-media-type", "This media type is not understood", 415),
        Kind("too-many-requests", "Too many requests", 429),
        Kind("head-too-large", "The request's head is too large", 431),
        Kind("unavailable", "The server cannot answer now", 503),
    )
}


def problem_response(
    kind: Kind, detail: str, *, headers: Mapping[str, str] | None = None, **members: Any
) -> Response[Problem]:
    """Build the answer; `members` are the optional fields of a Problem."""
    problem = Problem(type=TYPE_PREFIX + kind.slug, title=kind.title, status=kind.status, detail=detail, **members)
    return Response(
        problem,
        status_code=kind.status,
        media_type="application/problem+json",
        headers={"cache-control": "no-store", "link": link_to(kind.slug), **(headers or {})},
    )


def link_to(code: str) -> str:
    """Return the header that leads from a problem to its entry."""
    return f'<{PROBLEMS_PATH}/{code}>; rel="help"'


def title_of(code: str) -> str:
    return code.replace("-", " ").capitalize()


def refuse_http_exception(error: HTTPException, handler: BaseRouteHandler | None = None) -> Response[Problem] | None:
    """Map a refusal of the framework; None for a status that is no refusal. The handler knows its parameters."""
    if isinstance(error, ValidationException):
        return problem_response(INVALID_INPUT, "see errors", errors=_field_errors(error, handler))
    kind = KINDS.get(error.status_code)
    if kind is None:
        return None
    detail = _DETAILS.get(kind.status, error.detail)
    return problem_response(kind, detail, headers=_with_head(error.headers or {}))


def on_http_exception(request: AnyRequest, error: HTTPException) -> Response[Problem]:
    """Answer a refusal of the framework."""
    return refuse_http_exception(error, request.scope.get("route_handler")) or on_unexpected_exception(request, error)


def on_recursion(request: AnyRequest, error: RecursionError) -> Response[Problem]:
    """Distinguish a body of nothing but brackets, which exhausts the decoder's stack, from a recursion of our own."""
    if "deserializing" in str(error):
        return problem_response(MALFORMED_REQUEST, "JSON is nested too deeply")
    return on_unexpected_exception(request, error)


def on_unexpected_exception(request: AnyRequest, error: Exception) -> Response[Problem]:
    """Log a bug with where it happened, and answer the client that it is ours, no more."""
    log.error("request_failed", method=request.method, path=request.url.path, exc_info=error)
    return problem_response(INTERNAL_ERROR, "the failure was logged; the same request may be sent again")


def _with_head(headers: Mapping[str, str]) -> Mapping[str, str]:
    """Name HEAD where GET is allowed: `wrapping.py` answers it for every GET, of which the framework knows nothing."""
    return {
        name: text.replace("GET", "GET, HEAD") if name.lower() == "allow" and "HEAD" not in text else text
        for name, text in headers.items()
    }


# Where the framework repeats the status phrase, a sentence states the expectation.
_DETAILS: Mapping[int, str] = {
    404: "no such path; /v1/openapi.json lists them all",
    405: "see the `allow` header",
    413: f"expected at most {REQUEST_BYTES_MAX} bytes",
}


def _field_errors(error: ValidationException, handler: BaseRouteHandler | None) -> tuple[FieldError, ...]:
    found = error.extra if isinstance(error.extra, list) else []
    parameters = {} if handler is None else _list_parameters(handler)
    return tuple(
        FieldError(
            field=(name := str(one.get("key", ""))),
            message=tell_refusal(str(one.get("message", "")), _find_type(parameters, name)),
        )
        for one in found[:ERRORS_MAX]
        if isinstance(one, dict)
    )


def _list_parameters(handler: BaseRouteHandler) -> Mapping[str, Parameter]:
    """List the parameters of a route, its dependencies included."""
    reading = (handler.fn, *(dependency.dependency for dependency in handler.resolve_dependencies().values()))
    return {name: found for each in reading for name, found in signature(each).parameters.items()}


@cache
def list_query(handler: BaseRouteHandler) -> frozenset[str]:
    """List the names that the query of a route may have."""
    named = {name: get_args(found.annotation)[1:] for name, found in _list_parameters(handler).items()}
    return frozenset(
        one.name or name for name, metadata in named.items() for one in metadata if isinstance(one, QueryParameter)
    )


def _find_type(parameters: Mapping[str, Parameter], name: str) -> Any:
    """Return the type of a parameter; that of a path's id where the framework names none."""
    found = parameters.get(name) or parameters.get(f"{name}_")
    return GameIdField if found is None else found.annotation
