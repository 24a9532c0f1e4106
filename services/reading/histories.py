"""Games as they stood at any version, for readers. Once warm, any version is at most 64 lines of folding away.

Folded without the secret, unless a seat's own view is asked for: the public's view was never near it.
"""

from array import array
from bisect import bisect_right
from typing import Literal

from msgspec import Struct

from domain.game.evolve import evolve
from domain.game.kind import GAMES
from domain.game.state import Game
from domain.ids import GameId, StreamId, StreamVersion
from domain.log.entry import Entry
from domain.log.replay import read_entry, replay
from domain.ruleset.catalogue import Catalogue
from infra.event_store import READ_LINES_MAX, EventStore
from infra.recent import Recent
from services.commands.arena import read_game
from services.commands.vault import Vault

# How far apart kept states are: folding this many lines takes about a millisecond.
SPACING = 64
# Kept states over all games. They share most of their parts; a kept state adds some ten kilobytes.
STATES_MAX = 4_096

Knowing = Literal["public", "secret"]
KNOWINGS: tuple[Knowing, ...] = ("public", "secret")


class LogReplaced(Exception):
    """The database was restored to an older state while this process ran, and went on otherwise from there."""

    def __init__(self, stream: StreamId, version: StreamVersion) -> None:
        self.stream = stream
        self.version = version
        super().__init__(f"expected a line that follows on version {version} of {stream}, found one of another log")


class Moment(Struct, frozen=True, kw_only=True):
    """A game after one of its lines. It is complete where no more follows from the last command."""

    game: Game
    is_complete: bool


class Histories:
    """Reads of one process. A cache over the store: always allowed to be empty."""

    def __init__(self, *, store: EventStore, catalogue: Catalogue, vault: Vault, states_max: int = STATES_MAX) -> None:
        self._store = store
        self._catalogue = catalogue
        self._vault = vault
        self._states: Recent[tuple[StreamId, Knowing, StreamVersion], Game] = Recent(states_max)
        # The newest version folded of a game, kept in `_states`; it may be behind the log, never ahead.
        self._newest: Recent[tuple[StreamId, Knowing], StreamVersion] = Recent(states_max)
        # When each line of a game became true, for those who may see it only some time later.
        self._instants: Recent[StreamId, array[int]] = Recent(states_max)

    @property
    def states_count(self) -> int:
        return len(self._states)

    async def read_newest(self, game: GameId, knowing: Knowing = "public") -> Game:
        """Return the game with every line that is committed by now."""
        known = self._find(game, knowing, self._newest.find((game, knowing)))
        if known is None:
            return await self._read_whole(game, knowing)
        return await self._fold_on(known, knowing, upto=None)

    async def read_at(self, game: GameId, version: StreamVersion, knowing: Knowing = "public") -> Game | None:
        """Return the game just after that line, or None where it has not so many; a play may be in its middle there."""
        if version > (self._newest.find((game, knowing)) or 0):
            newest = await self.read_newest(game, knowing)
            if version >= newest.version:
                return newest if version == newest.version else None
        if version < 1:
            return None
        found = self._find(game, knowing, version)
        if found is not None:
            return found
        for place in range(version - version % SPACING, -1, -SPACING):
            known = self._find(game, knowing, StreamVersion(max(place, 1)))
            if known is not None and known.version <= version:
                return await self._fold_on(known, knowing, upto=version)
        return await self._read_whole(game, knowing, upto=version)

    async def read_range(
        self, game: GameId, first: StreamVersion, last: StreamVersion, knowing: Knowing = "public"
    ) -> list[Moment]:
        """Return the game after each line from `first` to `last`, which are there and no more than a page."""
        try:
            return await self._read_range(game, first, last, knowing)
        except LogReplaced:
            self._forget(game)
            return await self._read_range(game, first, last, knowing)

    async def _read_range(
        self, game: GameId, first: StreamVersion, last: StreamVersion, knowing: Knowing
    ) -> list[Moment]:
        now = await self.read_at(game, first, knowing)
        assert now is not None, f"{game} has no version {first}"
        # One more tells whether the last command is complete: a command's lines are committed together.
        lines = await self._store.read_stream(game, after=first, limit=last - first + 1)
        moments = []
        for raw in lines:
            entry = read_entry(GAMES, raw, now.ruleset)
            moments.append(Moment(game=now, is_complete=entry.line.kind == "input"))
            if now.version == last:
                return moments
            now = evolve_next(now, entry)
        return [*moments, Moment(game=now, is_complete=True)]

    async def find_version(self, game: GameId, *, until_ms: int) -> StreamVersion:
        """Return the last version whose line is not later than that instant; 0 if even the first one is."""
        newest = await self.read_newest(game)
        instants = self._instants.find(game)
        if instants is None or len(instants) < newest.version:
            newest = await self._read_whole(game, "public")
            instants = self._instants.find(game)
            assert instants is not None, "kept by reading the whole"
        return StreamVersion(bisect_right(instants, until_ms, hi=newest.version))

    async def _read_whole(self, stream: GameId, knowing: Knowing, *, upto: StreamVersion | None = None) -> Game:
        stored = await read_game(self._store, stream)
        secret = self._vault.open_secret(stream, stored.secret_box) if knowing == "secret" else None
        first = replay(GAMES, stored.lines[:1], self._catalogue, secret=secret)
        self._keep(first, knowing)
        self._instants.keep(stream, array("q", [first.at_ms]))
        return self._fold(first, stored.lines[1:upto], knowing)

    async def _fold_on(self, known: Game, knowing: Knowing, *, upto: StreamVersion | None) -> Game:
        try:
            return await self._read_on(known, knowing, upto=upto)
        except LogReplaced:
            self._forget(known.id)
            return await self._read_whole(known.id, knowing, upto=upto)

    async def _read_on(self, known: Game, knowing: Knowing, *, upto: StreamVersion | None) -> Game:
        game = known
        while upto is None or game.version < upto:
            limit = READ_LINES_MAX if upto is None else upto - game.version
            lines = await self._store.read_stream(known.id, after=game.version, limit=limit)
            if not lines:
                break
            game = self._fold(game, lines, knowing)
        return game

    def _fold(self, game: Game, lines: tuple[bytes, ...] | list[bytes], knowing: Knowing) -> Game:
        for raw in lines:
            game = evolve_next(game, read_entry(GAMES, raw, game.ruleset))
            instants = self._instants.find(game.id)
            if instants is not None and len(instants) == game.version - 1:
                instants.append(game.at_ms)
            if game.version % SPACING == 0:
                self._keep(game, knowing)
        self._keep_newest(game, knowing)
        return game

    def _find(self, game: GameId, knowing: Knowing, version: StreamVersion | None) -> Game | None:
        return None if version is None else self._states.find((game, knowing, version))

    def _forget(self, game: GameId) -> None:
        for place in self._states.list_keys():
            if place[0] == game:
                self._states.forget(place)
        for knowing in KNOWINGS:
            self._newest.forget((game, knowing))
        self._instants.forget(game)

    def _keep_newest(self, game: Game, knowing: Knowing) -> None:
        before = self._newest.find((game.id, knowing))
        if before is not None and before >= game.version:
            return
        if before is not None and before % SPACING and before != 1:
            self._states.forget((game.id, knowing, before))
        self._newest.keep((game.id, knowing), game.version)
        self._keep(game, knowing)

    def _keep(self, game: Game, knowing: Knowing) -> None:
        self._states.keep((game.id, knowing, game.version), game)


def evolve_next(game: Game, entry: Entry) -> Game:
    """Return the game after a line that was read later than the game. Raises LogReplaced."""
    if entry.line.prev != game.head:
        raise LogReplaced(game.id, game.version)
    return evolve(game, entry)
