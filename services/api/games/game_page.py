"""The page of a game, with a card that names the race wherever its address is shared, and the page for frames.

A card has no more than the public sees at that moment; of a private game, or none, there is no card. An address with
`at` has the card and the picture of that moment, which say nothing of the end.
"""

import asyncio
from operator import itemgetter
from typing import Annotated, Any

import msgspec
from litestar import Response, get
from litestar.di import NamedDependency
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, QueryParameter

from domain.game.state import Game, Held
from domain.ids import StreamVersion
from domain.sentences.templates import Name, tell
from infra.store_faults import StoreUnavailable
from services.api.http.answering import AnyRequest
from services.api.http.parts import GameParts, Parts
from services.api.http.ready import Ready, build_ready
from services.api.http.versions import NoSuchVersion, look
from services.api.pages.web import answer_file, read_web_files
from services.commands.arena import NoSuchGame
from services.reading.access import ANYONE, Caller
from services.reading.markup import escape
from services.reading.shown import show_view
from services.web.link_picture.circus import HEIGHT, WIDTH, Scene, paint
from services.web.link_picture.scenes import build_scene

TITLE = b"<title>A chariot race on Spina</title>\n"
EMBEDDERS_STATE = "embedders"
# A moment never changes; a game that is taken out of sight is soon out of the stores of others as well.
PICTURE_KEPT = "public, max-age=3600"
# The driver whom the page follows is the page's own business.
Followed = Annotated[int | None, QueryParameter(name="follow", description="The seat that the page follows.", ge=0)]
Moment = Annotated[int | None, QueryParameter(name="at", description="The event whose moment is shown.", ge=1)]


@get("/games/{game:str}", operation_id="read_game_page", include_in_schema=False)
async def read_game_page(
    request: AnyRequest,
    game: FromPath[str],
    caller: NamedDependency[Caller],  # noqa: ARG001 - a dependency on the caller counts the request
    parts: NamedDependency[Parts],
    at: Moment = None,
    follow: Followed = None,  # noqa: ARG001 - read by the page's script
) -> Response[Any]:
    card = await _find_card(parts, game, at, str(request.base_url))
    return answer_file(request, _with_card(read_web_files()["game.html"], card))


@get("/embed/games/{game:str}", operation_id="read_embedded_page", include_in_schema=False)
async def read_embedded_page(
    request: AnyRequest,
    game: FromPath[str],
    caller: NamedDependency[Caller],  # noqa: ARG001 - a dependency on the caller counts the request
    parts: NamedDependency[Parts],
    at: Moment = None,
    follow: Followed = None,  # noqa: ARG001 - read by the page's script
) -> Response[Any]:
    """Answer a page without an account or a seat, which the origins of the settings may show in a frame."""
    page = _with_card(read_web_files()["embed.html"], await _find_card(parts, game, at, str(request.base_url)))
    return answer_file(request, page, framed_by=request.app.state[EMBEDDERS_STATE])


@get("/games/{game:str}/picture.png", operation_id="read_game_picture", include_in_schema=False)
async def read_game_picture(
    game: FromPath[str],
    caller: NamedDependency[Caller],  # noqa: ARG001 - a dependency on the caller counts the request
    parts: NamedDependency[Parts],
    at: Moment = None,
) -> Response[bytes]:
    """Answer the board of a moment as a picture, as the public sees it."""
    sight = await look(parts, game, ANYONE)
    version = StreamVersion(at or sight.version)
    if version > sight.version:
        raise NoSuchVersion(expected=f"a version from 1 to {sight.version}", found=f"{version}")
    (moment,) = await parts.games.histories.read_range(sight.game, version, version, "public")
    scene = _find_scene(moment.state)
    if scene is None:
        raise NoSuchVersion(expected="a moment with a board that is drawn", found=f"version {version}")
    return Response(
        await asyncio.to_thread(paint, scene), media_type="image/png", headers={"cache-control": PICTURE_KEPT}
    )


def _with_card(page: Ready, card: bytes) -> Ready:
    if not card:
        return page
    content = page.content.replace(TITLE, card)
    return build_ready(content, page.content_type)


async def _find_card(parts: Parts, asked: str, at: int | None, base: str) -> bytes:
    try:
        sight = await look(parts, asked, ANYONE)
        version = StreamVersion(min(at or sight.version, sight.version))
        (moment,) = await parts.games.histories.read_range(sight.game, version, version, "public")
        game = moment.state
        players = {seat: held.player for seat, held in enumerate(game.seats) if isinstance(held, Held)}
        found = await parts.people.accounts.find_names(set(players.values()))
    except (NoSuchGame, StoreUnavailable):
        return b""
    names = {seat: found[player] for seat, player in players.items() if player in found}
    card = _build_card(
        parts.games, game, {seat: Name(short=name, full=name) for seat, name in names.items()}, is_past=at is not None
    )
    return card + (_build_picture(f"{base}games/{game.id}/picture.png?at={version}") if _find_scene(game) else b"")


def _build_card(games: GameParts, game: Game, names: dict[int, Name], *, is_past: bool) -> bytes:
    words = games.words[game.ruleset.name]
    title = f"{words.title}: {tell('{.}', [name.full for name in names.values()], words, {})}" if names else words.title
    about = {"open": "The race has not begun.", "running": "The race is on.", "aborted": "It ended without a result."}
    if game.status == "finished":
        ranking = sorted(msgspec.to_builtins(game.ruleset.ranking(game.board)), key=itemgetter("place"))
        told = tell(words.sentences["game_finished"], {"ranking": ranking}, words, names)
    elif game.status == "running" and is_past:
        told = "A moment of the race."
    else:
        told = about[game.status]
    return (
        f"<title>{escape(title)} · Spina</title>\n"
        f'<meta property="og:title" content="{escape(title)}">\n'
        f'<meta property="og:description" content="{escape(told)} Every die and every move can be checked.">\n'
        '<meta property="og:type" content="website">\n'
    ).encode()


def _build_picture(address: str) -> bytes:
    return (
        f'<meta property="og:image" content="{escape(address)}">\n'
        f'<meta property="og:image:width" content="{WIDTH}">\n'
        f'<meta property="og:image:height" content="{HEIGHT}">\n'
        '<meta property="og:image:alt" content="The track from above, and the drivers in their order.">\n'
        '<meta name="twitter:card" content="summary_large_image">\n'
    ).encode()


def _find_scene(game: Game) -> Scene | None:
    view = show_view(game, None)
    if not isinstance(view, dict):
        return None
    return build_scene(game.ruleset.name, view, msgspec.to_builtins(game.ruleset.ranking(game.board)))


GAME_PAGE_ROUTES: tuple[HTTPRouteHandler, ...] = (read_game_page, read_embedded_page, read_game_picture)
