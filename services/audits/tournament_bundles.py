"""Bundles of stored tournaments: the log with its proofs, and the bundle of every game opened for it.

A large one has hundreds of megabytes, so it is written while it is sent, some games at a time.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress

from msgspec import Struct

from domain.audit.archive import ArchiveWriter
from domain.audit.bundle import format_bundle
from domain.audit.reading import read_opening
from domain.audit.tournament_bundle import (
    GameMember,
    TournamentBundle,
    build_howto,
    file_game,
    list_games,
    list_own_members,
)
from domain.ids import GameId, TournamentId
from domain.tournament.events import TournamentOpened
from domain.tournament.kind import TOURNAMENTS
from infra.store_faults import UnknownStream
from services.audits.bundles import Bundles, is_finished, read_lines
from services.commands.tournaments import NoSuchTournament

# Games read at a time: each is a few reads of the store, between which others are answered.
TOGETHER_MAX = 8


class BegunBundle(Struct, frozen=True, kw_only=True):
    """A bundle without its games, with the list of them. `is_delayed`: running ones are not for every caller."""

    bundle: TournamentBundle
    games: Sequence[GameId]
    is_delayed: bool


class TournamentBundles:
    """One for a process of the server."""

    def __init__(self, bundles: Bundles) -> None:
        self._bundles = bundles
        # Guards nothing: it bounds how many games are in memory at once, however many read.
        self._turn = asyncio.Lock()

    async def begin(self, tournament: TournamentId, *, since: int | None = None) -> BegunBundle:
        """Read all but the games. Raises NoSuchTournament, UnknownComponents and StoreUnavailable.

        `since` is the size of another checkpoint of its reader's.
        """
        store = self._bundles.store
        lines = [line async for line in read_lines(store, tournament, None)]
        opened: TournamentOpened | None = read_opening(TOURNAMENTS, lines[0]) if lines else None
        if opened is None:
            raise NoSuchTournament(expected="the id of a tournament", found=tournament)
        log = b"".join(line + b"\n" for line in lines)
        components = await store.read_components(opened.ruleset.components)
        bundle = TournamentBundle(log=log, components=components, howto=build_howto(tournament), games=())
        bundle = await self._bundles.prove(tournament, bundle, since=since)
        return BegunBundle(bundle=bundle, games=list_games(log), is_delayed=opened.delay_s > 0)

    async def write(self, begun: BegunBundle) -> AsyncIterator[bytes]:
        """Yield the whole file, part by part. Raises UnknownComponents and StoreUnavailable."""
        writer = ArchiveWriter()
        for member in list_own_members(begun.bundle):
            yield writer.add(member)
        for start in range(0, len(begun.games), TOGETHER_MAX):
            together = begun.games[start : start + TOGETHER_MAX]
            async with self._turn:
                found = await asyncio.gather(*(self._find_member(game, begun) for game in together))
            for game in found:
                if game is not None:
                    yield writer.add(file_game(game))
        yield writer.end()

    async def _find_member(self, game: GameId, begun: BegunBundle) -> GameMember | None:
        # A table may have been drawn again, or walked over, before its game was opened.
        with suppress(UnknownStream):
            bundle = await self._bundles.build(game)
            if is_finished(bundle) or not begun.is_delayed:
                return GameMember(game=game, raw=format_bundle(bundle))
        return None
