"""One stream of an account: your turn, a seat offered, a game started or over. It tells states and no history.

A reader that returns with its last id is told the newest state of each game that changed: perhaps again, never not.
"""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import ExitStack
from typing import Annotated, Any, Literal

import msgspec
from litestar import Request, Response, get
from litestar.datastructures import State
from litestar.params import HeaderParameter, QueryParameter
from litestar.response import Stream

from domain.ids import PlayerId
from infra.store_faults import StoreUnavailable
from services.api.authentication import require_reader
from services.api.documented import Described, streams
from services.api.examples import OWN_GAME_EXAMPLE
from services.api.live import EVENT_STREAM, HEADERS, TicketGiven, find_parts, identify_reader
from services.api.own_games import OwnGame, find_cursor, list_own_games
from services.api.parts import Parts
from services.reading.waiting import pause

# How late a change is told; two reads of an index for each stream.
LOOK_S = 1.0
HEARTBEAT_LOOKS = 15
# The clocks of machines differ by less: a change so long before the last id is told again.
OVERLAP_MS = 5_000
CURSOR_MAX = 2**53 - 1

Happened = Literal["your_turn", "seat_offered", "game_started", "game_over", "game_changed"]
After = Annotated[
    int | None, QueryParameter(description="`after` of your games, or the id of an event.", ge=0, le=CURSOR_MAX)
]
LastEventId = Annotated[
    int | None,
    HeaderParameter(name="Last-Event-ID", description="The same, as browsers send it.", ge=0, le=CURSOR_MAX),
]
EXAMPLE = "id: 1795003200000\nevent: your_turn\ndata: " + msgspec.json.encode(OWN_GAME_EXAMPLE).decode() + "\n\n"


@get(
    "/v1/account/events",
    operation_class=Described,
    operation_id="follow_account",
    summary="Follow your games",
    description="An event stream: `your_turn`, `seat_offered`, `game_started`, `game_over` and `game_changed`, each "
    "with the game as `GET /v1/account/games` shows it. With `after` of that, or the last id, a reader misses nothing.",
    tags=["players"],
    media_type=EVENT_STREAM,
    responses=streams(EXAMPLE),
)
async def follow_account(
    request: Request[object, object, State],
    after: After = None,
    last_event_id: LastEventId = None,
    ticket: TicketGiven = None,
) -> Response[Any]:
    parts, _ = find_parts(request)
    caller = await identify_reader(request, ticket)
    since_ms = after if last_event_id is None else last_event_id
    events = stream_own_games(parts, require_reader(caller), token=caller.token, after_ms=since_ms)
    with ExitStack() as held:
        held.enter_context(parts.account_streams.holding(caller))
        return Stream(_held(held.pop_all(), events), media_type=EVENT_STREAM, headers=HEADERS)


async def stream_own_games(
    parts: Parts, player: PlayerId, *, after_ms: int | None, token: str | None = None, look_s: float = LOOK_S
) -> AsyncGenerator[bytes, None]:
    """Yield the events of an account until the token ends or the server stops."""
    yield b"retry: 2000\n\n"
    games = await list_own_games(parts, player, {})
    since_ms = find_cursor(games) if after_ms is None else after_ms - OVERLAP_MS
    # Games of before are known already; the others are told as if they were new.
    known = {each.game: each for each in games if find_cursor([each]) <= since_ms}
    looks = 0
    while not parts.stopping.is_set() and not parts.known_tokens.has_ended(token):
        told = [encode_event(name, each) for each in games for name in list_happened(known.get(each.game), each)]
        looks = 0 if told else looks + 1
        if told:
            yield b"".join(told)
        elif looks % HEARTBEAT_LOOKS == 0:
            yield b": \n\n"
        known = {each.game: each for each in games}
        await pause(parts.stopping, look_s)
        try:
            games = await list_own_games(parts, player, known)
        except StoreUnavailable:
            return


def list_happened(before: OwnGame | None, game: OwnGame) -> list[Happened]:
    """List what has become true of a game since it was looked at before; in a game that is new, all that is."""
    if before == game:
        return []
    if game.status in ("finished", "aborted"):
        return ["game_over"] if before is None or before.status != game.status else []
    found: list[Happened] = []
    if game.is_offered and (before is None or not before.is_offered):
        found.append("seat_offered")
    if game.status == "running" and (before is None or before.status == "open"):
        found.append("game_started")
    if game.owes and (before is None or before.owes != game.owes):
        found.append("your_turn")
    if not found and (before is None or _is_changed(before, game)):
        found.append("game_changed")
    return found


def encode_event(name: Happened, game: OwnGame) -> bytes:
    return b"id: %d\nevent: %b\ndata: %b\n\n" % (find_cursor([game]), name.encode(), msgspec.json.encode(game))


def _is_changed(before: OwnGame, game: OwnGame) -> bool:
    same = msgspec.structs.replace(game, version=before.version, last_at=before.last_at)
    return same != before


async def _held(held: ExitStack, events: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    with held:
        async for each in events:
            yield each
