"""Many boards of a game at once, for stepping through it."""

from typing import Annotated, Any

from litestar import Response, get
from litestar.di import NamedDependency
from litestar.params import FromPath, QueryParameter
from msgspec import Struct

from domain.ids import StreamVersion
from services.api.answering import AnyRequest, build_headers, build_tag, has_it_already, not_modified
from services.api.documented import Tagged, answers
from services.api.examples import GAME_EXAMPLE
from services.api.parts import Parts
from services.api.versions import SeatAsked, look, require_version
from services.reading.access import Caller
from services.reading.shown import GameShown, show_game

# Boards of a large game have some tens of kilobytes; this many are about the most a page can show in a second.
BOARDS_MAX = 64

First = Annotated[int, QueryParameter(name="from", description="The first version.", ge=1)]
Last = Annotated[int | None, QueryParameter(name="to", description=f"The last one; {BOARDS_MAX} at most.", ge=1)]


class Boards(Struct, frozen=True, kw_only=True):
    """`next` is the `from` of the next page; null where there are no more yet."""

    items: tuple[GameShown, ...]
    next: StreamVersion | None


@get(
    "/v1/games/{game:str}/boards",
    operation_class=Tagged,
    operation_id="read_boards",
    summary="Read many boards",
    description=f"The game after each event from `from` to `to`, {BOARDS_MAX} at most.",
    tags=["games"],
    responses=answers(
        Boards, {"items": [GAME_EXAMPLE], "next": 2}, refusals=(403, 422), said="The game after each event"
    ),
)
async def read_boards(  # noqa: PLR0913, PLR0917  each is a part of the request
    request: AnyRequest,
    game: FromPath[str],
    caller: NamedDependency[Caller],
    parts: NamedDependency[Parts],
    first: First = 1,
    last: Last = None,
    seat: SeatAsked = None,
) -> Response[Any]:
    sight = await look(parts, game, caller, seat=seat)
    first = require_version(sight, first)
    bound = min(sight.version, first + BOARDS_MAX - 1)
    end = StreamVersion(max(first, bound if last is None else min(last, bound)))
    more = StreamVersion(end + 1) if end < sight.version else None
    tag = build_tag(f"{first}-{end}-{more or 'end'}", sight.viewer)
    headers = build_headers(caller, tag)
    if has_it_already(request, tag):
        return not_modified(headers)
    moments = await parts.histories.read_range(sight.game, first, end, sight.knowing)
    items = tuple(show_game(each.state, sight.seat, is_complete=each.is_complete) for each in moments)
    return Response(Boards(items=items, next=more), headers=headers)
