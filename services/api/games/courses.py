"""Courses that players draw: checked, kept for their account, and read by everyone who has the hash."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import msgspec
from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, RawBody
from msgspec import Struct

from domain.ids import PlayerId
from domain.rejection import Absent, Unprocessable
from domain.ruleset.courses import CourseFault, CourseRules, encode_plan, hash_plan
from domain.ruleset.ruleset import AnyRuleset
from infra.postgres.courses import KeptCourse
from services.api.http.answering import AnyRequest, answer_tagged
from services.api.http.authentication import require_reader, require_scope
from services.api.http.bodies import BodyReader, FieldRefused, RulesetField
from services.api.http.course_examples import COURSE_EXAMPLE, FAULT_EXAMPLE, KEPT_COURSE_EXAMPLE, SHOWN_COURSE_EXAMPLE
from services.api.http.documented import BODY_REFUSALS, COMMAND_REFUSALS, TOKEN_IGNORED, Tagged, answers, takes
from services.api.http.parts import GameParts, Parts, PeopleParts
from services.api.http.rates import COURSES, NETWORK_COURSES
from services.reading.access import Caller


class NoSuchCourse(Absent):
    """No account keeps a course of this hash."""

    code = "no-such-course"


class UnfitCourse(Unprocessable):
    """No race can be held on this course; the refusal names the place."""

    code = "unfit-course"


class CourseBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A course in the form of its ruleset: the option `course` of a game takes the same."""

    ruleset: RulesetField
    course: dict[str, Any]


class CourseKept(Struct, frozen=True, kw_only=True):
    hash: str
    name: str


class CourseChecked(Struct, frozen=True, kw_only=True):
    """`fault` is null where a race can be held on the course."""

    hash: str
    fault: CourseFault | None


class CourseShown(Struct, frozen=True, kw_only=True):
    """`is_own` is whether the caller's account keeps it; those of the box were never kept, and have no `kept_at`."""

    hash: str
    ruleset: str
    name: str
    course: dict[str, Any]
    is_own: bool
    kept_at: datetime | None


class CoursesShown(Struct, frozen=True, kw_only=True):
    items: tuple[CourseShown, ...]


_COURSE = BodyReader[CourseBody](CourseBody)


@post(
    "/v1/courses/checks",
    operation_id="check_course",
    summary="Check a course",
    description="Names the first place at which no race could be held, with the expected and the found value. Nothing "
    "is kept.",
    tags=["courses"],
    status_code=200,
    operation_class=takes(CourseBody, COURSE_EXAMPLE, needed=TOKEN_IGNORED),
    responses=answers(CourseChecked, FAULT_EXAMPLE, refusals=(*BODY_REFUSALS, 422), said="Checked"),
)
async def check_course(body: RawBody, games: NamedDependency[GameParts]) -> CourseChecked:
    _, plan, fault = _read_course(games, body)
    return CourseChecked(hash=hash_plan(plan), fault=fault)


@post(
    "/v1/courses",
    operation_id="keep_course",
    summary="Keep a course",
    description="Of the caller's account: the 50 newest. Whoever has its hash can read it, and race on it.",
    tags=["courses"],
    operation_class=takes(CourseBody, COURSE_EXAMPLE),
    responses=answers(CourseKept, KEPT_COURSE_EXAMPLE, status=201, refusals=COMMAND_REFUSALS, said="Kept"),
)
async def keep_course(body: RawBody, caller: NamedDependency[Caller], parts: NamedDependency[Parts]) -> CourseKept:
    require_scope(caller, "play")
    account = require_reader(caller)
    ruleset, plan, fault = _read_course(parts.games, body)
    if fault is not None:
        raise UnfitCourse(expected=f"{fault.expected}, {fault.place}", found=fault.found)
    await parts.rates.spend(COURSES, account)
    await parts.rates.spend(NETWORK_COURSES, caller.network)
    kept = KeptCourse(
        hash=hash_plan(plan),
        ruleset=ruleset,
        name=str(plan.name),
        plan=encode_plan(plan),
        kept_at=datetime.fromtimestamp(parts.now_ms() // 1_000, UTC),
    )
    await parts.people.courses.keep(account, kept)
    return CourseKept(hash=kept.hash, name=kept.name)


@get(
    "/v1/courses",
    operation_class=Tagged,
    operation_id="list_courses",
    summary="List courses",
    description="Those that come with a ruleset, and with a token those that your account keeps, the newest first.",
    tags=["courses"],
    responses=answers(CoursesShown, {"items": [SHOWN_COURSE_EXAMPLE]}, refusals=(), said="Courses"),
)
async def list_courses(
    request: AnyRequest, caller: NamedDependency[Caller], parts: NamedDependency[Parts]
) -> Response[Any]:
    own = () if caller.account is None else await read_own_courses(parts.people, require_reader(caller))
    items = (*own, *_list_released(parts.games))
    return answer_tagged(request, caller, CoursesShown(items=items))


@get(
    "/v1/courses/{course:str}",
    operation_class=Tagged,
    operation_id="read_course",
    summary="Read a course",
    description="By its hash: one of the box, or one that any account keeps.",
    tags=["courses"],
    responses=answers(CourseShown, SHOWN_COURSE_EXAMPLE, refusals=(), said="The course"),
)
async def read_course(
    request: AnyRequest, course: FromPath[str], caller: NamedDependency[Caller], parts: NamedDependency[Parts]
) -> Response[Any]:
    kept = await parts.people.courses.find(course)
    if kept is not None:
        return answer_tagged(request, caller, _show(kept, is_own=False))
    for released in _list_released(parts.games):
        if released.hash == course:
            return answer_tagged(request, caller, released)
    raise NoSuchCourse(expected="the hash of a course", found=ascii(course[:80]))


async def read_own_courses(people: PeopleParts, account: PlayerId) -> tuple[CourseShown, ...]:
    """Return the courses that an account keeps, the newest first."""
    return tuple(_show(kept, is_own=True) for kept in await people.courses.list_own(account))


def find_course_rules(games: GameParts, reference: str) -> tuple[CourseRules, AnyRuleset]:
    """Return a ruleset that has courses, and its side of them; raises UnknownRuleset and FieldRefused."""
    name, _, version = reference.partition("@")
    ruleset = games.catalogue.find_current(name=name, version=int(version))
    kit = games.kits.get(reference)
    if kit is None or kit.courses is None:
        raise FieldRefused(place="$.ruleset", message=f"expected a ruleset with courses, found {reference}")
    return kit.courses, ruleset


def _read_course(games: GameParts, body: bytes) -> tuple[str, Any, CourseFault | None]:
    asked = _COURSE.read(body)
    rules, ruleset = find_course_rules(games, asked.ruleset)
    try:
        plan = msgspec.convert(asked.course, rules.plan_type)
    except msgspec.ValidationError as error:
        message, _, place = str(error).partition(" - at `$")
        raise FieldRefused(place=f"$.course{place.rstrip('`')}", message=message) from None
    return asked.ruleset, plan, rules.find_fault(ruleset, plan)


def _show(kept: KeptCourse, *, is_own: bool) -> CourseShown:
    return CourseShown(
        hash=kept.hash,
        ruleset=kept.ruleset,
        name=kept.name,
        course=msgspec.json.decode(kept.plan),
        is_own=is_own,
        kept_at=kept.kept_at,
    )


def _list_released(games: GameParts) -> Iterator[CourseShown]:
    for reference, kit in games.kits.items():
        if kit.courses is None:
            continue
        rules, ruleset = find_course_rules(games, reference)
        for plan in rules.list_released(ruleset):
            shown = msgspec.to_builtins(plan)
            yield CourseShown(
                hash=hash_plan(plan), ruleset=reference, name=shown["name"], course=shown, is_own=False, kept_at=None
            )


COURSE_ROUTES = (check_course, keep_course, list_courses, read_course)
