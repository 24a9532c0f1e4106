"""Following a game as it happens: an event stream that goes on where it broke off, and a socket that takes commands.

Both carry the same frames. A browser, which can put no token on either, brings a ticket.
"""

import random
from collections.abc import Sequence
from typing import Annotated, Any

import msgspec
from litestar import Request, Response, WebSocket, get, post, websocket
from litestar.datastructures import State
from litestar.exceptions import NotAuthorizedException
from litestar.params import FromPath, HeaderParameter, QueryParameter
from litestar.response import Stream
from litestar.types import ControllerRouterHandler
from msgspec import Struct

from domain.ids import StreamVersion
from services.api.games.sockets import serve_socket
from services.api.http.authentication import CHALLENGE, AnyConnection, identify, require_account
from services.api.http.documented import Described, ForTokens, answers, streams
from services.api.http.parts import PARTS_STATE, Parts
from services.api.http.versions import read_game_id
from services.live.following import stream_events
from services.live.hub import Hub
from services.live.tickets import LIFE_S, Tickets
from services.reading.access import Caller

LIVE_STATE = "live"
EVENT_STREAM = "text/event-stream"
# How long a reader waits before it comes again: not all at once after a restart.
RETRY_MS = (500, 3_000)
HEADERS = {
    "cache-control": "no-store",
    # A buffering proxy would keep frames back.
    "x-accel-buffering": "no",
}
TICKET_EXAMPLE = {"ticket": "one-stream-and-half-a-minute-long", "expires_in_s": LIFE_S}

FRAME_EXAMPLE = (
    'retry: 1000\n\nid: 57\ndata: {"version":57,"line":{"type":"lap_completed"},"board":{"board":{"lap":2}}}\n\n'
)

# Versions are counted in 32 bits where they are stored.
VERSION_MAX = 2**31 - 1
After = Annotated[int | None, QueryParameter(description="Only what comes after this version.", ge=0, le=VERSION_MAX)]
LastEventId = Annotated[
    int | None,
    HeaderParameter(name="Last-Event-ID", description="The same, as browsers send it.", ge=0, le=VERSION_MAX),
]
TicketGiven = Annotated[str | None, QueryParameter(description="From `POST /v1/tickets`, in the place of a token.")]


class Live(Struct, kw_only=True):
    """The needs of these routes beside the parts."""

    hub: Hub
    tickets: Tickets


class Ticket(Struct, frozen=True, kw_only=True):
    """Good for one stream or socket: `…/live?ticket=…`."""

    ticket: str
    expires_in_s: int


@post(
    "/v1/tickets",
    operation_class=ForTokens,
    operation_id="issue_ticket",
    summary="Get a ticket for one stream",
    description="For browsers, which cannot send a token with an event stream or a socket.",
    tags=["live"],
    responses=answers(Ticket, TICKET_EXAMPLE, status=201, refusals=(), said="The ticket"),
)
async def issue_ticket(request: Request[object, object, State]) -> Response[Ticket]:
    parts, live = find_parts(request)
    caller = await identify(request, parts)
    require_account(caller)
    ticket = Ticket(ticket=await live.tickets.issue(caller), expires_in_s=LIFE_S)
    return Response(ticket, headers={"cache-control": "no-store"})


@get(
    "/v1/games/{game:str}/live",
    operation_class=Described,
    operation_id="follow_game",
    summary="Follow a game",
    description="An event stream. Each event is a frame: a line of the log, and the game as a merge patch (RFC 7396) "
    "on the one before; whole in the first, without members that are null. Its id is the version, from which a reader "
    "that lost its connection goes on. 204 where nothing more can come.",
    tags=["live"],
    media_type=EVENT_STREAM,
    responses=streams(FRAME_EXAMPLE),
)
async def follow_game(
    request: Request[object, object, State],
    game: FromPath[str],
    after: After = None,
    last_event_id: LastEventId = None,
    ticket: TicketGiven = None,
) -> Response[Any]:
    _, live = find_parts(request)
    caller = await identify_reader(request, ticket)
    known = after if last_event_id is None else last_event_id
    reader = await live.hub.join(read_game_id(game), caller, after=None if known is None else StreamVersion(known))
    if reader.has_all:
        # A browser that gets this does not come again.
        live.hub.leave(reader)
        return Response(content=b"", status_code=204, headers=HEADERS)
    retry_ms = random.randint(*RETRY_MS)  # noqa: S311  spreads readers over time, hides nothing
    return Stream(stream_events(live.hub, reader, retry_ms=retry_ms), media_type=EVENT_STREAM, headers=HEADERS)


@websocket("/v1/games/{game:str}/socket")
async def follow_socket(
    socket: WebSocket[object, object, State], game: FromPath[str], after: After = None, ticket: TicketGiven = None
) -> None:
    parts, live = find_parts(socket)

    async def enter() -> tuple[Any, Caller]:
        caller = await identify_reader(socket, ticket)
        known = None if after is None else StreamVersion(after)
        return await live.hub.join(read_game_id(game), caller, after=known), caller

    await serve_socket(socket, parts, live.hub, enter)


LIVE_ROUTES: Sequence[ControllerRouterHandler] = (issue_ticket, follow_game, follow_socket)


async def identify_reader(connection: AnyConnection, ticket: str | None) -> Caller:
    parts, live = find_parts(connection)
    caller = await identify(connection, parts)
    if ticket is None:
        return caller
    found = await live.tickets.redeem(ticket)
    if found is None or parts.people.known_tokens.has_ended(found.token):
        raise NotAuthorizedException(detail="expected a ticket that was not used yet, found another", headers=CHALLENGE)
    return msgspec.structs.replace(found, network=caller.network)


def find_parts(connection: AnyConnection) -> tuple[Parts, Live]:
    state = connection.app.state
    return state[PARTS_STATE], state[LIVE_STATE]
