"""The data of an account in its owner's hands: the name, an export, and its end.

Logs hold the id of an account alone, so that a changed or forgotten name changes no line and no bundle of a game.
"""

from collections.abc import Sequence
from typing import Annotated, Any

import msgspec
from litestar import Request, Response, get, post
from litestar.datastructures import State
from litestar.di import NamedDependency
from litestar.exceptions import PermissionDeniedException
from litestar.params import QueryParameter, RawBody
from msgspec import Meta, Struct

from domain.ids import PlayerId
from domain.names import NAME_CHARS_MAX
from infra.projection_store import SoughtPlaces, StoredRow
from projections import players
from services.api.accounts.declines import DeclinedSender, read_senders
from services.api.accounts.players import AccountShown, read_player_name_at, show_account
from services.api.accounts.tokens import TokenShown, read_tokens
from services.api.accounts.ways import WayShown, read_ways
from services.api.games.courses import CourseShown, read_own_courses
from services.api.games.lobby import Before
from services.api.http.answering import AnyRequest, answer_tagged
from services.api.http.authentication import find_key, require_scope
from services.api.http.bodies import BodyReader, FieldRefused
from services.api.http.documented import COMMAND_REFUSALS, TaggedForTokens, answers, takes
from services.api.http.examples import ACCOUNT_EXAMPLE, PLAYED_EXAMPLE, TOKEN_EXAMPLE, WAY_EXAMPLE
from services.api.http.parts import Parts, PeopleParts
from services.reading.access import Caller

# Games of one answer of the export.
EXPORTED_MAX = 200

Limit = Annotated[int, QueryParameter(description="How many games at most.", ge=1, le=EXPORTED_MAX)]


class NameBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    name: Annotated[str, Meta(min_length=1, max_length=NAME_CHARS_MAX)]


class Renamed(Struct, frozen=True, kw_only=True):
    """The name as it is shown: one that looks like another's has a number."""

    name: str


class AccountExport(Struct, frozen=True, kw_only=True):
    """The account, its tokens, its ways, its courses, and the games with a seat it had; the rest is in public logs.

    The lines of a game are in its bundle: `/v1/games/ID/bundle`. `next` is the `before` of the next page of games.
    """

    account: AccountShown
    tokens: tuple[TokenShown, ...]
    ways: tuple[WayShown, ...]
    declined: tuple[DeclinedSender, ...]
    courses: tuple[CourseShown, ...]
    games: tuple[players.Played, ...]
    next: str | None


class Forgotten(Struct, frozen=True, kw_only=True):
    id: str


_NAME = BodyReader[NameBody](NameBody)


@post(
    "/v1/account/name",
    operation_id="rename_player",
    summary="Rename yourself",
    description="The name is shown wherever the id is, in games of the past too; no log has it.",
    tags=["account"],
    operation_class=takes(NameBody, {"name": "Ada of the Circus"}),
    responses=answers(Renamed, {"name": "Ada of the Circus"}, status=201, refusals=COMMAND_REFUSALS, said="Renamed"),
)
async def rename_player(
    request: Request[object, object, State],
    body: RawBody,
    caller: NamedDependency[Caller],
    people: NamedDependency[PeopleParts],
) -> Renamed:
    require_scope(caller, "account")
    shown = await people.accounts.rename_player(find_key(request), read_player_name_at(_NAME.read(body).name))
    if shown is None:
        raise PermissionDeniedException(
            detail="expected a player who may choose a name, found another role or a muted name"
        )
    return Renamed(name=shown)


@get(
    "/v1/account/export",
    operation_class=TaggedForTokens,
    operation_id="export_account",
    summary="Export your data",
    description="Your account, your tokens and ways without their secrets, and a page of the games in which you had a "
    "seat. Games that you opened and tournaments that you entered have your id in their logs.",
    tags=["account"],
    responses=answers(
        AccountExport,
        {
            "account": ACCOUNT_EXAMPLE,
            "tokens": [TOKEN_EXAMPLE],
            "ways": [WAY_EXAMPLE],
            "declined": [],
            "courses": [],
            "games": [PLAYED_EXAMPLE],
            "next": None,
        },
        refusals=(403,),
        said="The data",
    ),
)
async def export_account(
    request: AnyRequest,
    caller: NamedDependency[Caller],
    parts: NamedDependency[Parts],
    before: Before = None,
    limit: Limit = EXPORTED_MAX,
) -> Response[Any]:
    require_scope(caller, "account")
    before = min(before or players.BELOW_OFFERS, players.BELOW_OFFERS)
    sought = SoughtPlaces(before=before, after=players.ABOVE_COUNTED, now_ms=None)
    rows = await _list_places(parts, caller, sought, limit=limit + 1)
    shown = AccountExport(
        account=await show_account(parts.people, caller),
        tokens=await read_tokens(request, caller, parts.people),
        ways=() if caller.player is None else await read_ways(parts.people, caller.player),
        declined=() if caller.player is None else await read_senders(parts.people, caller.player),
        courses=() if caller.player is None else await read_own_courses(parts.people, caller.player),
        games=tuple(msgspec.json.decode(row.body, type=players.Played) for row in rows[:limit]),
        next=rows[limit - 1].rank if len(rows) > limit else None,
    )
    return answer_tagged(request, caller, shown)


async def _list_places(parts: Parts, caller: Caller, sought: SoughtPlaces, *, limit: int) -> Sequence[StoredRow]:
    if caller.player is None:
        # Organisers and operators have no seats.
        return ()
    return await parts.projections.list_places(players.NAME, caller.player, sought, limit=limit)


@post(
    "/v1/account/forget",
    operation_id="forget_account",
    summary="Delete your account",
    description="The name and all that opens the account are deleted; seats under way stay empty. Logs keep the id, so "
    "that every bundle of a game keeps its bytes. `name` must be the present name.",
    tags=["account"],
    operation_class=takes(NameBody, {"name": "Ada"}),
    responses=answers(Forgotten, {"id": ACCOUNT_EXAMPLE["id"]}, status=201, refusals=COMMAND_REFUSALS, said="Deleted"),
)
async def forget_account(
    request: Request[object, object, State],
    body: RawBody,
    caller: NamedDependency[Caller],
    people: NamedDependency[PeopleParts],
) -> Forgotten:
    require_scope(caller, "account")
    shown = await show_account(people, caller)
    if shown.id is None or _NAME.read(body).name != shown.name:
        raise FieldRefused(place="$.name", message="expected the present name of the account, found another one")
    await people.accounts.forget(find_key(request))
    await people.known_tokens.look()
    return Forgotten(id=PlayerId(shown.id))
