"""An archive: one file for each game and tournament that is over, in a folder that verifiers read without a server."""

import os
from pathlib import Path
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from domain.audit.bundle import bundle_name, format_bundle
from domain.audit.tournament_bundle import tournament_bundle_name
from domain.ids import GameId, StreamId, TournamentId
from infra.durable_file import replace_file, sync_folder
from infra.settings import Settings
from infra.store_faults import UnknownStream
from services.audits.bundles import LAST_TYPE, Bundles
from services.audits.tournament_bundles import TournamentBundles
from services.node.export import Asked, announce_export, bundles_of, list_streams

FIRST = UUID(int=0)
# Of a file that is being written: no verifier takes it for a bundle.
UNFINISHED = ".part"


class Archived(Struct, frozen=True, kw_only=True):
    """How many files were written, were there, and wait for the checkpoint over their last line."""

    written: int = 0
    there: int = 0
    waiting: int = 0


async def archive_ended(
    settings: Settings, folder: Path, *, by: str, reason: str | None = None, database_url: str | None = None
) -> Archived:
    """Write the files that are not in the folder yet. A stopped archive is continued by the next one.

    Private games stand in the operators' record first, each with its operator and the reason.
    """
    archived = Archived()
    async with bundles_of(settings, database_url=database_url) as (queries, bundles):
        async for page in list_streams(queries, after=FIRST):
            heads = await bundles.store.read_heads(page)
            for stream in [each for each in page if heads[each].type == LAST_TYPE]:
                asked = Asked(game=GameId(stream), by=by, reason=reason, database_url=database_url)
                if any(path.exists() for path in _list_paths(folder, stream)):
                    archived = replace(archived, there=archived.there + 1)
                elif await _write(settings, bundles, asked, folder):
                    archived = replace(archived, written=archived.written + 1)
                else:
                    archived = replace(archived, waiting=archived.waiting + 1)
    return archived


def _list_paths(folder: Path, stream: StreamId) -> tuple[Path, Path]:
    """List the file of a game of this id, and that of a tournament."""
    return folder / bundle_name(GameId(stream)), folder / tournament_bundle_name(TournamentId(stream))


async def _write(settings: Settings, bundles: Bundles, asked: Asked, folder: Path) -> bool:
    """Write the file of a stream; return False where its end is not proven yet."""
    game_path, tournament_path = _list_paths(folder, asked.game)
    try:
        bundle = await bundles.build(asked.game)
    except UnknownStream:
        return await _write_tournament(TournamentBundles(bundles), TournamentId(asked.game), tournament_path)
    if bundle.last_proof is None:
        return False
    await announce_export(settings, asked, bundle)
    replace_file(game_path, format_bundle(bundle))
    return True


async def _write_tournament(bundles: TournamentBundles, tournament: TournamentId, path: Path) -> bool:
    begun = await bundles.begin(tournament)
    if begun.bundle.last_proof is None:
        return False
    part = path.with_suffix(UNFINISHED)
    with part.open("wb") as file:
        async for each in bundles.write(begun):
            file.write(each)
        file.flush()
        os.fsync(file.fileno())
    part.rename(path)
    sync_folder(path.parent)
    return True
