"""Ways to be given notice: programs and channels to which the notices of an account are sent, as it chose.

An address is shown to no one again but by its host; the secret of a webhook is shown once.
"""

from datetime import datetime
from typing import Annotated, Any, TypeVar

from litestar import Request, Response, get, post
from litestar.datastructures import State
from litestar.di import NamedDependency
from litestar.params import RawBody
from msgspec import Meta, Struct

from domain.accounts.notice import CHOSEN, ChosenKind
from domain.accounts.way import WAYS_MAX, NewWay, Quiet, WayRow
from domain.ids import UUID_PATTERN, PlayerId
from domain.log.record import format_at
from domain.names import NAME_CHARS_MAX
from domain.rejection import NotNow
from infra.uuid7 import build_uuid7
from services.api.http.answering import AnyRequest, answer_tagged
from services.api.http.authentication import require_reader, require_scope
from services.api.http.bodies import BodyReader, FieldRefused, require_shown_at
from services.api.http.documented import COMMAND_REFUSALS, TaggedForTokens, answers, takes
from services.api.http.examples import ADD_WAY_EXAMPLE, CHANGE_WAY_EXAMPLE, PUSH_KEY_EXAMPLE, WAY_EXAMPLE
from services.api.http.parts import Parts, PeopleParts
from services.api.http.rates import NETWORK_WAYS, WAY_TESTS, WAYS
from services.notices.quiet_hours import read_zone
from services.notices.ways import Addable, Calendar, Target, WayVault, Webhook, describe, find_fault, name_kind
from services.notices.webhooks import format_secret
from services.reading.access import Caller

WayId = Annotated[str, Meta(pattern=UUID_PATTERN)]
Name = Annotated[str, Meta(min_length=1, max_length=NAME_CHARS_MAX)]
Kinds = Annotated[tuple[ChosenKind, ...], Meta(min_length=1, max_length=len(CHOSEN))]


AnyChoices = TypeVar("AnyChoices", bound="Choices")


class WayRefused(NotNow):
    """The way of notices cannot be added or used so."""

    code = "way-refused"


class Choices(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`kinds` are the notices that are sent; with `quiet`, those of these hours wait until they end."""

    name: Name
    kinds: Kinds
    quiet: Quiet | None


class AddWayBody(Choices, frozen=True, kw_only=True, forbid_unknown_fields=True):
    to: Addable


class ChangeWayBody(Choices, frozen=True, kw_only=True, forbid_unknown_fields=True):
    way: WayId


class WayBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    way: WayId


class WayShown(Struct, frozen=True, kw_only=True):
    """`address` is its host alone. A way that fails has `failing_since` and a reason, an ended one `end_reason`.

    A webhook and a browser are used once `is_proven`: they answered the challenge.
    """

    id: str
    kind: str
    name: str
    address: str | None
    kinds: tuple[ChosenKind, ...]
    quiet: Quiet | None
    created_at: datetime
    failing_since: str | None
    failing_reason: str | None
    end_reason: str | None
    is_proven: bool


class WaysShown(Struct, frozen=True, kw_only=True):
    """`push_key` is the server's, for subscriptions of browsers; with `has_mail` it sends mails."""

    items: tuple[WayShown, ...]
    push_key: str
    has_mail: bool


class WayAdded(Struct, frozen=True, kw_only=True):
    """`secret` is shown in this answer only: it signs the messages of a webhook, or opens a calendar.

    Null for other kinds.
    """

    id: str
    secret: str | None


class WayNamed(Struct, frozen=True, kw_only=True):
    id: str


_ADD, _CHANGE, _WAY = (
    BodyReader[AddWayBody](AddWayBody),
    BodyReader[ChangeWayBody](ChangeWayBody),
    BodyReader[WayBody](WayBody),
)
DISCORD_EXAMPLE = {"kind": "discord", "url": "https://discord.com/api/webhooks/1/a"}
NAMED = answers(WayNamed, {"id": WAY_EXAMPLE["id"]}, status=201, refusals=COMMAND_REFUSALS, said="The way")


@get(
    "/v1/account/ways",
    operation_class=TaggedForTokens,
    operation_id="list_ways",
    summary="List your ways",
    description="The programs and channels to which your notices are sent, and whether they work.",
    tags=["account"],
    responses=answers(
        WaysShown,
        {"items": [WAY_EXAMPLE], "push_key": PUSH_KEY_EXAMPLE, "has_mail": True},
        refusals=(403,),
        said="Ways",
    ),
)
async def list_ways(
    request: AnyRequest, caller: NamedDependency[Caller], people: NamedDependency[PeopleParts]
) -> Response[Any]:
    senders = people.senders
    items = await read_ways(people, require_owner(caller))
    shown = WaysShown(items=items, push_key=senders.vault.vapid.public, has_mail=senders.mails is not None)
    return answer_tagged(request, caller, shown)


async def read_ways(people: PeopleParts, account: str) -> tuple[WayShown, ...]:
    return tuple(show_way(people, row) for row in await people.ways.list_of(account))


def show_way(people: PeopleParts, row: WayRow) -> WayShown:
    return WayShown(
        id=row.id,
        kind=row.kind,
        name=row.name,
        address=None if row.sealed_box is None else describe(people.senders.vault.open(row).address),
        kinds=row.kinds,
        quiet=row.quiet,
        created_at=row.created_at,
        failing_since=None if row.failing_since_ms is None else format_at(row.failing_since_ms),
        failing_reason=row.failing_reason,
        end_reason=row.end_reason,
        is_proven=row.is_proven,
    )


@post(
    "/v1/account/ways",
    operation_id="add_way",
    summary="Add a way",
    description="Notices are sent there from now on: to a `webhook` as signed messages (Standard Webhooks), once it "
    "has answered the first, `challenge`, with the text of that; to "
    "`discord` as sentences, to a `browser` by Web Push, once its worker has answered in the same way. The address "
    "is a public one, by HTTPS. A `calendar` is read "
    f"at `/v1/account/calendar.ics`. An account has {WAYS_MAX} at most.",
    tags=["account"],
    operation_class=takes(
        AddWayBody,
        ADD_WAY_EXAMPLE,
        {**ADD_WAY_EXAMPLE, "quiet": WAY_EXAMPLE["quiet"], "to": DISCORD_EXAMPLE},
    ),
    responses=answers(
        WayAdded,
        {"id": WAY_EXAMPLE["id"], "secret": "whsec_shown-once-and-kept-by-you-alone"},
        status=201,
        refusals=COMMAND_REFUSALS,
        said="The way",
    ),
)
async def add_way(
    request: Request[object, object, State],
    body: RawBody,
    caller: NamedDependency[Caller],
    parts: NamedDependency[Parts],
) -> Response[WayAdded]:
    account = require_owner(caller)
    asked = _read_choices(_ADD.read(body))
    fault = find_fault(asked.to, reaches_private=parts.people.senders.reaches_private)
    if fault is not None:
        raise FieldRefused(place="$.to", message=fault)
    await parts.rates.spend(WAYS, account)
    await parts.rates.spend(NETWORK_WAYS, caller.network)
    id_ = build_uuid7(parts.now_ms())
    target = Target(address=asked.to, base=read_base(request))
    await store_way(parts.people, id_, account, asked, target, added_by=caller.token)
    secret = _find_secret(parts.people.senders.vault, id_, asked.to)
    return Response(WayAdded(id=id_, secret=secret), headers={"cache-control": "no-store"})


async def store_way(
    people: PeopleParts, id_: str, account: str, choices: Choices, target: Target, *, added_by: str | None
) -> None:
    """Store a way of an account. Raises WayRefused."""
    row = NewWay(
        id=id_,
        account=account,
        kind=name_kind(target.address),
        name=choices.name,
        sealed_box=people.senders.vault.seal(id_, target),
        kinds=choices.kinds,
        quiet=choices.quiet,
        added_by=added_by,
    )
    if not await people.ways.add(row):
        raise WayRefused(
            expected=f"an account with fewer than {WAYS_MAX} ways, and a token that has not ended", found="another one"
        )


def read_base(request: Request[object, object, State]) -> str:
    """Return the URL of the pages as the caller reached them."""
    return str(request.base_url).rstrip("/")


def _find_secret(vault: WayVault, way: str, address: Addable) -> str | None:
    match address:
        case Webhook():
            return format_secret(vault.derive_secret(way))
        case Calendar():
            return vault.format_key("calendar", way)
        case _:
            return None


@post(
    "/v1/account/ways/changes",
    operation_id="change_way",
    summary="Change a way",
    description="Its name, the kinds of notices, and its quiet hours. Another address is another way.",
    tags=["account"],
    operation_class=takes(ChangeWayBody, CHANGE_WAY_EXAMPLE),
    responses=NAMED,
)
async def change_way(body: RawBody, caller: NamedDependency[Caller], parts: NamedDependency[Parts]) -> WayNamed:
    account = require_owner(caller)
    asked = _read_choices(_CHANGE.read(body))
    is_changed = await parts.people.ways.change(
        account, asked.way, name=asked.name, kinds=asked.kinds, quiet=asked.quiet, now_ms=parts.now_ms()
    )
    return _name(asked.way, is_changed)


@post(
    "/v1/account/ways/removals",
    operation_id="remove_way",
    summary="Remove a way",
    description="Notices that wait for it are deleted; at most one that is under way is still sent.",
    tags=["account"],
    operation_class=takes(WayBody, {"way": WAY_EXAMPLE["id"]}),
    responses=NAMED,
)
async def remove_way(body: RawBody, caller: NamedDependency[Caller], people: NamedDependency[PeopleParts]) -> WayNamed:
    account = require_owner(caller)
    way = _WAY.read(body).way
    return _name(way, await people.ways.remove(account, way))


@post(
    "/v1/account/ways/tests",
    operation_id="test_way",
    summary="Test a way",
    description="A notice of the kind `test` is sent, after those that wait; one test of a way at a time.",
    tags=["account"],
    operation_class=takes(WayBody, {"way": WAY_EXAMPLE["id"]}),
    responses=NAMED,
)
async def test_way(body: RawBody, caller: NamedDependency[Caller], parts: NamedDependency[Parts]) -> WayNamed:
    account = require_owner(caller)
    way = _WAY.read(body).way
    await parts.rates.spend(WAY_TESTS, account)
    return _name(way, await parts.people.ways.add_test(account, way, now_ms=parts.now_ms()))


def require_owner(caller: Caller) -> PlayerId:
    """Return the player whose ways these are. A notice shows what the account reads, so its token must read too."""
    require_scope(caller, "account")
    return require_reader(caller)


def _name(way: str, is_done: bool) -> WayNamed:  # noqa: FBT001  the answer of the store
    if not is_done:
        raise WayRefused(expected="a way of the account that has not ended, and no test that waits", found=way)
    return WayNamed(id=way)


def _read_choices(asked: AnyChoices) -> AnyChoices:
    require_shown_at("$.name", asked.name)
    if len(set(asked.kinds)) < len(asked.kinds):
        raise FieldRefused(place="$.kinds", message="expected each kind once, found one twice")
    if asked.quiet is not None and (asked.quiet.start == asked.quiet.end or read_zone(asked.quiet.zone) is None):
        raise FieldRefused(place="$.quiet", message="expected two different times and a time zone, found others")
    return asked


WAY_ROUTES = (list_ways, add_way, change_way, remove_way, test_way)
