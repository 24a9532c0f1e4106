"""The list of public games, the newest first. A delayed game is listed as it stood when its viewers may see it."""

from typing import Annotated, Any

import msgspec
from litestar import HttpMethod, Response, get, route
from litestar.di import NamedDependency
from litestar.params import QueryParameter
from msgspec import Struct

from domain.ids import UUID_PATTERN, GameId, StreamVersion
from infra.postgres.opened_games import OpenedGame, Sought, Status
from services.access import Caller, find_visible_version
from services.api.documented import answers
from services.api.examples import LISTED_EXAMPLE
from services.api.parts import Parts
from services.arena import NoSuchGame

# A screen of games; a client that wants all of them asks page by page.
GAMES_MAX = 50

Ruleset = Annotated[str | None, QueryParameter(description="`name@version`.", max_length=50)]
Wanted = Annotated[Status | None, QueryParameter(description="What the game is now.")]
Before = Annotated[str | None, QueryParameter(description="`next` of the page before.", pattern=UUID_PATTERN)]
Limit = Annotated[int, QueryParameter(description="How many at most.", ge=1, le=GAMES_MAX)]


class GameListed(Struct, frozen=True, kw_only=True):
    id: GameId
    ruleset: str
    status: Status
    version: StreamVersion
    seats: int
    opened_by: str
    opened_at: str


class Games(Struct, frozen=True, kw_only=True):
    """`next` is the `before` of the next page, null where there is none. A page may be short, or empty."""

    items: tuple[GameListed, ...]
    next: GameId | None


@get(
    "/v1/games",
    operation_id="list_games",
    summary="List the games",
    description="Public games, the newest first. Private ones are not listed for anyone.",
    tags=["games"],
    responses=answers(Games, {"items": [LISTED_EXAMPLE], "next": None}, refusals=(), said="Public games"),
)
async def list_games(
    caller: NamedDependency[Caller],
    parts: NamedDependency[Parts],
    ruleset: Ruleset = None,
    status: Wanted = None,
    before: Before = None,
    limit: Limit = GAMES_MAX,
) -> Response[Any]:
    sought = Sought(ruleset=ruleset, status=status, before=None if before is None else GameId(before))
    page = await parts.opened_games.read_page(sought, limit=limit)
    seen = [await _see(parts, each, caller) for each in page.games]
    items = tuple(each for each in seen if each is not None and status in (None, each.status))
    return Response(Games(items=items, next=page.next), headers={"cache-control": "no-cache"})


# The framework writes such an answer itself, but for two operations on one path it would name the first one alone.
@route("/v1/games", http_method=HttpMethod.OPTIONS, status_code=204, include_in_schema=False)
async def tell_methods() -> Response[None]:
    return Response(None, status_code=204, headers={"allow": "GET, OPTIONS, POST"})


async def _see(parts: Parts, opened: OpenedGame, caller: Caller) -> GameListed | None:
    """Return the game as the caller may see it; nothing where that is nothing yet."""
    listed = GameListed(
        id=opened.id,
        ruleset=opened.ruleset,
        status=opened.status,
        version=opened.version,
        seats=opened.seats,
        opened_by=opened.opened_by,
        opened_at=opened.opened_at,
    )
    if opened.delay_s == 0 or opened.status in ("finished", "aborted"):
        return listed
    try:
        _, version = await find_visible_version(parts.histories, opened.id, caller, now_ms=parts.now_ms())
    except NoSuchGame:
        return None
    then = await parts.histories.read_at(opened.id, version)
    assert then is not None, f"{opened.id} has no version {version}"
    return msgspec.structs.replace(listed, status=then.status, version=version)
