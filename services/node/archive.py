"""An archive: one file for each game and tournament that is over, in a folder that verifiers read without a server."""

import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from domain.audit.archive import BadArchive
from domain.audit.bundle import BundleOf, bundle_name, format_bundle, parse_bundle
from domain.audit.tournament_bundle import (
    TOURNAMENT_SIZE_MAX,
    read_tournament_bundle,
    tournament_bundle_name,
)
from domain.ids import GameId, StreamId, TournamentId
from domain.log.record import BadLine
from domain.operators.events import StreamsArchived
from infra.durable_file import replace_file, sync_folder
from infra.settings import Settings
from infra.store_faults import UnknownComponents, UnknownStream
from services.audits.bundles import LAST_TYPE, Bundles, ends_finished
from services.audits.files import StoredFile
from services.audits.tournament_audit import is_tournament_file
from services.audits.tournament_bundles import TournamentBundles
from services.commands.tournaments import NoSuchTournament
from services.node.export import bundles_of, is_hidden, list_streams
from services.node.records import announce_act, read_words

FIRST = UUID(int=0)
# Of a file that is being written: no verifier takes it for a bundle.
UNFINISHED = ".part"


class Archived(Struct, frozen=True, kw_only=True):
    """How many files were written, were there, wait for a proof; and of which streams no file can be made, and why."""

    written: int = 0
    there: int = 0
    waiting: int = 0
    damaged: tuple[str, ...] = ()


async def archive_ended(
    settings: Settings, folder: Path, *, by: str, reason: str | None = None, database_url: str | None = None
) -> Archived:
    """Write the files that are not in the folder yet. A stopped archive is continued by the next one.

    Where private games are written, the archive stands in the operators' record before the first of them.
    """
    archived, act = Archived(), StreamsArchived(**read_words(by, reason))
    async with bundles_of(settings, database_url=database_url) as (queries, bundles):
        is_on_record = False

        async def announce() -> None:
            nonlocal is_on_record
            if not is_on_record:
                await announce_act(settings, act, shown=queries, database_url=database_url)
                is_on_record = True

        async for page in list_streams(queries, after=FIRST):
            heads = await bundles.store.read_heads(page)
            for stream in [item for item in page if heads[item].type == LAST_TYPE]:
                if any(map(_is_whole, _list_paths(folder, stream))):
                    archived = replace(archived, there=archived.there + 1)
                    continue
                try:
                    is_written = await _write(bundles, GameId(stream), folder, announce=announce)
                except (NoSuchTournament, UnknownComponents, BadLine) as damage:
                    archived = replace(archived, damaged=(*archived.damaged, f"{stream}: {damage}"))
                    continue
                if is_written:
                    archived = replace(archived, written=archived.written + 1)
                else:
                    archived = replace(archived, waiting=archived.waiting + 1)
    return archived


def _is_whole(path: Path) -> bool:
    """Return whether a file has the end of its stream with its proof; another export may have put an earlier one."""
    if not path.exists():
        return False
    try:
        file = StoredFile(path, size_max=TOURNAMENT_SIZE_MAX)
        if not is_tournament_file(path):
            return _is_proven_end(parse_bundle(file))
        bundle = read_tournament_bundle(file)
        return _is_proven_end(bundle) and all(_is_proven_end(parse_bundle(game.raw)) for game in bundle.games)
    except (BadArchive, OSError):
        return False


def _is_proven_end(bundle: BundleOf[Any]) -> bool:
    return bundle.last_proof is not None and ends_finished(bundle.log[:])


def _list_paths(folder: Path, stream: StreamId) -> tuple[Path, Path]:
    """List the file of a game of this id, and that of a tournament."""
    return folder / bundle_name(GameId(stream)), folder / tournament_bundle_name(TournamentId(stream))


async def _write(bundles: Bundles, game: GameId, folder: Path, *, announce: Callable[[], Awaitable[None]]) -> bool:
    """Write the file of a stream; return False where its end is not proven yet."""
    game_path, tournament_path = _list_paths(folder, game)
    try:
        bundle = await bundles.build(game)
    except UnknownStream:
        return await _write_tournament(bundles, TournamentId(game), tournament_path)
    if bundle.last_proof is None:
        return False
    if is_hidden(bundle):
        await announce()
    replace_file(game_path, format_bundle(bundle))
    return True


async def _write_tournament(bundles: Bundles, tournament: TournamentId, path: Path) -> bool:
    of_tournaments = TournamentBundles(bundles)
    begun = await of_tournaments.begin(tournament)
    # A game that no table waits for any more may go on after its tournament.
    opened = await bundles.store.read_heads([StreamId(game) for game in begun.games])
    proofs = [await bundles.kept.find(game) for game in opened]
    if begun.bundle.last_proof is None or None in proofs:
        return False
    part = path.with_suffix(UNFINISHED)
    with part.open("wb") as file:
        async for each in of_tournaments.write(begun):
            file.write(each)
        file.flush()
        os.fsync(file.fileno())
    part.rename(path)
    sync_folder(path.parent)
    return True
