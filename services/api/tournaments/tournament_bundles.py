"""The bundle of a tournament, sent while it is written."""

from litestar import get
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Stream
from msgspec.structs import replace

from domain.audit.tournament_bundle import format_names, tournament_bundle_name
from services.api.games.bundles import ZIP, Since
from services.api.http.answering import PRIVATE, PUBLIC
from services.api.http.documented import Described, gives
from services.api.http.parts import Parts
from services.api.tournaments.tournament_finding import find_names, find_tournament, read_tournament_id
from services.audits.own_audits import OwnAudits
from services.reading.access import Caller


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
    names = format_names(await find_names(parts.people, await find_tournament(parts, found)))
    begun = replace(begun, bundle=replace(begun.bundle, names=names))
    headers = {
        "cache-control": PUBLIC if caller.is_anyone else PRIVATE,
        "content-disposition": f'attachment; filename="{tournament_bundle_name(found)}"',
    }
    return Stream(audits.tournament_bundles.write(begun), media_type=ZIP, headers=headers)
