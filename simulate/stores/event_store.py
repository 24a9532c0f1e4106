"""The log in memory, for tests and simulations: the same contract as in Postgres, gone with the process."""

import hashlib
from collections.abc import Sequence
from itertools import islice

from msgspec import Struct

from domain.ids import CommandId, LineHash, LogPosition, StreamId, StreamVersion
from domain.log.record import GENESIS, parse_line
from infra.event_store import (
    Append,
    CommandAnswer,
    HeldOpening,
    StoredComponents,
    StoredEvent,
    StoredStream,
    StreamHead,
)
from infra.postgres.append_call import check_form, check_limits
from infra.store_faults import CommandSeen, UnknownComponents, UnknownStream, VersionConflict


class _Stream(Struct):
    """The part that grows with each append. Only `MemoryEventStore.append` changes it."""

    lines: list[bytes]
    head: LineHash
    secret_box: bytes | None
    held: list[HeldOpening]
    commands: dict[CommandId, CommandAnswer]


class MemoryEventStore:
    """No method waits, so each is one step to everyone else on the loop."""

    def __init__(self) -> None:
        self._streams: dict[StreamId, _Stream] = {}
        self.events: list[StoredEvent] = []
        self._components: dict[str, StoredComponents] = {}

    async def append(self, append: Append) -> None:
        check_limits(append)
        check_form(append)
        stream = self._streams.get(append.stream)
        if append.command is not None and stream is not None and (seen := stream.commands.get(append.command.id)):
            raise CommandSeen(append.stream, append.command.id, seen)
        version = StreamVersion(len(stream.lines) if stream else 0)
        head = stream.head if stream else GENESIS
        if (version, head) != (append.expected_version, append.expected_head):
            raise VersionConflict(
                append.stream,
                expected_version=append.expected_version,
                actual_version=version,
                actual_head=head,
            )
        if stream is None:
            stream = _Stream(lines=[], head=GENESIS, secret_box=append.secret_box, held=[], commands={})
            self._streams[append.stream] = stream
        self._log_lines(append)
        _grow(stream, append)

    async def read_stream(self, stream: StreamId, *, after: StreamVersion, limit: int) -> list[bytes]:
        found = self._streams.get(stream)
        return found.lines[after : after + limit] if found else []

    async def load_stream(self, stream: StreamId) -> StoredStream:
        found = self._streams.get(stream)
        if found is None:
            raise UnknownStream(stream)
        return StoredStream(
            lines=tuple(found.lines), head=found.head, secret_box=found.secret_box, held=tuple(found.held)
        )

    async def read_versions(self, streams: Sequence[StreamId]) -> dict[StreamId, StreamVersion]:
        return {
            stream: StreamVersion(len(self._streams[stream].lines)) for stream in streams if stream in self._streams
        }

    async def read_heads(self, streams: Sequence[StreamId]) -> dict[StreamId, StreamHead]:
        last = {stream: parse_line(self._streams[stream].lines[-1]) for stream in streams if stream in self._streams}
        return {each: StreamHead(version=line.version, type=line.type) for each, line in last.items()}

    async def read_held(self, stream: StreamId, *, after: StreamVersion, limit: int) -> list[HeldOpening]:
        found = self._streams.get(stream)
        return [held for held in found.held if held.version > after][:limit] if found else []

    async def find_command(self, stream: StreamId, command: CommandId) -> CommandAnswer | None:
        found = self._streams.get(stream)
        return found.commands.get(command) if found else None

    async def read_log(self, *, after: LogPosition, limit: int) -> list[StoredEvent]:
        return list(islice(self.events, after, after + limit))

    async def read_head(self) -> LogPosition:
        return LogPosition(len(self.events))

    async def save_components(self, components_hash: str, *, ruleset: str, version: int, body: bytes) -> None:
        assert hashlib.sha256(body).hexdigest() == components_hash
        saved = StoredComponents(hash=components_hash, ruleset=ruleset, version=version, body=body)
        self._components.setdefault(components_hash, saved)

    async def read_components(self, components_hash: str) -> bytes:
        if components_hash not in self._components:
            raise UnknownComponents(components_hash)
        return self._components[components_hash].body

    async def list_components(self) -> list[StoredComponents]:
        return [self._components[component] for component in sorted(self._components)]

    def _log_lines(self, append: Append) -> None:
        for number, (line, hash_) in enumerate(zip(append.lines, append.hashes, strict=True), start=1):
            self.events.append(
                StoredEvent(
                    position=LogPosition(len(self.events) + 1),
                    stream=append.stream,
                    version=StreamVersion(append.expected_version + number),
                    hash=hash_,
                    body=line,
                )
            )


def _grow(stream: _Stream, append: Append) -> None:
    stream.lines.extend(append.lines)
    stream.head = append.hashes[-1]
    stream.held.extend(sorted(append.held, key=lambda held: held.version))
    if append.command is not None:
        stream.commands[append.command.id] = CommandAnswer(
            first_version=StreamVersion(append.expected_version + 1),
            last_version=append.last_version,
            head=append.hashes[-1],
            body_hash=append.command.body_hash,
        )
