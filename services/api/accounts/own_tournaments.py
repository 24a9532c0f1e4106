"""The tournaments that an account entered, each with every notice that holds of it now."""

from collections.abc import Mapping

import msgspec
from msgspec import Struct

from domain.ids import PlayerId, StreamVersion, TournamentId
from infra.projection_store import SoughtPlaces
from projections.tournaments import NAME
from services.api.http.parts import Parts
from services.notices.composing import TournamentKind, list_current
from services.notices.content import Content

# The newest ones; more at once no player plays.
TOURNAMENTS_MAX = 10


class OwnTournament(Struct, frozen=True, kw_only=True):
    version: StreamVersion
    at_ms: int
    told: tuple[tuple[TournamentKind, Content], ...]


async def list_own_tournaments(
    parts: Parts, player: PlayerId, known: Mapping[TournamentId, OwnTournament]
) -> dict[TournamentId, OwnTournament]:
    """List an account's tournaments; one known at its newest version is not read again."""
    sought = SoughtPlaces(before=None, now_ms=None)
    rows = await parts.projections.list_places(NAME, player, sought, limit=TOURNAMENTS_MAX)
    ids = [msgspec.json.decode(row.body, type=TournamentId) for row in rows]
    versions = await parts.store.read_versions(ids) if ids else {}
    found: dict[TournamentId, OwnTournament] = {}
    for id_ in ids:
        before = known.get(id_)
        if before is None or before.version != versions.get(id_):
            newest = await parts.tournaments.histories.read_newest(id_)
            told = tuple(list_current(newest, player))
            before = OwnTournament(version=newest.version, at_ms=newest.at_ms, told=told)
        found[id_] = before
    return found
