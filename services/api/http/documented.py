"""How operations are described: the schema of a body that the route reads itself, examples that a test sends, refusals.

Every example can be sent as it is; a test walks the description and does.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, cast, get_args

import msgspec
from litestar.openapi import spec
from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.spec.enums import OpenAPIType
from msgspec import Struct

from domain.canonical import encode
from services.api.http.course_examples import COURSE_HASH
from services.api.http.examples import ADA, GAME, TOURNAMENT
from services.api.http.problems import Problem
from services.api.http.ruleset_schemas import PREFIX

JSON = "application/json"
PROBLEM_JSON = "application/problem+json"
# Failures that any request may meet.
ALWAYS = (400, 401, 404, 429, 503)
BODY_REFUSALS = (408, 413, 415)
COMMAND_REFUSALS = (403, 409, *BODY_REFUSALS, 422)
_REFUSALS = {
    400: "The request cannot be read",
    401: "A valid token is needed",
    403: "The caller may not do this",
    404: "There is no such thing, or not for the caller",
    408: "The body did not come in time",
    409: "It does not fit what the game is now",
    413: "The body is too large",
    415: "The body is no JSON",
    422: "The rules or the terms of the game do not allow it",
    429: "Too many requests; `retry-after` says when the next may come",
    503: "The server cannot answer now; the same request, with the same id, may be sent again",
}
# The name of the scheme in the description.
TOKEN_SCHEME = "token"  # noqa: S105  a name, and no token
TOKEN_NEEDED: list[spec.SecurityRequirement] = [{TOKEN_SCHEME: []}]
# Public values need no token; with a token, the caller sees their own as well.
TOKEN_TAKEN: list[spec.SecurityRequirement] = [{}, {TOKEN_SCHEME: []}]
TOKEN_IGNORED: list[spec.SecurityRequirement] = []
_TEXT = spec.Schema(type=OpenAPIType.STRING)
_RETRY_AFTER = spec.OpenAPIHeader(
    schema=spec.Schema(type=OpenAPIType.STRING, pattern="^[0-9]+$"),
    description="Seconds after which the same request may be sent again.",
)
_ETAG = spec.OpenAPIHeader(schema=_TEXT, description="Names what is shown and to whom; for `if-none-match`.")
_CACHE_CONTROL = spec.OpenAPIHeader(
    schema=_TEXT, description="`public` without a token, else `private`; to be asked about again in any case."
)
_CHALLENGE = spec.OpenAPIHeader(schema=_TEXT, description="`Bearer`: a token belongs into `authorization`.")
_REFUSAL_HEADERS: dict[str, dict[str, spec.OpenAPIHeader]] = {
    "401": {"www-authenticate": _CHALLENGE},
    "429": {"retry-after": _RETRY_AFTER},
    "503": {"retry-after": _RETRY_AFTER},
}


# Words and an example of each parameter in a path.
_PATH_PARAMETERS: Mapping[str, tuple[str, Any]] = {
    "game": ("The id of the game.", GAME),
    "tournament": ("The id of the tournament.", TOURNAMENT),
    "course": ("The hash of the course.", COURSE_HASH),
    "player": ("The id of the player.", ADA),
    "stream": ("The id of the game or the tournament.", GAME),
    "code": ("The code of a problem.", "seats-vacant"),
    "path": ("The path of the tile, as C2SP writes it.", "0/000"),
    "version": ("The version: the number of a line of the log.", 1),
}


@dataclass
class Described(spec.Operation):
    """An operation that states whether it needs a token, which headers its refusals have, and the ids in its path."""

    needs: ClassVar[list[spec.SecurityRequirement]] = TOKEN_TAKEN
    # The structs that a request's body may be.
    bodies: ClassVar[tuple[type[Struct], ...]] = ()

    def __post_init__(self) -> None:
        self.security = self.needs
        for status, headers in _REFUSAL_HEADERS.items():
            if _is_problem(self, status):
                _tell_headers(self, status, headers)
        for parameter in self.parameters or ():
            if isinstance(parameter, spec.Parameter) and parameter.name in _PATH_PARAMETERS:
                parameter.description, parameter.example = _PATH_PARAMETERS[parameter.name]


@dataclass
class ForTokens(Described):
    """An operation that refuses callers without a token."""

    needs: ClassVar[list[spec.SecurityRequirement]] = TOKEN_NEEDED


@dataclass
class ForAnyone(Described):
    """An operation that looks at no token."""

    needs: ClassVar[list[spec.SecurityRequirement]] = TOKEN_IGNORED


@dataclass
class Tagged(Described):
    """A read whose answer has a tag, and is not sent to a caller who has it already."""

    def __post_init__(self) -> None:
        super().__post_init__()
        _tell_headers(self, "200", {"etag": _ETAG, "cache-control": _CACHE_CONTROL})
        known = spec.Parameter(
            name="If-None-Match",
            param_in="header",
            schema=_TEXT,
            description="The `etag` of the answer that you have: if it is still the same, 304 comes without a body.",
        )
        self.parameters = [*(self.parameters or ()), known]
        not_modified = spec.OpenAPIResponse(description="As you have it already", headers={"etag": _ETAG})
        self.responses = {**(self.responses or {}), "304": not_modified}


@dataclass
class TaggedForTokens(Tagged):
    """Such a read for those with a token alone."""

    needs: ClassVar[list[spec.SecurityRequirement]] = TOKEN_NEEDED


def takes(
    body: Any, *examples: dict[str, Any], needed: list[spec.SecurityRequirement] = TOKEN_NEEDED
) -> type[spec.Operation]:
    """Return the operation class of a route whose request body is `body`."""
    named = {f"example-{number}": _example(each) for number, each in enumerate(examples, start=1)}

    @dataclass
    class WithBody(Described):
        needs: ClassVar[list[spec.SecurityRequirement]] = needed
        bodies: ClassVar[tuple[type[Struct], ...]] = list_kinds(body)

        def __post_init__(self) -> None:
            super().__post_init__()
            media = spec.OpenAPIMediaType(schema=_refer_to(body), examples=cast("Any", named))
            self.request_body = spec.RequestBody(content={JSON: media}, required=True)

    return WithBody


def answers(
    body: Any, example: Any, *, status: int = 200, refusals: tuple[int, ...] = COMMAND_REFUSALS, said: str = "Accepted"
) -> dict[int, ResponseSpec]:
    """Describe a route's answers: a body of this type with its example, or a problem."""
    found = ResponseSpec(data_container=body, description=said, generate_examples=False, examples=[_example(example)])
    return {status: found, **{refusal: _refusal(refusal) for refusal in sorted({*ALWAYS, *refusals})}}


def gives(container: type[str | bytes], said: str, media_type: str) -> dict[int, ResponseSpec]:
    """Describe a body that is not JSON."""
    found = ResponseSpec(data_container=container, description=said, media_type=media_type, generate_examples=False)
    return {**answers(str, "", refusals=()), 200: found}


def _is_problem(operation: spec.Operation, status: str) -> bool:
    answer = (operation.responses or {}).get(status)
    return isinstance(answer, spec.OpenAPIResponse) and PROBLEM_JSON in (answer.content or {})


def _tell_headers(operation: spec.Operation, status: str, headers: dict[str, spec.OpenAPIHeader]) -> None:
    answer = (operation.responses or {}).get(status)
    if isinstance(answer, spec.OpenAPIResponse):
        answer.headers = {**(answer.headers or {}), **headers}


def _example(value: Any) -> spec.Example:
    # As bytes of JSON: of a dict, the framework leaves out nulls, and an action has all its fields.
    return spec.Example(value=msgspec.Raw(encode(value)))


class StreamEvent(Struct, frozen=True, kw_only=True):
    """One event of a stream as its readers see it: `id` is the version of a frame; other events have names."""

    data: str
    event: str = ""
    id: str = ""


def streams(example: str) -> dict[int, ResponseSpec]:
    """Describe an event stream's answers: the stream, its end for good, or a problem."""
    stream = ResponseSpec(
        data_container=StreamEvent,
        description="The stream, event by event",
        media_type="text/event-stream",
        generate_examples=False,
        examples=[spec.Example(value=example)],
    )
    over = ResponseSpec(data_container=None, description="Nothing more can come", generate_examples=False)
    return {200: stream, 204: over, **{status: _refusal(status) for status in ALWAYS}}


def _refusal(status: int) -> ResponseSpec:
    return ResponseSpec(
        data_container=Problem, description=_REFUSALS[status], media_type=PROBLEM_JSON, generate_examples=False
    )


def list_kinds(body: Any) -> tuple[type[Struct], ...]:
    """List the structs of a body: one, or those of a union."""
    return get_args(body) or (body,)


def _refer_to(body: Any) -> spec.Schema | spec.Reference:
    kinds = [spec.Reference(ref=f"{PREFIX}{kind.__name__}") for kind in list_kinds(body)]
    return kinds[0] if len(kinds) == 1 else spec.Schema(one_of=kinds)
