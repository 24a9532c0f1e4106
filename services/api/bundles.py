"""The bundle of a game, to verify it offline, and the server's own findings in it.

Both are of the game as far as the caller may see it.
"""

from hashlib import sha256
from typing import Annotated, Any

from litestar import Response, get
from litestar.di import NamedDependency
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, QueryParameter
from litestar.response import Stream
from msgspec.structs import replace

from domain.audit.bundle import bundle_name, format_bundle
from domain.audit.tournament_bundle import format_names, tournament_bundle_name
from services.api.answering import PRIVATE, PUBLIC, AnyRequest, build_headers, build_tag, has_it_already, not_modified
from services.api.documented import Described, Tagged, answers, gives
from services.api.examples import AUDIT_EXAMPLE
from services.api.parts import Parts
from services.api.tournament_finding import find_names, find_tournament, read_tournament_id
from services.api.versions import look
from services.audits.own_audits import OwnAudits
from services.audits.report import FileReport
from services.reading.access import Caller

AUDITS_STATE = "audits"
ZIP = "application/zip"
# Enough of a hash to tell two answers about one game apart.
TAG_DIGITS = 16

Since = Annotated[
    int | None,
    QueryParameter(
        description="The size of another checkpoint that you have: the bundle then proves that both are of one ledger.",
        ge=1,
        le=2**53 - 1,
    ),
]


@get(
    "/v1/games/{game:str}/bundle",
    operation_class=Tagged,
    operation_id="read_bundle",
    summary="Read the bundle: everything with which anyone can verify the game offline",
    description="A zip for `spina verify`. Of a game that is over, with its proofs, it is the same bytes for ever.",
    tags=["games"],
    responses=gives(bytes, "A bundle", ZIP),
)
async def read_bundle(
    request: AnyRequest,
    game: FromPath[str],
    caller: NamedDependency[Caller],
    parts: NamedDependency[Parts],
    audits: NamedDependency[OwnAudits],
    since: Since = None,
) -> Response[Any]:
    sight = await look(parts, game, caller)
    raw = format_bundle(await audits.bundles.build(sight.game, version=sight.version, since=since))
    tag = build_tag(sight.version, sha256(raw).hexdigest()[:TAG_DIGITS])
    headers = build_headers(caller, tag)
    if has_it_already(request, tag):
        return not_modified(headers)
    headers["content-disposition"] = f'attachment; filename="{bundle_name(sight.game)}"'
    return Response(raw, media_type=ZIP, headers=headers)


@get(
    "/v1/games/{game:str}/audit",
    operation_class=Described,
    operation_id="read_audit",
    summary="Read the server's own audit",
    description="What `spina verify` says of the bundle. Whoever does not trust this server verifies it elsewhere.",
    tags=["games"],
    responses=answers(FileReport, AUDIT_EXAMPLE, refusals=(), said="The findings"),
)
async def read_audit(
    game: FromPath[str],
    caller: NamedDependency[Caller],
    parts: NamedDependency[Parts],
    audits: NamedDependency[OwnAudits],
) -> Response[Any]:
    sight = await look(parts, game, caller)
    told = await audits.read(sight.game, sight.version, network=caller.network)
    return Response(told, headers={"cache-control": PUBLIC if caller.is_anyone else PRIVATE})


@get(
    "/v1/tournaments/{tournament:str}/bundle",
    operation_class=Described,
    operation_id="read_tournament_bundle",
    summary="Read the bundle of a tournament: its log and the bundles of all its games",
    description="A zip for `spina verify`, sent while it is written. Of games with a delay it has those that are over.",
    tags=["tournaments"],
    responses=gives(bytes, "A bundle", ZIP),
)
async def read_tournament_bundle(
    tournament: FromPath[str],
    caller: NamedDependency[Caller],
    parts: NamedDependency[Parts],
    audits: NamedDependency[OwnAudits],
    since: Since = None,
) -> Stream:
    found = read_tournament_id(tournament)
    begun = await audits.tournament_bundles.begin(found, since=since)
    names = format_names(await find_names(parts, await find_tournament(parts, found)))
    begun = replace(begun, bundle=replace(begun.bundle, names=names))
    headers = {
        "cache-control": PUBLIC if caller.is_anyone else PRIVATE,
        "content-disposition": f'attachment; filename="{tournament_bundle_name(found)}"',
    }
    return Stream(audits.tournament_bundles.write(begun), media_type=ZIP, headers=headers)


BUNDLE_ROUTES: tuple[HTTPRouteHandler, ...] = (read_bundle, read_audit, read_tournament_bundle)
