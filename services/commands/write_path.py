"""The one write path of every stream: load, decide, append, announce, answer.

No event is shown before it is durable. Any number of processes may serve any stream; the store decides who was
first, and a loser decides again on the new state.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Generic, Protocol

import structlog
from msgspec import Struct

from domain.ids import LineHash, StreamId, StreamVersion
from domain.log.actors import Actor, name_actor
from domain.log.command import Command, OpeningCommand
from domain.log.enact import Decided
from domain.log.entry import Entry
from domain.log.record import line_hash, parse_line
from domain.log.rejections import CommandIdReused, NotAllowed
from domain.log.replay import fold, replay
from domain.log.state import State
from domain.rejection import Rejection
from domain.ruleset.catalogue import Catalogue
from infra.event_store import CommandAnswer, EventStore
from infra.recent import Recent
from infra.store_faults import CommandSeen, StoreUnavailable, VersionConflict
from infra.tracing import NO_TRACER, Tracer
from services.commands.commanding import Commanding, build_append, hash_body, read_stored
from services.commands.turns import StreamTurns
from services.commands.vault import Vault

log = structlog.get_logger()

# Each lost race means that another command was accepted, so a stream with many writers still moves; a command that
# loses this often in a row is refused for now rather than kept waiting.
ATTEMPTS_MAX = 20
# A state behind by no more folds on, in some milliseconds; one further behind reads the stream in one statement.
CATCH_UP_LINES_MAX = 256
# Health reports for so long a command that could not be stored: then it lets commands come, which try again.
FAILED_S = 10.0
# Commands of outsiders looked at together, in all streams: most connections of the pool are left to the others.
OUTSIDERS_MAX = 4
# The place in the queue of those who have none of their own; each of the others is named after its actor.
OUTSIDE, READING = "outside", "reading"
# A folded game of six seats is some tens of kilobytes: at most about a hundred megabytes of them.
STREAMS_KEPT_MAX = 2_000


class Announcer(Protocol):
    """Notifies readers that a stream has moved. Never blocks, never raises: a lost hint costs latency only."""

    def announce(self, stream: StreamId, version: StreamVersion) -> None: ...

    @property
    def is_failing(self) -> bool:
        """Whether a bug keeps hints from going out. A server that is only away is not meant."""


class Written(Struct, frozen=True, kw_only=True):
    """The versions that an accepted command wrote, and the hash and time of its last line."""

    first_version: StreamVersion
    last_version: StreamVersion
    head: LineHash
    at: str


class StreamContended(Exception):
    """Too many others write to this stream right now; nothing was stored."""

    def __init__(self, stream: StreamId) -> None:
        self.stream = stream
        super().__init__(f"{ATTEMPTS_MAX} races in a row were lost on {stream}")


class WritePath(Generic[State]):
    """One for a process and a kind of streams, so that its cache and its turns are shared by all who ask."""

    def __init__(
        self,
        commanding: Commanding[State],
        *,
        store: EventStore,
        announcer: Announcer,
        catalogue: Catalogue,
        vault: Vault,
    ) -> None:
        self._commanding = commanding
        self._store = store
        self._announcer = announcer
        self._catalogue = catalogue
        self._vault = vault
        self._turns = StreamTurns()
        # Guards nothing but the number of connections.
        self._looking = asyncio.Semaphore(OUTSIDERS_MAX)
        self.folded: Recent[StreamId, State] = Recent(STREAMS_KEPT_MAX)
        self.tracer: Tracer = NO_TRACER
        # When a command could not be stored; None once one could.
        self._failed_s: float | None = None
        # Called after every handled command, with the exception it raised, if any.
        self.on_handled: Callable[[Command, Exception | None], None] = _ignore
        # Called after every accepted command, with its lines, once they are durable; it may not raise.
        self.on_written: Callable[[StreamId, Sequence[Entry]], None] = _ignore

    @property
    def is_storing(self) -> bool:
        """Whether the last command could be stored, or that was too long ago to know."""
        return not self.has_failed_within(FAILED_S)

    def has_failed_within(self, seconds: float) -> bool:
        """Return whether the last command could not be stored, and that was within these seconds."""
        return self._failed_s is not None and asyncio.get_running_loop().time() - self._failed_s <= seconds

    @property
    def is_announcing(self) -> bool:
        """Whether readers are notified, as far as that lies with this process."""
        return not self._announcer.is_failing

    async def handle(self, command: Command) -> Written:
        """Return the events of the command, the same again when it is sent again.

        Raises a Rejection, given on the stored head only; `StoreUnavailable` when the outcome is not known or nothing
        could be stored, `StreamContended` and `TooManyWaiting`: after all three, the same command may be sent again.
        """
        try:
            with self.tracer.span("command") as span:
                span.note(f"spina.{self._commanding.kind.name}", command.stream)
                span.note("spina.command", command.type)
                written = await self._handle(command)
                span.note("spina.version", written.last_version)
        except Exception as error:
            self.on_handled(command, error)
            raise
        self.on_handled(command, None)
        return written

    async def load(self, stream: StreamId) -> State:
        """Return the state as stored now, folded with its secret: for deciding, never to be shown as it is."""
        stored = await read_stored(self._commanding, self._store, stream)
        secret = self._vault.open_secret(stream, stored.secret_box)
        state = replay(self._commanding.kind, stored.lines, self._catalogue, secret=secret)
        return self._commanding.hold(self._vault, state, stored.held)

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
        """Return the state as stored now; the folded part of this process is not folded again."""
        async with self._turns.of(stream, READING):
            await self._catch_up_if_known(stream)
            return await self.recall(stream)

    async def peek(self, stream: StreamId) -> State:
        """Return the state as stored now, without a turn: outsiders hold up no player, and fold no line again."""
        state = await self.recall(stream)
        return state if await self._is_newest(state) else await self.load(stream)

    async def has_role(self, stream: StreamId, actor: Actor) -> bool:
        """Return whether an actor has a part in the stream, as this process remembers it."""
        return self._commanding.has_role(await self.recall(stream), actor)

    async def _handle(self, command: Command) -> Written:
        stream, body_hash = command.stream, hash_body(command)
        place = await self._find_place(command)
        async with self._turns.of(stream, place):
            for _ in range(ATTEMPTS_MAX):
                try:
                    return await self._attempt(stream, command, body_hash)
                except VersionConflict as conflict:
                    log.info("append_conflicted", stream=stream, expected=conflict.expected_version)
                    await self._catch_up_if_known(stream)
        raise StreamContended(stream)

    async def _find_place(self, command: Command) -> str:
        """Return the sender's place in the queue. An outsider who would be refused there is refused here."""
        if isinstance(command, OpeningCommand):
            return OUTSIDE
        state = await self.recall(command.stream)
        if self._commanding.has_role(state, command.actor):
            return name_actor(command.actor)
        try:
            self._commanding.decide(state, command)
        except Rejection:
            async with self._looking:
                if await self._is_newest(state) and not await self._store.find_command(state.id, command.id):
                    raise
        return OUTSIDE

    async def _is_newest(self, state: State) -> bool:
        lines = await self._store.read_stream(state.id, after=StreamVersion(state.version - 1), limit=2)
        return [line_hash(line) for line in lines] == [state.head]

    async def _attempt(self, stream: StreamId, command: Command, body_hash: bytes) -> Written:
        try:
            with self.tracer.span("decide"):
                decided = await self._decide(stream, command)
            with self.tracer.span("append", "client"):
                await self._store.append(build_append(command, decided, self._vault, body_hash=body_hash))
        except CommandSeen as seen:
            return await self._repeat(stream, command, seen.answer, body_hash)
        except Rejection as refused:
            # A command accepted once may be refused now, where its answer was lost and it is sent again.
            answer = await self._store.find_command(stream, command.id)
            # That an id was used, an outsider does not learn.
            is_of_outsider = isinstance(refused, NotAllowed) and answer is not None and answer.body_hash != body_hash
            if answer is None or is_of_outsider:
                raise
            return await self._repeat(stream, command, answer, body_hash)
        except StoreUnavailable:
            # Stored or not: our state may be behind the log.
            self.folded.forget(stream)
            self._failed_s = asyncio.get_running_loop().time()
            raise
        self._failed_s = None
        self.folded.keep(stream, decided.state)
        self.on_written(stream, decided.entries)
        with self.tracer.span("announce"):
            self._announcer.announce(stream, decided.state.version)
        first, last = decided.entries[0], decided.entries[-1]
        return Written(
            first_version=first.line.version, last_version=last.line.version, head=last.hash, at=last.line.at
        )

    async def _decide(self, stream: StreamId, command: Command) -> Decided[State]:
        if isinstance(command, OpeningCommand):
            return self._commanding.decide_opening(command, self._catalogue)
        state = await self.recall(stream)
        try:
            return self._commanding.decide(state, command)
        except Rejection:
            # Perhaps only our state is stale: a rejection is given on the stored head.
            newest = await self._catch_up(stream, state)
            if newest is state:
                raise
        return self._commanding.decide(newest, command)

    async def _catch_up_if_known(self, stream: StreamId) -> None:
        known = self.folded.find(stream)
        if known is not None:
            await self._catch_up(stream, known)

    async def _catch_up(self, stream: StreamId, known: State) -> State:
        """Return the state as stored now, the very same where nothing is newer, and keep it."""
        after = StreamVersion(known.version - 1)
        lines = await self._store.read_stream(stream, after=after, limit=1 + CATCH_UP_LINES_MAX)
        # A store restored from a backup may hold another line there, or none.
        is_known_stored = bool(lines) and line_hash(lines[0]) == known.head
        if is_known_stored and len(lines) == 1:
            return known
        self.folded.forget(stream)
        if not is_known_stored or len(lines) > CATCH_UP_LINES_MAX:
            return await self.recall(stream)
        # Entrusted actions of these lines were stored with them.
        held = await self._store.read_held(stream, after=known.version, limit=CATCH_UP_LINES_MAX)
        state = self._commanding.hold(self._vault, fold(self._commanding.kind, known, lines[1:]), held)
        self.folded.keep(stream, state)
        return state

    async def _repeat(self, stream: StreamId, command: Command, answer: CommandAnswer, body_hash: bytes) -> Written:
        if answer.body_hash != body_hash:
            raise CommandIdReused(
                expected=f"a new id, as {command.id} was accepted with another body", found=command.id
            )
        # It may never have been announced, if its first reply was lost; announced twice, a hint does no harm.
        self._announcer.announce(stream, answer.last_version)
        (last,) = await self._store.read_stream(stream, after=StreamVersion(answer.last_version - 1), limit=1)
        return Written(
            first_version=answer.first_version,
            last_version=answer.last_version,
            head=answer.head,
            at=parse_line(last).at,
        )


def _ignore(*_: object) -> None:
    pass
