"""The lines of a game's log: as JSON, or byte for byte as they are stored, one a line."""

from typing import Annotated, Any

from litestar import Response, get
from litestar.di import NamedDependency
from litestar.params import FromPath, QueryParameter
from msgspec import Struct

from domain.ids import StreamId, StreamVersion
from domain.log.record import Line
from services.api.answering import AnyRequest, build_headers, build_tag, has_it_already, not_modified
from services.api.documented import Tagged, answers
from services.api.examples import LINE_EXAMPLE
from services.api.parts import Parts
from services.api.versions import look
from services.reading.access import Caller

NDJSON = "application/x-ndjson"
# A page of a running game is small; a whole game of some thousand lines takes a few pages.
EVENTS_MAX = 1_000
# No page is larger than this by more than one line, however long its lines are.
PAGE_BYTES_MAX = 2 * 1024 * 1024

# Versions are counted in 32 bits where they are stored.
After = Annotated[int, QueryParameter(description="Only what came after this version.", ge=0, le=2**31 - 1)]
Limit = Annotated[int, QueryParameter(description="How many at most.", ge=1, le=EVENTS_MAX)]


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
    """Answer with stored lines, in the form that is asked for."""
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
