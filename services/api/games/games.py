"""Opening a game, and reading its boards as the caller may see them: now, after any of its events, or many at once."""

from typing import Annotated, Any

from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, QueryParameter, RawBody
from msgspec import UNSET, Struct

from domain.chance import Secret
from domain.game.commands import OpenGame
from domain.game.offers import list_named
from domain.ids import GameId, StreamId, StreamVersion
from domain.log.actors import name_actor
from domain.ruleset.catalogue import hash_components
from services.api.games.house import HouseCall, require_house
from services.api.http.answering import AnyRequest, build_headers, build_tag, has_it_already, not_modified
from services.api.http.authentication import require_actor, require_organisers
from services.api.http.bodies import BodyReader, OpenBody
from services.api.http.costs import owe_options
from services.api.http.documented import Tagged, answers, takes
from services.api.http.examples import ANSWER_EXAMPLE, GAME_EXAMPLE, OPEN_EXAMPLE
from services.api.http.parts import Parts
from services.api.http.versions import SeatAsked, look, require_version
from services.commands.arena import Answer
from services.reading.access import Caller
from services.reading.shown import GameShown, show_game

SECRET_BYTES = 32

_OPEN = BodyReader[OpenBody](OpenBody)

At = Annotated[int | None, QueryParameter(description="As it stood after this event.", ge=1)]
MinVersion = Annotated[int | None, QueryParameter(description="Wait, some seconds at most, for this event.", ge=1)]

# Boards of a large game have some tens of kilobytes; this many are about the most a page can show in a second.
BOARDS_MAX = 64
First = Annotated[int, QueryParameter(name="from", description="The first version.", ge=1)]
Last = Annotated[int | None, QueryParameter(name="to", description=f"The last one; {BOARDS_MAX} at most.", ge=1)]


@post(
    "/v1/games",
    operation_id="open_game",
    summary="Open a game",
    description="The id of the command becomes the id of the game. `options` without a field get its default; "
    "`organisers` names who may rule, each with the key that must sign their rulings, or null; "
    "each has an organiser's account.",
    tags=["games"],
    operation_class=takes(OpenBody, OPEN_EXAMPLE),
    responses=answers(Answer, ANSWER_EXAMPLE, status=201, said="Opened"),
)
async def open_game(
    request: AnyRequest, body: RawBody, caller: NamedDependency[Caller], parts: NamedDependency[Parts]
) -> Answer:
    asked = _OPEN.read(body)
    owe_options(request.scope, asked.options)
    actor = require_actor(caller)
    await require_organisers(parts.people.accounts, asked.organisers)
    await parts.rates.spend_opening(caller.account, caller.network, is_delayed=asked.delay_s > 0)
    await parts.rates.spend_offers(caller.account, caller.network, list_named(asked.offers))
    call = HouseCall(game=GameId(StreamId(asked.command)), ruleset=asked.ruleset, opener=name_actor(actor))
    await require_house(parts, call, asked.command, asked.offers, asked.stand_in, network=caller.network)
    name, _, number = asked.ruleset.partition("@")
    version = int(number)
    components = asked.components or hash_components(parts.games.catalogue.find_current(name=name, version=version))
    command = OpenGame(
        id=asked.command,
        stream=GameId(StreamId(asked.command)),
        at_ms=parts.now_ms(),
        actor=actor,
        sig=asked.sig,
        ruleset=name,
        ruleset_version=version,
        components=components,
        seats=asked.seats,
        options=asked.options,
        clock=asked.clock,
        visibility=asked.visibility,
        delay_s=asked.delay_s,
        demands=asked.demands,
        offers=asked.offers,
        stand_in=asked.stand_in or UNSET,
        organisers=dict(asked.organisers),
        ledger=parts.signer.origin,
        secret=Secret(parts.random_bytes(SECRET_BYTES)),
        leaf_key=parts.random_bytes(SECRET_BYTES).hex(),
    )
    return await parts.carry_out(command)


@get(
    "/v1/games/{game:str}",
    operation_class=Tagged,
    operation_id="read_game",
    summary="Read a game",
    description="The board as the caller may see it. `choices` has every legal answer to each decision "
    "that the game waits for, for the token of that seat's player alone; `owed` tells all callers which seats are "
    "asked. The ETag names version and viewer. Once the game is over, `seat` shows the board as that seat knew it.",
    tags=["games"],
    responses=answers(GameShown, GAME_EXAMPLE, refusals=(403, 422), said="The game"),
)
async def read_game(  # noqa: PLR0913, PLR0917  each is a part of the request
    request: AnyRequest,
    game: FromPath[str],
    caller: NamedDependency[Caller],
    parts: NamedDependency[Parts],
    at: At = None,
    min_version: MinVersion = None,
    seat: SeatAsked = None,
) -> Response[Any]:
    sight = await look(parts, game, caller, min_version=min_version, seat=seat)
    version = sight.version if at is None else require_version(sight, at)
    tag = build_tag(version, sight.viewer)
    headers = build_headers(caller, tag)
    if has_it_already(request, tag):
        return not_modified(headers)
    (moment,) = await parts.games.histories.read_range(sight.game, version, version, sight.knowledge)
    shown = show_game(moment.state, sight.seat, is_complete=moment.is_complete)
    return Response(shown, headers=headers)


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
    moments = await parts.games.histories.read_range(sight.game, first, end, sight.knowledge)
    items = tuple(show_game(moment.state, sight.seat, is_complete=moment.is_complete) for moment in moments)
    return Response(Boards(items=items, next=more), headers=headers)
