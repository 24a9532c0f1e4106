"""One stream of an account: its games, its offers, and its tournaments. It sends states, no history.

A reader that returns with its last id gets the newest state of each that changed: perhaps again, never not.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from typing import Annotated, Any, Literal

import msgspec
from litestar import Request, Response, get
from litestar.datastructures import State
from litestar.params import HeaderParameter, QueryParameter
from litestar.response import Stream
from msgspec import Struct

from domain.ids import GameId, PlayerId, TournamentId
from infra.store_faults import StoreUnavailable
from services.api.accounts.own_games import OwnGame, find_cursor, list_own_games
from services.api.accounts.own_offers import OwnOffer, list_own_offers
from services.api.accounts.own_tournaments import OwnTournament, list_own_tournaments
from services.api.games.events import NDJSON
from services.api.games.live import EVENT_STREAM, HEADERS, TicketGiven, find_parts, identify_reader
from services.api.http.authentication import require_reader
from services.api.http.documented import Described, streams
from services.api.http.examples import OWN_GAME_EXAMPLE
from services.api.http.parts import Parts
from services.notices.composing import TournamentKind
from services.notices.content import Content
from services.reading.waiting import pause

# How late a change is sent; two reads of an index for each stream.
LOOK_S = 1.0
# Tournaments are looked at every so many looks: their changes leave minutes to answer.
LOOKS_OF_TOURNAMENTS = 4
HEARTBEAT_LOOKS = 15
# The clocks of machines differ by less: a change so long before the last id is sent again.
OVERLAP_MS = 5_000
CURSOR_MAX = 2**53 - 1
# After every time; a reader without an id gets later changes alone.
NEVER_MS = 2**63

Happened = Literal["your_turn", "game_started", "game_over", "game_changed"]
OfferHappened = Literal["seat_offered", "offer_ended"]
OwnTournaments = Mapping[TournamentId, OwnTournament]
After = Annotated[
    int | None, QueryParameter(description="`after` of your games, or the id of an event.", ge=0, le=CURSOR_MAX)
]
LastEventId = Annotated[
    int | None,
    HeaderParameter(name="Last-Event-ID", description="The same, as browsers send it.", ge=0, le=CURSOR_MAX),
]


class AccountEvent(Struct, frozen=True, kw_only=True):
    """A line of the stream: a game or an offer as it stands, or a fact of a tournament. `id` is its time in ms."""

    id: int
    event: Happened | OfferHappened | TournamentKind
    data: OwnGame | OwnOffer | Content


Encode = Callable[[Sequence[AccountEvent]], bytes]
_ENCODE = msgspec.json.encode
EXAMPLE = "id: 1795003200000\nevent: your_turn\ndata: " + msgspec.json.encode(OWN_GAME_EXAMPLE).decode() + "\n\n"


def encode_sse(events: Sequence[AccountEvent]) -> bytes:
    """Encode events for a browser; without any, the time after which it comes again."""
    lines = (
        b"id: %d\nevent: %b\ndata: %b\n\n" % (event.id, event.event.encode(), _ENCODE(event.data)) for event in events
    )
    return b"".join(lines) or b"retry: 2000\n\n"


def encode_lines(events: Sequence[AccountEvent]) -> bytes:
    """Encode events as lines of JSON; without any, an empty line that keeps the connection."""
    return b"".join(_ENCODE(event) + b"\n" for event in events) or b"\n"


@get(
    "/v1/account/events",
    operation_class=Described,
    operation_id="follow_account",
    summary="Follow your games and tournaments",
    description="An event stream: `your_turn`, `game_started`, `game_over` and `game_changed` with the game, and "
    "`seat_offered` and `offer_ended` with the offer, as `GET /v1/account/games` shows them; `round_called`, "
    "`table_drawn`, `ruling`, `announced` and `organiser_called`, with a sentence and data. With `after` of that, or "
    f"the last id, a reader misses nothing. `Accept: {NDJSON}` gives lines of JSON.",
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
    is_ndjson = NDJSON in request.headers.get("accept", "")
    encode, media_type = (encode_lines, NDJSON) if is_ndjson else (encode_sse, EVENT_STREAM)
    events = stream_own_games(parts, require_reader(caller), token=caller.token, after_ms=since_ms, encode=encode)
    with ExitStack() as held:
        held.enter_context(parts.people.streams.holding(caller))
        return Stream(_held(held.pop_all(), events), media_type=media_type, headers=HEADERS)


async def stream_own_games(
    parts: Parts,
    player: PlayerId,
    *,
    after_ms: int | None,
    token: str | None = None,
    encode: Encode = encode_sse,
    look_s: float = LOOK_S,
) -> AsyncGenerator[bytes, None]:
    """Yield the events of an account until the token ends or the server stops."""
    yield encode(())
    games, offers = await list_own_games(parts, player, {}), await list_own_offers(parts, player, {})
    tournaments = await list_own_tournaments(parts, player, {})
    since_ms = NEVER_MS if after_ms is None else after_ms - OVERLAP_MS
    # What was so before is known already; the rest is sent as if it were new.
    known = {game.game: game for game in games if find_cursor([game]) <= since_ms}
    offered = {offer.game: offer for offer in offers if find_cursor([], [offer]) <= since_ms}
    entered = {id_: each for id_, each in tournaments.items() if each.at_ms <= since_ms}
    looks = looks_in_all = 0
    while not parts.stopping.is_set() and not parts.people.known_tokens.has_ended(token):
        told = [*_list_of_games(known, games), *_list_of_tournaments(entered, tournaments)]
        told += _list_of_offers(offered, offers)
        looks = 0 if told else looks + 1
        if told or looks % HEARTBEAT_LOOKS == 0:
            yield encode(told)
        known, entered = {game.game: game for game in games}, tournaments
        offered = {offer.game: offer for offer in offers}
        looks_in_all += 1
        await pause(parts.stopping, look_s)
        try:
            games, offers = await list_own_games(parts, player, known), await list_own_offers(parts, player, offered)
            if looks_in_all % LOOKS_OF_TOURNAMENTS == 0:
                tournaments = await list_own_tournaments(parts, player, entered)
        except StoreUnavailable:
            return


def _list_of_games(known: Mapping[GameId, OwnGame], games: Sequence[OwnGame]) -> Iterator[AccountEvent]:
    for game in games:
        for name in list_happened(known.get(game.game), game):
            yield AccountEvent(id=find_cursor([game]), event=name, data=game)


def _list_of_offers(known: Mapping[GameId, OwnOffer], offers: Sequence[OwnOffer]) -> Iterator[AccountEvent]:
    for each in offers:
        if each.game not in known:
            yield AccountEvent(id=find_cursor([], [each]), event="seat_offered", data=each)
    ended = known.keys() - {offer.game for offer in offers}
    for game, each in known.items():
        if game in ended:
            yield AccountEvent(id=find_cursor([], [each]), event="offer_ended", data=each)


def _list_of_tournaments(known: OwnTournaments, tournaments: OwnTournaments) -> Iterator[AccountEvent]:
    for id_, each in tournaments.items():
        before = known.get(id_)
        for kind, told in each.told:
            if before is None or (kind, told) not in before.told:
                yield AccountEvent(id=each.at_ms, event=kind, data=told)


def list_happened(before: OwnGame | None, game: OwnGame) -> list[Happened]:
    """List what has become true of a game since it was looked at before; in a game that is new, all that is."""
    if before == game:
        return []
    if game.status in ("finished", "aborted"):
        return ["game_over"] if before is None or before.status != game.status else []
    found: list[Happened] = []
    if game.status == "running" and (before is None or before.status == "open"):
        found.append("game_started")
    if game.owes and (before is None or before.owes != game.owes):
        found.append("your_turn")
    if not found and (before is None or _is_changed(before, game)):
        found.append("game_changed")
    return found


def _is_changed(before: OwnGame, game: OwnGame) -> bool:
    same = msgspec.structs.replace(game, version=before.version, last_at=before.last_at)
    return same != before


async def _held(held: ExitStack, events: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    with held:
        async for event in events:
            yield event
