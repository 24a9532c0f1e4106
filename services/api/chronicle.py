"""A game as a story in plain sentences, as far as the caller may see it; kept by a projection, so a moment behind."""

import asyncio
from typing import Annotated, Any

from litestar import Response, get
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, QueryParameter
from msgspec import Struct

from domain.ids import GameId, StreamVersion
from projections.chronicle import CHRONICLE, Sentence, place_of, version_of
from services.api.answering import AnyRequest, answer_tagged
from services.api.documented import Tagged, answers
from services.api.examples import SENTENCE_EXAMPLE
from services.api.games import At, MinVersion
from services.api.parts import Parts
from services.api.versions import look, require_version
from services.reading.access import Caller
from services.reading.waiting import PAUSE_S_FIRST, PAUSE_S_MAX, WAIT_S_MAX, pause

# A page of the story is a few screens of it, and some tens of kilobytes.
SENTENCES_MAX = 500

After = Annotated[int, QueryParameter(description="Only what came after this version.", ge=0, le=2**31 - 1)]
Limit = Annotated[int, QueryParameter(description="How many at most.", ge=1, le=SENTENCES_MAX)]


class Chronicle(Struct, frozen=True, kw_only=True):
    """`next` is the `after` of the next page; null where there are no more yet."""

    items: tuple[Sentence, ...]
    next: StreamVersion | None


class ProjectionBehind(Exception):
    """What is asked for is in the log, and not yet in what is folded from it."""

    def __init__(self, *, version: int) -> None:
        super().__init__(f"version {version} is in the log, and not yet in what is told of it")


class Pages(Struct, frozen=True, kw_only=True):
    """Which part of a story somebody asks for."""

    after: int
    limit: int
    at: int | None
    min_version: int | None


def read_pages(after: After = 0, limit: Limit = SENTENCES_MAX, at: At = None, min_version: MinVersion = None) -> Pages:
    return Pages(after=after, limit=limit, at=at, min_version=min_version)


@get(
    "/v1/games/{game:str}/chronicle",
    operation_class=Tagged,
    operation_id="read_chronicle",
    summary="Read the story",
    description="A sentence for each event, in English, and a chapter for each turn; `at` ends it after that event. "
    "Seats are told by their number: who sits there, the game says. The story is a moment behind the game; "
    "`min_version` waits for it.",
    tags=["games"],
    dependencies={"pages": Provide(read_pages, sync_to_thread=False)},
    responses=answers(Chronicle, {"items": [SENTENCE_EXAMPLE], "next": None}, refusals=(), said="The story"),
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
    if pages.min_version is not None:
        await _wait(parts, sight.game, min(pages.min_version, bound))
    # Every version has its sentence, so what is counted ends where the caller's sight does.
    count = min(pages.limit, bound - pages.after)
    if count <= 0:
        return answer_tagged(request, caller, _build_page([], None))
    rows = await parts.projections.read_places(CHRONICLE.name, sight.game, after=place_of(pages.after), limit=count)
    end = pages.after + len(rows)
    assert not rows or version_of(rows[-1].place) == end, (
        f"{sight.game} is told up to {rows[-1].place.hex()}, not {end}"
    )
    more = StreamVersion(end) if len(rows) == count and end < bound else None
    return answer_tagged(request, caller, _build_page([row.body for row in rows], more))


def _build_page(sentences: list[bytes], more: StreamVersion | None) -> bytes:
    return b'{"items":[%b],"next":%b}' % (b",".join(sentences), b"null" if more is None else b"%d" % more)


async def _wait(parts: Parts, game: GameId, version: int) -> None:
    """Return when the story is as far, or raise ProjectionBehind some seconds later."""
    loop = asyncio.get_running_loop()
    deadline_s, pause_s = loop.time() + WAIT_S_MAX, PAUSE_S_FIRST
    while await _find_told(parts, game) < version:
        if loop.time() + pause_s >= deadline_s or parts.stopping.is_set():
            raise ProjectionBehind(version=version)
        await pause(parts.stopping, pause_s)
        pause_s = min(pause_s * 2, PAUSE_S_MAX)


async def _find_told(parts: Parts, game: GameId) -> int:
    place = await parts.projections.find_last_place(CHRONICLE.name, game)
    return 0 if place is None else version_of(place)
