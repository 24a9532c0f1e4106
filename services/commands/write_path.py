"""The one write path of every stream: load, decide, append, announce, answer.

Nobody is told of an event before it is durable. Any number of processes may serve any stream; the store decides who was
first, and a loser decides again on the new state.
"""

from collections.abc import Callable, Sequence
from typing import Generic, Protocol, TypeVar

import structlog
from msgspec import Struct

from domain.ids import CommandId, LineHash, StreamId, StreamVersion
from domain.log.entry import Entry
from domain.log.record import line_hash
from domain.log.rejections import CommandIdReused
from domain.rejection import Rejection
from infra.event_store import Append, CommandAnswer, EventStore, HeldOpening, StoredCommand, StoredStream
from infra.store_faults import CommandSeen, StoreUnavailable, VersionConflict
from infra.tracing import NO_TRACER, Tracer
from services.commands.folded_streams import FoldedStreams
from services.commands.turns import StreamTurns

log = structlog.get_logger()

# Each lost race means that another command was accepted, so a stream with many writers still moves; a command that
# loses this often in a row is refused for now rather than kept waiting.
ATTEMPTS_MAX = 20
# Who is behind by no more folds on, in some milliseconds; whoever is further behind reads the stream in one statement.
CATCH_UP_LINES_MAX = 256


class Announcer(Protocol):
    """Tells readers that a stream has moved. Never blocks, never raises: a lost hint costs latency only."""

    def announce(self, stream: StreamId, version: StreamVersion) -> None: ...

    @property
    def is_failing(self) -> bool:
        """Whether a bug keeps hints from going out. A server that is only away is not meant."""


class Folded(Protocol):
    """A state as folded from its stream, up to a version."""

    @property
    def version(self) -> StreamVersion: ...

    @property
    def head(self) -> LineHash: ...


class AnyCommand(Protocol):
    @property
    def id(self) -> CommandId: ...


State = TypeVar("State", bound=Folded)
Command = TypeVar("Command", bound=AnyCommand)
# As only taken in, never given out: a protocol has to say so.
Asked_contra = TypeVar("Asked_contra", bound=AnyCommand, contravariant=True)


class Made(Struct, Generic[State], frozen=True, kw_only=True):
    """What a command became: its lines, the state after them, and what is kept in boxes beside the log."""

    state: State
    entries: tuple[Entry, ...]
    secret_box: bytes | None = None
    held: tuple[HeldOpening, ...] = ()


class Craft(Protocol[State, Asked_contra]):
    """What each kind of stream does in its own way."""

    def stream_of(self, command: Asked_contra) -> StreamId:
        """Return what the store calls the stream that a command is about."""

    def hash_body(self, command: Asked_contra) -> bytes:
        """Hash what the client sent: not the time of receipt, nor what the server made up for it."""

    def begin(self, command: Asked_contra) -> Made[State] | None:
        """Decide the command that begins a stream; None for any other."""

    def decide(self, state: State, command: Asked_contra) -> Made[State]: ...

    async def read(self, stream: StreamId) -> StoredStream:
        """Read all that is stored of a stream of this kind, or raise the rejection that there is none."""

    def fold(self, stream: StreamId, stored: StoredStream) -> State: ...

    def fold_on(self, state: State, lines: Sequence[bytes], held: Sequence[HeldOpening]) -> State: ...


class Written(Struct, frozen=True, kw_only=True):
    """The versions that an accepted command wrote, and the hash of its last line."""

    first_version: StreamVersion
    last_version: StreamVersion
    head: LineHash


class StreamContended(Exception):
    """Too many others write to this stream right now; nothing was stored."""

    def __init__(self, stream: StreamId) -> None:
        self.stream = stream
        super().__init__(f"{ATTEMPTS_MAX} races in a row were lost on {stream}")


class WritePath(Generic[State, Command]):
    """One for a process and a kind of streams, so that its cache and its turns are shared by all who ask."""

    def __init__(self, craft: Craft[State, Command], *, store: EventStore, announcer: Announcer) -> None:
        self._craft = craft
        self._store = store
        self._announcer = announcer
        self._turns = StreamTurns()
        self.folded: FoldedStreams[State] = FoldedStreams()
        self.tracer: Tracer = NO_TRACER
        # Told of every accepted command, with its lines, once they are durable; it may not raise.
        self.on_written: Callable[[StreamId, Sequence[Entry]], None] = _ignore

    async def handle(self, command: Command) -> Written:
        """Return what the command became, the same again when it is sent again.

        Raises a Rejection, given on the stored head only; `StoreUnavailable` when the outcome is not known or nothing
        could be stored, `StreamContended` and `TooManyWaiting`: after all three, the same command may be sent again.
        """
        stream, body_hash = self._craft.stream_of(command), self._craft.hash_body(command)
        async with self._turns.of(stream):
            for _ in range(ATTEMPTS_MAX):
                try:
                    return await self._attempt(stream, command, body_hash)
                except VersionConflict as conflict:
                    log.info("append_conflicted", stream=stream, expected=conflict.expected_version)
                    await self._catch_up_if_known(stream)
        raise StreamContended(stream)

    async def load(self, stream: StreamId) -> State:
        """Return the state as stored now, folded with its secret: for deciding, never to be shown as it is."""
        return self._craft.fold(stream, await self._craft.read(stream))

    async def recall(self, stream: StreamId) -> State:
        """Return the state as this process remembers it, which may be behind the log, else as stored now."""
        remembered = self.folded.find(stream)
        if remembered is not None:
            return remembered
        found = await self.load(stream)
        # Another task may have kept a newer one meanwhile.
        if self.folded.find(stream) is None:
            self.folded.keep(stream, found)
        return found

    async def read_newest(self, stream: StreamId) -> State:
        """Return the state as stored now; what this process has folded of it is not folded again."""
        async with self._turns.of(stream):
            await self._catch_up_if_known(stream)
            return await self.recall(stream)

    async def _attempt(self, stream: StreamId, command: Command, body_hash: bytes) -> Written:
        try:
            with self.tracer.span("decide"):
                made = self._craft.begin(command) or await self._decide(stream, command)
            with self.tracer.span("append", "client"):
                await self._store.append(_build_append(stream, made, StoredCommand(id=command.id, body_hash=body_hash)))
        except CommandSeen as seen:
            return self._repeat(stream, command, seen.answer, body_hash)
        except Rejection:
            # What was accepted once may be refused now, where its answer was lost and it is sent again.
            answer = await self._store.find_command(stream, command.id)
            if answer is None:
                raise
            return self._repeat(stream, command, answer, body_hash)
        except StoreUnavailable:
            # Whether it was stored or not: what we hold may be behind the log.
            self.folded.forget(stream)
            raise
        self.folded.keep(stream, made.state)
        self.on_written(stream, made.entries)
        with self.tracer.span("announce"):
            self._announcer.announce(stream, made.state.version)
        first, last = made.entries[0], made.entries[-1]
        return Written(first_version=first.line.version, last_version=last.line.version, head=last.hash)

    async def _decide(self, stream: StreamId, command: Command) -> Made[State]:
        state = await self.recall(stream)
        try:
            return self._craft.decide(state, command)
        except Rejection:
            # Perhaps only what we hold is stale: a rejection is given on the stored head.
            newest = await self._catch_up(stream, state)
            if newest is state:
                raise
        return self._craft.decide(newest, command)

    async def _catch_up_if_known(self, stream: StreamId) -> None:
        known = self.folded.find(stream)
        if known is not None:
            await self._catch_up(stream, known)

    async def _catch_up(self, stream: StreamId, known: State) -> State:
        """Return the state as stored now, the very same where nothing is newer, and keep it."""
        after = StreamVersion(known.version - 1)
        lines = await self._store.read_stream(stream, after=after, limit=1 + CATCH_UP_LINES_MAX)
        # A store that was restored from a backup may hold another line there, or none.
        is_known_stored = bool(lines) and line_hash(lines[0]) == known.head
        if is_known_stored and len(lines) == 1:
            return known
        self.folded.forget(stream)
        if not is_known_stored or len(lines) > CATCH_UP_LINES_MAX:
            return await self.recall(stream)
        # Whatever was held with these lines was stored with them.
        held = await self._store.read_held(stream, after=known.version, limit=CATCH_UP_LINES_MAX)
        state = self._craft.fold_on(known, lines[1:], held)
        self.folded.keep(stream, state)
        return state

    def _repeat(self, stream: StreamId, command: Command, answer: CommandAnswer, body_hash: bytes) -> Written:
        if answer.body_hash != body_hash:
            raise CommandIdReused(
                expected=f"a new id, as {command.id} was accepted with another body", found=command.id
            )
        # It may never have been announced, if its first reply was lost; told twice, a hint does no harm.
        self._announcer.announce(stream, answer.last_version)
        return Written(first_version=answer.first_version, last_version=answer.last_version, head=answer.head)


def _ignore(_stream: StreamId, _entries: Sequence[Entry]) -> None:
    pass


def _build_append(stream: StreamId, made: Made[State], command: StoredCommand) -> Append:
    first = made.entries[0].line
    return Append(
        stream=stream,
        expected_version=StreamVersion(first.version - 1),
        expected_head=first.prev,
        lines=tuple(entry.raw for entry in made.entries),
        types=tuple(entry.line.type for entry in made.entries),
        hashes=tuple(entry.hash for entry in made.entries),
        command=command,
        secret_box=made.secret_box,
        held=made.held,
    )
