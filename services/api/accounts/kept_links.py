"""Links of the caller's seats in the server's custody: kept for its other devices, and read by its account alone."""

from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, RawBody
from msgspec import Struct

from domain.ids import Hex32Field, StreamId, StreamIdField
from services.api.http.authentication import require_reader, require_scope
from services.api.http.bodies import BodyReader
from services.api.http.documented import COMMAND_REFUSALS, ForTokens, answers, takes
from services.api.http.examples import GAME
from services.api.http.parts import PeopleParts
from services.api.http.versions import read_game_id
from services.reading.access import Caller


class LinksBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A game or a tournament, and the last link of the chain with which its seat or entry is taken."""

    stream: StreamIdField
    link: Hex32Field


class LinksKept(Struct, frozen=True, kw_only=True):
    stream: StreamId


class LinksShown(Struct, frozen=True, kw_only=True):
    """`link` is null where the account keeps none for this game or tournament."""

    stream: StreamId
    link: str | None


_KEEP = BodyReader[LinksBody](LinksBody)
LINKS_EXAMPLE = {"stream": GAME, "link": "5d" * 32}
NO_STORE = {"cache-control": "no-store"}


@post(
    "/v1/account/links",
    operation_id="keep_links",
    summary="Keep the links of a seat for your other devices",
    description="The server may then know the seat's links before they are shown, as it knows actions in its custody. "
    "The first chain of a game stays.",
    tags=["players"],
    operation_class=takes(LinksBody, LINKS_EXAMPLE),
    responses=answers(LinksKept, {"stream": GAME}, status=201, refusals=COMMAND_REFUSALS, said="Kept"),
)
async def keep_links(body: RawBody, caller: NamedDependency[Caller], people: NamedDependency[PeopleParts]) -> LinksKept:
    require_scope(caller, "play")
    asked = _KEEP.read(body)
    await people.kept_links.keep(require_reader(caller), asked.stream, asked.link)
    return LinksKept(stream=asked.stream)


@get(
    "/v1/account/links/{stream:str}",
    operation_class=ForTokens,
    operation_id="read_links",
    summary="Read the links that you keep for a seat",
    description="Of a game or a tournament: the last link of the chain, from which all others follow.",
    tags=["players"],
    responses=answers(LinksShown, LINKS_EXAMPLE, refusals=(403, 404), said="Links"),
)
async def read_links(
    stream: FromPath[str], caller: NamedDependency[Caller], people: NamedDependency[PeopleParts]
) -> Response[LinksShown]:
    require_scope(caller, "play")
    player, asked = require_reader(caller), read_game_id(stream)
    link = await people.kept_links.find(player, asked)
    return Response(LinksShown(stream=asked, link=link), headers=NO_STORE)


LINK_ROUTES = (keep_links, read_links)
