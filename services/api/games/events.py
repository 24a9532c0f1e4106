"""The lines of a game's log: as JSON, byte for byte as they are stored, or in plain sentences."""

from typing import Annotated, Any

import msgspec
from litestar import Response, get
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, QueryParameter
from msgspec import Struct

from domain.ids import PlayerId, StreamId, StreamVersion
from domain.log.record import Line, parse_line
from domain.sentences.words import Weight, Words, tell_line
from projections.opening import read_opening
from services.api.games.games import At, MinVersion
from services.api.http.answering import (
    AnyRequest,
    answer_tagged,
    build_headers,
    build_tag,
    has_it_already,
    not_modified,
)
from services.api.http.documented import Tagged, answers
from services.api.http.examples import LINE_EXAMPLE, SENTENCE_EXAMPLE
from services.api.http.parts import Parts
from services.api.http.versions import look, require_version
from services.reading.access import Caller

NDJSON = "application/x-ndjson"
# A page of a running game is small; a whole game of some thousand lines takes a few pages.
EVENTS_MAX = 1_000
# No page is larger than this by more than one line, however long its lines are.
PAGE_BYTES_MAX = 2 * 1024 * 1024

# Versions are counted in 32 bits where they are stored.
After = Annotated[int, QueryParameter(description="Only what came after this version.", ge=0, le=2**31 - 1)]
Limit = Annotated[int, QueryParameter(description="How many at most.", ge=1, le=EVENTS_MAX)]

# A page is a few screens, and some tens of kilobytes.
SENTENCES_MAX = 500
SentenceLimit = Annotated[int, QueryParameter(description="How many at most.", ge=1, le=SENTENCES_MAX)]


class Events(Struct, frozen=True, kw_only=True):
    """`next` is the `after` of the next page; null where there are no more yet."""

    items: tuple[Line, ...]
    next: StreamVersion | None


class Page(Struct, frozen=True, kw_only=True):
    """The requested lines of a stream, where `version` is the last that the caller may see."""

    stream: StreamId
    version: StreamVersion
    path: str
    after: int
    limit: int


@get(
    "/v1/games/{game:str}/events",
    operation_class=Tagged,
    operation_id="read_events",
    summary="Read the log",
    description=f"`Accept: {NDJSON}` gives the stored lines byte for byte: the SHA-256 of each is the next one's "
    "`prev`. A `link` header names the next page.",
    tags=["games"],
    responses=answers(Events, {"items": [LINE_EXAMPLE], "next": None}, refusals=(), said="Lines of the log"),
)
async def read_events(
    request: AnyRequest,
    game: FromPath[str],
    caller: NamedDependency[Caller],
    parts: NamedDependency[Parts],
    after: After = 0,
    limit: Limit = EVENTS_MAX,
) -> Response[Any]:
    sight = await look(parts, game, caller)
    path = f"/v1/games/{sight.game}/events"
    page = Page(stream=sight.game, version=sight.version, path=path, after=after, limit=limit)
    return await answer_lines(request, caller, parts, page)


async def answer_lines(request: AnyRequest, caller: Caller, parts: Parts, page: Page) -> Response[Any]:
    """Answer with stored lines, in the form asked for."""
    count = min(page.limit, page.version - page.after)
    lines: list[bytes] = []
    if count > 0:
        lines = _cut(await parts.store.read_stream(page.stream, after=StreamVersion(page.after), limit=count))
    end = page.after + len(lines)
    more = StreamVersion(end) if lines and end < page.version else None
    is_ndjson = NDJSON in request.headers.get("accept", "")
    tag = build_tag(f"{page.after}-{end}-{more or 'end'}", "lines" if is_ndjson else "items")
    headers = build_headers(caller, tag)
    if more is not None:
        headers["link"] = f'<{page.path}?after={more}&limit={page.limit}>; rel="next"'
    if has_it_already(request, tag):
        return not_modified(headers)
    if is_ndjson:
        return Response(b"".join(line + b"\n" for line in lines), media_type=NDJSON, headers=headers)
    items = b'{"items":[%b],"next":%b}' % (b",".join(lines), b"null" if more is None else b"%d" % more)
    return Response(items, media_type="application/json", headers=headers)


def _cut(lines: list[bytes]) -> list[bytes]:
    """Keep as many lines as fit a page; at least the first."""
    size = 0
    for place, line in enumerate(lines):
        size += len(line)
        if size > PAGE_BYTES_MAX and place:
            return lines[:place]
    return lines


class Sentence(Struct, frozen=True, kw_only=True):
    """The sentence of one line. `player` has sat down, where a player has."""

    version: StreamVersion
    at: str
    text: str
    weight: Weight
    player: PlayerId | None


class Chronicle(Struct, frozen=True, kw_only=True):
    """`next` is the `after` of the next page; null where there are no more yet."""

    items: tuple[Sentence, ...]
    next: StreamVersion | None


class Pages(Struct, frozen=True, kw_only=True):
    """The part of a chronicle asked for."""

    after: int
    limit: int
    at: int | None
    min_version: int | None


def read_pages(
    after: After = 0, limit: SentenceLimit = SENTENCES_MAX, at: At = None, min_version: MinVersion = None
) -> Pages:
    return Pages(after=after, limit=limit, at=at, min_version=min_version)


@get(
    "/v1/games/{game:str}/chronicle",
    operation_class=Tagged,
    operation_id="read_chronicle",
    summary="Read the chronicle",
    description="A sentence for each event, in English; `at` ends it after that event. One of the weight `turn` begins "
    "a chapter, and `quiet` ones are for the curious. Seats are told by their number: the game says who sits there.",
    tags=["games"],
    dependencies={"pages": Provide(read_pages, sync_to_thread=False)},
    responses=answers(Chronicle, {"items": [SENTENCE_EXAMPLE], "next": None}, refusals=(), said="The chronicle"),
)
async def read_chronicle(
    request: AnyRequest,
    game: FromPath[str],
    caller: NamedDependency[Caller],
    parts: NamedDependency[Parts],
    pages: NamedDependency[Pages],
) -> Response[Any]:
    sight = await look(parts, game, caller, min_version=pages.min_version)
    bound = sight.version if pages.at is None else require_version(sight, pages.at)
    count = min(pages.limit, bound - pages.after)
    lines: list[bytes] = []
    if count > 0:
        lines = await parts.store.read_stream(sight.game, after=StreamVersion(pages.after), limit=count)
    words = await _find_words(parts, sight.game)
    end = pages.after + len(lines)
    more = StreamVersion(end) if lines and end < bound else None
    items = tuple(_tell(words, parse_line(raw)) for raw in lines)
    return answer_tagged(request, caller, msgspec.json.encode(Chronicle(items=items, next=more)))


async def _find_words(parts: Parts, game: StreamId) -> Words:
    (first,) = await parts.store.read_stream(game, after=StreamVersion(0), limit=1)
    opening = read_opening(parse_line(first))
    assert opening is not None, f"{game} is a game"
    return parts.games.words[opening.ruleset.name]


def _tell(words: Words, line: Line) -> Sentence:
    told = tell_line(words, line)
    player = line.data.get("player") if line.type == "seat_taken" else None
    return Sentence(
        version=line.version,
        at=line.at,
        text=told.text,
        weight=told.weight,
        player=PlayerId(player) if isinstance(player, str) else None,
    )
