"""Reading one tournament: its terms, standings, tables and next steps. All of it is public."""

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any

import msgspec
from litestar import Response, get
from litestar.di import NamedDependency
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, QueryParameter
from msgspec import Struct
from msgspec.structs import replace

from domain.tournament.formats import ROUNDS_MAX
from domain.tournament.state import Tournament
from services.api.games.events import EVENTS_MAX, NDJSON, After, Events, Limit, Page, answer_lines
from services.api.http.answering import AnyRequest, answer_tagged
from services.api.http.authentication import require_reader
from services.api.http.documented import Tagged, TaggedForTokens, answers
from services.api.http.parts import Parts
from services.api.tournaments.tournament_examples import (
    DEADLINES_EXAMPLE,
    ENTRANTS_EXAMPLE,
    EVENTS_EXAMPLE,
    NEXT_EXAMPLE,
    PAIRINGS_EXAMPLE,
    STANDINGS_EXAMPLE,
    TOURNAMENT_EXAMPLE,
)
from services.api.tournaments.tournament_finding import (
    AfterVersion,
    At,
    MinVersion,
    find_names,
    find_tournament,
    read_tournament_id,
    wait_for_tournament,
)
from services.reading.access import Caller
from services.reading.tournaments.calendar import Calendar, Next, find_missing, find_next, list_deadlines
from services.reading.tournaments.kept_pages import PageOf
from services.reading.tournaments.pairings import Pairings, show_pairings
from services.reading.tournaments.sentences import Names
from services.reading.tournaments.shown import (
    Entrants,
    Standings,
    TournamentShown,
    show_entrants,
    show_standings,
    show_tournament,
)

RoundAsked = Annotated[int | None, QueryParameter(name="round", description="This round alone.", ge=1, le=ROUNDS_MAX)]

MINUTE_MS = 60_000


@get(
    "/v1/tournaments/{tournament:str}",
    operation_class=Tagged,
    operation_id="read_tournament",
    summary="Read a tournament",
    description="Its terms, how far it is, and every ruling with what it changed.",
    tags=["tournaments"],
    responses=answers(TournamentShown, TOURNAMENT_EXAMPLE, refusals=(), said="The tournament"),
)
async def read_tournament(
    request: AnyRequest,
    tournament: FromPath[str],
    caller: NamedDependency[Caller],
    parts: NamedDependency[Parts],
    at: At = None,
    min_version: MinVersion = None,
) -> Response[Any]:
    found = await find_tournament(parts, tournament, at=at, min_version=min_version, caller=caller)
    return answer_tagged(request, caller, await _read_page(parts, found, _name(found, "tournament"), show_tournament))


@get(
    "/v1/tournaments/{tournament:str}/entrants",
    operation_class=Tagged,
    operation_id="read_entrants",
    summary="Read who entered",
    description="With the links that an entrant needs at a check-in, and whether each has checked in.",
    tags=["tournaments"],
    responses=answers(Entrants, ENTRANTS_EXAMPLE, refusals=(), said="The entrants, in order of entering"),
)
async def read_entrants(
    request: AnyRequest,
    tournament: FromPath[str],
    caller: NamedDependency[Caller],
    parts: NamedDependency[Parts],
    at: At = None,
) -> Response[Any]:
    found = await find_tournament(parts, tournament, at=at)
    return answer_tagged(request, caller, await _read_page(parts, found, _name(found, "entrants"), show_entrants))


@get(
    "/v1/tournaments/{tournament:str}/standings",
    operation_class=Tagged,
    operation_id="read_standings",
    summary="Read the standings",
    description="Best first, with every number that decides.",
    tags=["tournaments"],
    responses=answers(Standings, STANDINGS_EXAMPLE, refusals=(), said="The standings"),
)
async def read_standings(
    request: AnyRequest,
    tournament: FromPath[str],
    caller: NamedDependency[Caller],
    parts: NamedDependency[Parts],
    at: At = None,
) -> Response[Any]:
    found = await find_tournament(parts, tournament, at=at)
    return answer_tagged(request, caller, await _read_page(parts, found, _name(found, "standings"), show_standings))


@get(
    "/v1/tournaments/{tournament:str}/pairings",
    operation_class=Tagged,
    operation_id="read_pairings",
    summary="Read the pairings",
    description="Who met whom, in which game, with the numbers the draw went by and what the table counts.",
    tags=["tournaments"],
    responses=answers(Pairings, PAIRINGS_EXAMPLE, refusals=(), said="Rounds and their tables"),
)
async def read_pairings(
    request: AnyRequest,
    tournament: FromPath[str],
    caller: NamedDependency[Caller],
    parts: NamedDependency[Parts],
    at: At = None,
    round_: RoundAsked = None,
) -> Response[Any]:
    found = await find_tournament(parts, tournament, at=at)
    page, show = _name(found, "pairings", round_=round_), partial(show_pairings, round_=round_)
    return answer_tagged(request, caller, await _read_page(parts, found, page, show))


@get(
    "/v1/tournaments/{tournament:str}/next",
    operation_class=TaggedForTokens,
    operation_id="read_next",
    summary="Read what is next for you",
    description="For a player: whether to enter, to check in or to wait, or in which game to sit down where. With "
    "`after` the answer waits for the next change of the tournament, some seconds at most.",
    tags=["tournaments"],
    responses=answers(Next, NEXT_EXAMPLE, refusals=(403,), said="What is next"),
)
async def read_next(
    request: AnyRequest,
    tournament: FromPath[str],
    caller: NamedDependency[Caller],
    parts: NamedDependency[Parts],
    after: AfterVersion = None,
) -> Response[Any]:
    player = require_reader(caller)
    found = await wait_for_tournament(parts, read_tournament_id(tournament), after and after + 1, caller)
    return answer_tagged(request, caller, find_next(found, player))


@get(
    "/v1/tournaments/{tournament:str}/deadlines",
    operation_class=Tagged,
    operation_id="read_deadlines",
    summary="Read the calendar of deadlines",
    description="Who has to check in, to sit down or to get ready, and until when. A table whose game has begun is not "
    "listed; a delayed game is told as it was then.",
    tags=["tournaments"],
    responses=answers(Calendar, DEADLINES_EXAMPLE, refusals=(), said="What is due, in order of time"),
)
async def read_deadlines(
    request: AnyRequest, tournament: FromPath[str], caller: NamedDependency[Caller], parts: NamedDependency[Parts]
) -> Response[Any]:
    found = await find_tournament(parts, tournament)
    missing = await find_missing(found, store=parts.store, histories=parts.games.histories, now_ms=parts.now_ms())
    return answer_tagged(request, caller, list_deadlines(found, missing))


@get(
    "/v1/tournaments/{tournament:str}/events",
    operation_class=Tagged,
    operation_id="read_tournament_events",
    summary="Read the log of a tournament",
    description=f"`Accept: {NDJSON}` gives the stored lines byte for byte: the SHA-256 of each is the next one's "
    "`prev`. A `link` header names the next page.",
    tags=["tournaments"],
    responses=answers(Events, EVENTS_EXAMPLE, refusals=(), said="Lines of the log"),
)
async def read_tournament_events(
    request: AnyRequest,
    tournament: FromPath[str],
    caller: NamedDependency[Caller],
    parts: NamedDependency[Parts],
    after: After = 0,
    limit: Limit = EVENTS_MAX,
) -> Response[Any]:
    found = await find_tournament(parts, tournament)
    path = f"/v1/tournaments/{found.id}/events"
    page = Page(stream=found.id, version=found.version, path=path, after=after, limit=limit)
    return await answer_lines(request, caller, parts, page)


def _name(tournament: Tournament, name: str, *, round_: int | None = None) -> PageOf:
    return PageOf(tournament=tournament.id, version=tournament.version, name=name, round=round_)


async def _read_page(
    parts: Parts, tournament: Tournament, page: PageOf, show: Callable[[Tournament, Names], Struct]
) -> bytes:
    """Show a page, or return it as it was shown before, after this event and within this minute."""
    kept, page = parts.tournaments.pages, replace(page, minute=parts.now_ms() // MINUTE_MS)
    body = kept.find(page)
    if body is None:
        body = msgspec.json.encode(show(tournament, await find_names(parts.people, tournament)))
        kept.keep(page, body)
    return body


READ_ROUTES: tuple[HTTPRouteHandler, ...] = (
    read_tournament,
    read_entrants,
    read_standings,
    read_pairings,
    read_next,
    read_deadlines,
    read_tournament_events,
)
