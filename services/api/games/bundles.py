"""The bundle of a game, to verify it offline, and the server's own findings in it.

Both are of the game as far as the caller may see it.
"""

from hashlib import sha256
from typing import Annotated, Any

from litestar import Response, get
from litestar.di import NamedDependency
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, QueryParameter

from domain.audit.bundle import bundle_name, format_bundle
from services.api.http.answering import (
    PRIVATE,
    PUBLIC,
    AnyRequest,
    build_headers,
    build_tag,
    has_it_already,
    not_modified,
)
from services.api.http.documented import Described, Tagged, answers, gives
from services.api.http.examples import AUDIT_EXAMPLE
from services.api.http.parts import Parts
from services.api.http.versions import look
from services.audits.own_audits import OwnAudits
from services.audits.report import FileReport
from services.reading.access import Caller

AUDITS_STATE = "audits"
ZIP = "application/zip"
# Enough of a hash to distinguish two answers about one game.
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


BUNDLE_ROUTES: tuple[HTTPRouteHandler, ...] = (read_bundle, read_audit)
