"""Every problem that the API answers: its code, status and meaning, the next step, and the operations that answer it.

Codes, statuses and meanings are those of the classes of rejections; a problem over HTTP has a link to its entry.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from litestar import Litestar, Response, get
from litestar.di import NamedDependency
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath
from msgspec import Struct

from domain.log.rejections import NotAllowed
from domain.rejection import Absent, Forbidden, IllegalAction, NotNow, Rejection, Unprocessable
from domain.rejection import Kind as RejectionKind
from services.api.http.answering import PRIVATE, PUBLIC, AnyRequest
from services.api.http.documented import Tagged, answers
from services.api.http.problems import INTERNAL_ERROR, KINDS, PROBLEMS_PATH, TYPE_PREFIX, Kind, title_of
from services.api.http.ready import Ready, answer_ready, build_ready
from services.api.http.refusals import FAULTS, STATUSES
from services.reading.access import Caller

EXAMPLE = {
    "code": "seats-vacant",
    "type": "urn:spina:problem:seats-vacant",
    "title": "Seats vacant",
    "status": 409,
    "meaning": "No seat is ready before all seats are taken.",
    "remedy": "Wait until all seats are held, and send it again.",
    "operations": ["ready_seat"],
}
_BY_KIND: Mapping[RejectionKind, str] = {
    "absent": "Check the id; where only some may see it, send the token of one who may.",
    "forbidden": "Send it with the token and the key of the player or organiser who may.",
    "not_now": "Read the newest version, and go on from there. Sent again as it is, it is refused again until then.",
    "never": "Change the request: `expected` and `found` name the fault.",
}
_BY_STATUS: Mapping[int, str] = {
    400: "Change the request: `errors` or `detail` name the fault.",
    401: "Send a live token as `authorization: Bearer …`.",
    403: "Use a token with the scope or the role that `detail` names.",
    404: "See `/v1/openapi.json` for all paths.",
    405: "See the `allow` header for the methods.",
    408: "Send the whole body at once.",
    413: "Send a smaller body.",
    415: "Send JSON, with `content-type: application/json`.",
    429: "Wait for the seconds of `retry-after`, and send it again.",
    431: "Send fewer or shorter headers.",
    500: "Send the same request, with the same id, again. The operator finds the failure in the log.",
    503: "Wait for the seconds of `retry-after`, and send the same request, with the same id, again.",
}
# Where a program has a better step than the one of its kind.
_BY_CODE: Mapping[str, str] = {
    "base-too-old": "Read the head of the log again, and sign anew with the same id.",
    "command-id-reused": "Make a new id for a new command; the first one was accepted.",
    "decision-not-owed": "Read the game again, and answer what `owed` and `choices` name.",
    "no-such-version": "Ask again: a request with `min_version` waits some seconds only.",
    "not-yet-in-ledger": "Ask again in a second or two.",
    "seats-vacant": "Wait until all seats are held, and send it again.",
    "too-many-house-games": "Resign in a game that `detail` names, or abort it before its start.",
}
_ALL_GAMES = frozenset({"games", "seats", "actions", "rulings", "live", "ledger"})
# The operations of a rejection by the module of its class, the narrowest name first: their tags.
_AREAS: Sequence[tuple[str, frozenset[str]]] = (
    ("domain.rulesets.", frozenset({"games", "tournaments"})),
    ("domain.ruleset.", frozenset({"games", "tournaments"})),
    ("domain.game.", _ALL_GAMES),
    ("domain.log.", _ALL_GAMES | {"tournaments"}),
    ("domain.tournament.", frozenset({"tournaments"})),
    ("services.api.accounts.", frozenset({"account", "players"})),
    ("services.api.games.courses", frozenset({"courses", "games", "tournaments"})),
    ("services.api.games.", _ALL_GAMES),
    ("services.api.http.problem_catalogue", frozenset({"server"})),
    ("services.api.http.", _ALL_GAMES | {"tournaments"}),
    ("services.commands.arena", _ALL_GAMES),
    ("services.commands.tournaments", frozenset({"tournaments"})),
)
# The name in an app's state.
_KEPT = "problem_catalogue"
_BASES = frozenset({Absent, Forbidden, NotNow, Unprocessable})


class NoSuchProblem(Absent):
    """No problem has this code."""

    code = "no-such-problem"


class ProblemListed(Struct, frozen=True, kw_only=True):
    """A problem of the API. `operations` may answer it, by their ids."""

    # The stable code, for programs.
    code: str
    # The `type` of the problem: the code with its prefix.
    type: str
    title: str
    status: int
    # The reason for which a request is refused so.
    meaning: str
    # The next step of a program.
    remedy: str
    operations: tuple[str, ...]


class ProblemsListed(Struct, frozen=True, kw_only=True):
    """All problems of the API, by their codes."""

    items: tuple[ProblemListed, ...]


def list_rejections() -> Sequence[type[Rejection]]:
    """List the classes of all rejections that the server's modules define, but for those of the command line."""
    return sorted(
        {cls for cls in _walk(Rejection) if cls not in _BASES and not cls.__module__.startswith("domain.operators.")},
        key=lambda cls: cls.code,
    )


def build_catalogue(handlers: Sequence[HTTPRouteHandler]) -> tuple[ProblemListed, ...]:
    """Build the entries of all problems, with those of these operations that may answer each."""
    listed = [_list_rejection(cls, handlers) for cls in list_rejections()]
    kinds = {kind.slug: kind for kind in (*KINDS.values(), INTERNAL_ERROR, *FAULTS)}
    codes = {problem.code for problem in listed}
    listed += [_list_kind(kind, handlers) for kind in kinds.values() if kind.slug not in codes]
    return tuple(sorted(listed, key=lambda problem: problem.code))


def _walk(cls: type[Rejection]) -> Iterator[type[Rejection]]:
    for subclass in cls.__subclasses__():
        yield subclass
        yield from _walk(subclass)


def _list_rejection(cls: type[Rejection], handlers: Sequence[HTTPRouteHandler]) -> ProblemListed:
    status = STATUSES[cls.kind]
    tags = _find_tags(cls)
    return ProblemListed(
        code=cls.code,
        type=TYPE_PREFIX + cls.code,
        title=title_of(cls.code),
        status=status,
        meaning=" ".join((cls.__dict__["__doc__"] or "").split()),
        remedy=_BY_CODE.get(cls.code, _BY_KIND[cls.kind]),
        operations=tuple(
            sorted(
                str(handler.operation_id)
                for handler in handlers
                if status in (handler.responses or {}) and tags.intersection(handler.tags or ())
            )
        ),
    )


def _find_tags(cls: type[Rejection]) -> frozenset[str]:
    if issubclass(cls, IllegalAction):
        return frozenset({"actions"})
    if cls is NotAllowed:
        # Routes refuse a token without the scope in the same words.
        return frozenset(tag for _, tags in _AREAS for tag in tags)
    return next(tags for module, tags in _AREAS if cls.__module__.startswith(module))


def _list_kind(kind: Kind, handlers: Sequence[HTTPRouteHandler]) -> ProblemListed:
    answering = [str(handler.operation_id) for handler in handlers if kind.status in (handler.responses or {})]
    return ProblemListed(
        code=kind.slug,
        type=TYPE_PREFIX + kind.slug,
        title=kind.title,
        status=kind.status,
        meaning=f"{kind.title}.",
        remedy=_BY_STATUS[kind.status],
        operations=tuple(sorted(answering)),
    )


class _Kept(Struct, frozen=True, kw_only=True):
    whole: Ready
    by_code: Mapping[str, Ready]


def _find_kept(app: Litestar) -> _Kept:
    """Return the answers of an app, which follow from its routes and are built once."""
    if _KEPT not in app.state:
        handlers = {
            str(handler.operation_id): handler
            for route in app.routes
            for handler in getattr(route, "route_handlers", ())
            if isinstance(handler, HTTPRouteHandler) and handler.include_in_schema and handler.operation_id
        }
        listed = build_catalogue(tuple(handlers.values()))
        app.state[_KEPT] = _Kept(
            whole=_pack(ProblemsListed(items=listed)),
            by_code={problem.code: _pack(problem) for problem in listed},
        )
    kept: _Kept = app.state[_KEPT]
    return kept


def _pack(body: Any) -> Ready:
    return build_ready(msgspec.json.encode(body), "application/json")


@get(
    PROBLEMS_PATH,
    operation_class=Tagged,
    operation_id="list_problems",
    summary="List all problems",
    description="Each with its meaning, the next step of a program, and the operations that may answer it.",
    tags=["server"],
    responses=answers(ProblemsListed, {"items": [EXAMPLE]}, refusals=(), said="All problems, by code"),
)
async def list_problems(request: AnyRequest, caller: NamedDependency[Caller]) -> Response[Any]:
    return _answer(request, caller, _find_kept(request.app).whole)


@get(
    f"{PROBLEMS_PATH}/{{code:str}}",
    operation_class=Tagged,
    operation_id="read_problem",
    summary="Read one problem",
    description='A refusal links to its entry: `link: </v1/problems/CODE>; rel="help"`.',
    tags=["server"],
    responses=answers(ProblemListed, EXAMPLE, refusals=(), said="The problem"),
)
async def read_problem(request: AnyRequest, code: FromPath[str], caller: NamedDependency[Caller]) -> Response[Any]:
    ready = _find_kept(request.app).by_code.get(code)
    if ready is None:
        raise NoSuchProblem(expected=f"a code that {PROBLEMS_PATH} lists", found=ascii(code)[:80])
    return _answer(request, caller, ready)


def _answer(request: AnyRequest, caller: Caller, ready: Ready) -> Response[Any]:
    return answer_ready(request, ready, {"cache-control": PUBLIC if caller.is_anyone else PRIVATE})


PROBLEM_ROUTES = (list_problems, read_problem)
