"""The page of a game, with a card that names the race wherever its address is shared, and the page for frames.

A card has no more than the public sees at that moment; of a private game, or none, there is no card.
"""

from operator import itemgetter
from typing import Any

import msgspec
from litestar import Response, get
from litestar.di import NamedDependency
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from domain.game.state import Game, Held
from domain.sentences.templates import Name, tell
from infra.store_faults import StoreUnavailable
from services.api.http.answering import AnyRequest
from services.api.http.parts import GameParts, Parts
from services.api.http.ready import Ready, build_ready
from services.api.http.versions import look
from services.api.pages.web import answer_file, read_web_files
from services.commands.arena import NoSuchGame
from services.reading.access import ANYONE, Caller
from services.reading.markup import escape

TITLE = b"<title>A chariot race on Spina</title>\n"
EMBEDDERS_STATE = "embedders"


@get("/games/{game:str}", operation_id="read_game_page", include_in_schema=False)
async def read_game_page(
    request: AnyRequest,
    game: FromPath[str],
    caller: NamedDependency[Caller],  # noqa: ARG001 - a dependency on the caller counts the request
    parts: NamedDependency[Parts],
) -> Response[Any]:
    return answer_file(request, _with_card(read_web_files()["game.html"], await _find_card(parts, game)))


@get("/embed/games/{game:str}", operation_id="read_embedded_page", include_in_schema=False)
async def read_embedded_page(
    request: AnyRequest,
    game: FromPath[str],
    caller: NamedDependency[Caller],  # noqa: ARG001 - a dependency on the caller counts the request
    parts: NamedDependency[Parts],
) -> Response[Any]:
    """Answer a page without an account or a seat, which the origins of the settings may show in a frame."""
    page = _with_card(read_web_files()["embed.html"], await _find_card(parts, game))
    return answer_file(request, page, framed_by=request.app.state[EMBEDDERS_STATE])


def _with_card(page: Ready, card: bytes) -> Ready:
    if not card:
        return page
    content = page.content.replace(TITLE, card)
    return build_ready(content, page.content_type)


async def _find_card(parts: Parts, asked: str) -> bytes:
    try:
        sight = await look(parts, asked, ANYONE)
        (moment,) = await parts.games.histories.read_range(sight.game, sight.version, sight.version, "public")
        game = moment.state
        players = {seat: held.player for seat, held in enumerate(game.seats) if isinstance(held, Held)}
        found = await parts.people.accounts.find_names(set(players.values()))
    except (NoSuchGame, StoreUnavailable):
        return b""
    names = {seat: found[player] for seat, player in players.items() if player in found}
    return _build_card(parts.games, game, {seat: Name(short=name, full=name) for seat, name in names.items()})


def _build_card(games: GameParts, game: Game, names: dict[int, Name]) -> bytes:
    words = games.words[game.ruleset.name]
    title = f"{words.title}: {tell('{.}', [name.full for name in names.values()], words, {})}" if names else words.title
    about = {"open": "The race has not begun.", "running": "The race is on.", "aborted": "It ended without a result."}
    if game.status == "finished":
        ranking = sorted(msgspec.to_builtins(game.ruleset.ranking(game.board)), key=itemgetter("place"))
        told = tell(words.sentences["game_finished"], {"ranking": ranking}, words, names)
    else:
        told = about[game.status]
    return (
        f"<title>{escape(title)} · Spina</title>\n"
        f'<meta property="og:title" content="{escape(title)}">\n'
        f'<meta property="og:description" content="{escape(told)} Every die and every move can be checked.">\n'
        '<meta property="og:type" content="website">\n'
    ).encode()


GAME_PAGE_ROUTES: tuple[HTTPRouteHandler, ...] = (read_game_page, read_embedded_page)
