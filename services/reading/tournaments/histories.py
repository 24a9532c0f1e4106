"""Tournaments as they stood at any version, for readers: folded without the secret, as any outsider would."""

from domain.ids import StreamVersion, TournamentId
from domain.log.replay import is_of, read_entry, replay
from domain.tournament.evolve import evolve, settle
from domain.tournament.kind import TOURNAMENTS
from domain.tournament.state import Tournament
from infra.event_store import READ_LINES_MAX, EventStore
from infra.recent import Recent
from services.commands.tournaments import NoSuchTournament
from services.reading.histories import LogReplaced
from services.reading.tournaments.kept_pages import KeptPages

# A folded tournament of 2,000 is some megabytes; only a few at a time have readers.
TOURNAMENTS_KEPT_MAX = 32


class TournamentHistories:
    """Reads of one process. A cache over the store: always allowed to be empty."""

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self._newest: Recent[TournamentId, Tournament] = Recent(TOURNAMENTS_KEPT_MAX)
        self.pages = KeptPages()

    async def read_newest(self, tournament: TournamentId) -> Tournament:
        """Return the tournament with every line that is committed by now. Raises NoSuchTournament."""
        stream = tournament
        known = self._newest.find(stream)
        found = await (self._read(tournament, None) if known is None else self._read_on(known))
        newest = self._newest.find(stream)
        # Another task may have come further meanwhile.
        if newest is None or newest.version <= found.version:
            self._newest.keep(stream, found)
        return found

    async def read_at(self, tournament: TournamentId, version: StreamVersion) -> Tournament | None:
        """Return the tournament just after that line, or None where it has not so many."""
        newest = await self.read_newest(tournament)
        if version >= newest.version:
            return newest if version == newest.version else None
        return await self._read(tournament, version)

    async def _read_on(self, known: Tournament) -> Tournament:
        try:
            return await self._fold_on(known, None)
        except LogReplaced:
            self._newest.forget(known.id)
            return await self._read(known.id, None)

    async def _read(self, tournament: TournamentId, upto: StreamVersion | None) -> Tournament:
        first = await self._store.read_stream(tournament, after=StreamVersion(0), limit=1)
        if not first or not is_of(TOURNAMENTS, first[0]):
            raise NoSuchTournament(expected="the id of a tournament", found=tournament)
        return await self._fold_on(replay(TOURNAMENTS, first), upto)

    async def _fold_on(self, known: Tournament, upto: StreamVersion | None) -> Tournament:
        state = known
        while upto is None or state.version < upto:
            limit = READ_LINES_MAX if upto is None else min(READ_LINES_MAX, upto - state.version)
            lines = await self._store.read_stream(known.id, after=state.version, limit=limit)
            for entry in (read_entry(TOURNAMENTS, raw) for raw in lines):
                if entry.line.prev != state.head:
                    raise LogReplaced(known.id, state.version)
                state = evolve(state, entry)
            if len(lines) < limit:
                break
        return state if state is known else settle(state)
