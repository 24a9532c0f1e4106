"""Streams as they stood at any version, for readers and live boards: each line is folded once for each knowledge.

Folded without the secret, unless a seat's own view is asked for: the public's view was never near it.
"""

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import Generic, Literal

from msgspec import Struct

from domain.game.state import Game
from domain.ids import StreamId, StreamVersion
from domain.log.entry import Entry
from domain.log.replay import read_entry, replay
from domain.log.state import State
from domain.ruleset.catalogue import Catalogue
from infra.event_store import READ_LINES_MAX, EventStore
from infra.recent import Recent
from services.commands.arena import GAME_COMMANDING
from services.commands.commanding import Commanding, read_stored
from services.commands.vault import Vault

# How far apart kept states of a game are: folding this many lines takes about a millisecond.
SPACING = 64
# So many newest states, and as many earlier ones. They share most of their parts; each adds some ten kilobytes.
STATES_MAX = 4_096

Knowledge = Literal["public", "secret"]
KNOWLEDGES: tuple[Knowledge, ...] = ("public", "secret")


class LogReplaced(Exception):
    """The database was restored to an older state while this process ran, and went on otherwise from there."""

    def __init__(self, stream: StreamId, version: StreamVersion) -> None:
        self.stream = stream
        self.version = version
        super().__init__(f"expected a line that follows on version {version} of {stream}, found one of another log")


class Moment(Struct, Generic[State], frozen=True, kw_only=True):
    """A stream just after a line. It is complete where no more follows from the last command."""

    line: bytes
    state: State
    is_complete: bool


class Histories(Generic[State]):
    """The folded streams of one kind in one process. A cache over the store: always allowed to be empty."""

    def __init__(
        self,
        commanding: Commanding[State],
        *,
        store: EventStore,
        catalogue: Catalogue | None,
        vault: Vault | None,
        spacing: int,
        states_max: int,
    ) -> None:
        self._commanding = commanding
        self._kind = commanding.kind
        self._store = store
        self._catalogue = catalogue
        self._vault = vault
        self._spacing = spacing
        # The newest state folded of a stream; it may be behind the log, never ahead.
        self._newest: Recent[tuple[StreamId, Knowledge], State] = Recent(states_max)
        # The first state, and those at multiples of the spacing.
        self._spaced: Recent[tuple[StreamId, Knowledge, StreamVersion], State] = Recent(states_max)
        # When each line of a stream became true, for those who may see it only some time later.
        self._instants: Recent[StreamId, array[int]] = Recent(states_max)

    @property
    def states_count(self) -> int:
        return len(self._newest) + len(self._spaced)

    async def read_newest(self, stream: StreamId, knowledge: Knowledge = "public") -> State:
        """Return the state with every line committed by now."""
        known = self._newest.find((stream, knowledge))
        if known is None:
            return await self._read_whole(stream, knowledge)
        return await self._fold_on(known, knowledge, upto=None)

    async def read_at(self, stream: StreamId, version: StreamVersion, knowledge: Knowledge = "public") -> State | None:
        """Return the state just after that line, maybe amid a command; None where the stream has not so many."""
        newest = self._newest.find((stream, knowledge))
        if newest is None or version > newest.version:
            newest = await self.read_newest(stream, knowledge)
        if version >= newest.version:
            return newest if version == newest.version else None
        if version < 1:
            return None
        for place in range(version - version % self._spacing, -1, -self._spacing):
            known = self._spaced.find((stream, knowledge, StreamVersion(max(place, 1))))
            if known is not None:
                return await self._fold_on(known, knowledge, upto=version)
        return await self._read_whole(stream, knowledge, upto=version)

    async def read_range(
        self, stream: StreamId, first: StreamVersion, last: StreamVersion, knowledge: Knowledge = "public"
    ) -> list[Moment[State]]:
        """Return the moments from `first` to `last`, which are there and no more than a page."""
        try:
            return await self._read_range(stream, first, last, knowledge)
        except LogReplaced:
            self._forget(stream)
            return await self._read_range(stream, first, last, knowledge)

    async def find_version(self, stream: StreamId, *, until_ms: int) -> StreamVersion:
        """Return the last version whose line is not later than that instant; 0 if even the first one is."""
        newest = await self.read_newest(stream)
        instants = self._instants.find(stream)
        if instants is None or len(instants) < newest.version:
            newest = await self._read_whole(stream, "public")
            instants = self._instants.find(stream)
            assert instants is not None, "kept by reading the whole"
        return StreamVersion(bisect_right(instants, until_ms, hi=newest.version))

    def find_instant(self, stream: StreamId, version: StreamVersion) -> int | None:
        """Return the instant of a line, where this process remembers it."""
        instants = self._instants.find(stream)
        return instants[version - 1] if instants is not None and version <= len(instants) else None

    def parse(self, state: State, raws: Iterable[bytes]) -> Iterator[Entry]:
        """Read stored lines of the stream that a state is of."""
        ruleset = self._kind.find_ruleset(state)
        return (read_entry(self._kind, raw, ruleset) for raw in raws)

    def go_on(
        self, known: State, entries: Sequence[Entry], knowledge: Knowledge, *, count: int | None = None
    ) -> list[Moment[State]]:
        """Return the moments after a state: those of committed lines, or of as many of them as are counted.

        A line beyond the count, and the end of the lines, show that a command is complete. Raises LogReplaced.
        """
        moments = []
        for place, state in enumerate(self._evolve(known, entries[:count], knowledge)):
            moments.append(Moment(line=entries[place].raw, state=state, is_complete=_is_last(entries, place)))
        if moments:
            self._keep_newest(moments[-1].state, knowledge)
        return moments

    async def _read_range(
        self, stream: StreamId, first: StreamVersion, last: StreamVersion, knowledge: Knowledge
    ) -> list[Moment[State]]:
        known = await self.read_at(stream, first, knowledge)
        assert known is not None, f"{stream} has no version {first}"
        # One more states whether the last command is complete: a command's lines are committed together.
        raws = await self._store.read_stream(stream, after=StreamVersion(first - 1), limit=last - first + 2)
        entries = list(self.parse(known, raws))
        if entries[0].hash != known.head:
            raise LogReplaced(stream, first)
        begun = Moment(line=entries[0].raw, state=known, is_complete=_is_last(entries, 0))
        return [begun, *self.go_on(known, entries[1:], knowledge, count=last - first)]

    async def _read_whole(self, stream: StreamId, knowledge: Knowledge, *, upto: StreamVersion | None = None) -> State:
        stored = await read_stored(self._commanding, self._store, stream)
        secret = None
        if knowledge == "secret":
            assert self._vault is not None, f"no {self._kind.name} is read with its secret"
            secret = self._vault.open_secret(stream, stored.secret_box)
        first = replay(self._kind, stored.lines[:1], self._catalogue, secret=secret)
        self._spaced.keep((stream, knowledge, first.version), first)
        self._instants.keep(stream, array("q", [first.at_ms]))
        return self._fold(first, stored.lines[1:upto], knowledge)

    async def _fold_on(self, known: State, knowledge: Knowledge, *, upto: StreamVersion | None) -> State:
        try:
            return await self._read_on(known, knowledge, upto=upto)
        except LogReplaced:
            self._forget(known.id)
            return await self._read_whole(known.id, knowledge, upto=upto)

    async def _read_on(self, known: State, knowledge: Knowledge, *, upto: StreamVersion | None) -> State:
        state = known
        while upto is None or state.version < upto:
            limit = READ_LINES_MAX if upto is None else min(READ_LINES_MAX, upto - state.version)
            lines = await self._store.read_stream(known.id, after=state.version, limit=limit)
            state = self._fold(state, lines, knowledge)
            if len(lines) < limit:
                break
        return state

    def _fold(self, state: State, raws: Sequence[bytes], knowledge: Knowledge) -> State:
        for each in self._evolve(state, self.parse(state, raws), knowledge):
            state = each
        self._keep_newest(state, knowledge)
        return state

    def _evolve(self, state: State, entries: Iterable[Entry], knowledge: Knowledge) -> Iterator[State]:
        instants = self._instants.find(state.id)
        for entry in entries:
            if entry.line.prev != state.head:
                raise LogReplaced(state.id, state.version)
            state = self._kind.evolve(state, entry)
            if instants is not None and len(instants) == state.version - 1:
                instants.append(state.at_ms)
            if state.version % self._spacing == 0:
                self._spaced.keep((state.id, knowledge, state.version), state)
            yield state

    def _forget(self, stream: StreamId) -> None:
        for place in self._spaced.list_keys():
            if place[0] == stream:
                self._spaced.forget(place)
        for knowledge in KNOWLEDGES:
            self._newest.forget((stream, knowledge))
        self._instants.forget(stream)

    def _keep_newest(self, state: State, knowledge: Knowledge) -> None:
        before = self._newest.find((state.id, knowledge))
        if before is None or before.version <= state.version:
            self._newest.keep((state.id, knowledge), state)


class GameHistories(Histories[Game]):
    """Games, none of which is settled: a board is shown as its last line left it."""

    def __init__(self, *, store: EventStore, catalogue: Catalogue, vault: Vault, states_max: int = STATES_MAX) -> None:
        super().__init__(
            GAME_COMMANDING, store=store, catalogue=catalogue, vault=vault, spacing=SPACING, states_max=states_max
        )


def _is_last(entries: Sequence[Entry], place: int) -> bool:
    """Return whether a line is the last one of its command."""
    return place + 1 == len(entries) or entries[place + 1].line.kind == "input"
