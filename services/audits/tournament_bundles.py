"""Bundles of stored tournaments: the log with its proofs, and the bundle of every game that was opened for it."""

import asyncio
from contextlib import suppress

from domain.audit.bundle import format_bundle
from domain.audit.tournament_bundle import GameMember, TournamentBundle, build_howto, list_games
from domain.ids import GameId, TournamentId
from domain.tournament.events import TournamentOpened
from domain.tournament.lines import read_line
from infra.store_faults import UnknownGame
from services.audits.bundles import Bundles, read_lines
from services.tournaments.commanding import NoSuchTournament, stream_of

# Games read at a time: each is a few reads of the store, between which others are answered.
TOGETHER_MAX = 8


class TournamentBundles:
    """One is built at a time in a process: that of a large tournament has some hundred megabytes."""

    def __init__(self, bundles: Bundles) -> None:
        self._bundles = bundles
        # Guards nothing: it bounds what is in memory at once.
        self._turn = asyncio.Lock()

    async def build(self, tournament: TournamentId) -> TournamentBundle:
        """Bundle all there is of a tournament. Raises NoSuchTournament, UnknownComponents and StoreUnavailable."""
        async with self._turn:
            return await self._build(tournament)

    async def _build(self, tournament: TournamentId) -> TournamentBundle:
        stream, store = stream_of(tournament), self._bundles.store
        lines = [line async for line in read_lines(store, stream, None)]
        opened = read_line(lines[0]).event if lines else None
        if not isinstance(opened, TournamentOpened):
            raise NoSuchTournament(expected="the id of a tournament", found=tournament)
        log = b"".join(line + b"\n" for line in lines)
        games = list_games(log)
        members: list[GameMember] = []
        for start in range(0, len(games), TOGETHER_MAX):
            found = await asyncio.gather(*map(self._find_member, games[start : start + TOGETHER_MAX]))
            members += [each for each in found if each is not None]
        kept = await self._bundles.find_proofs(stream, log)
        return TournamentBundle(
            log=log,
            components=await store.read_components(opened.ruleset.components),
            howto=build_howto(tournament),
            games=tuple(members),
            last_proof=None if kept is None else kept.last_proof,
            first_seat_proof=None if kept is None else kept.first_seat_proof,
            policy=None if kept is None else kept.policy,
        )

    async def _find_member(self, game: GameId) -> GameMember | None:
        # A table may have been drawn again, or walked over, before its game was opened.
        with suppress(UnknownGame):
            return GameMember(game=game, raw=format_bundle(await self._bundles.build(game)))
        return None
