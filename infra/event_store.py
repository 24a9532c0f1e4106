"""The contract of an event store: appends to the log, and reads from it.

`PostgresEventStore` and `MemoryEventStore` keep this contract; one suite of tests runs on both.
"""

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from domain.ids import CommandId, LineHash, LogPosition, StreamId, StreamVersion

# One input lets the rules write at most 4,096 outcomes (`WRITTEN_MAX` of a script); a command that reveals for a whole
# table is some such inputs, of which all but the last write a handful.
LINES_MAX = 5_000
# One call of `read_stream` or `read_log` may ask for so many: some megabytes in the worst case that occurs.
READ_LINES_MAX = 10_000


class StoredCommand(Struct, frozen=True, kw_only=True):
    """The id a client gave its command, and the SHA-256 of the command as it was sent."""

    id: CommandId
    body_hash: bytes


class HeldOpening(Struct, frozen=True, kw_only=True):
    """A sealed action in the server's custody: encrypted by the caller, by the version of its line."""

    version: StreamVersion
    sealed_box: bytes


class Append(Struct, frozen=True, kw_only=True):
    """The lines of one accepted command. All of them are committed or none, with everything that stands here."""

    stream: StreamId
    # 0 and GENESIS for a new stream.
    expected_version: StreamVersion
    expected_head: LineHash
    # 1 to LINES_MAX, as they will be stored, without newline; each with its type and hash.
    lines: tuple[bytes, ...]
    types: tuple[str, ...]
    hashes: tuple[LineHash, ...]
    # None for a command that is never sent again.
    command: StoredCommand | None = None
    # Of a new stream only.
    secret_box: bytes | None = None
    held: tuple[HeldOpening, ...] = ()

    @property
    def last_version(self) -> StreamVersion:
        return StreamVersion(self.expected_version + len(self.lines))


class CommandAnswer(Struct, frozen=True, kw_only=True):
    """The lines of an accepted command; the answer also when it is sent again."""

    first_version: StreamVersion
    last_version: StreamVersion
    # The hash of its last line.
    head: LineHash
    body_hash: bytes


class StoredStream(Struct, frozen=True, kw_only=True):
    """Everything stored of one stream, at one moment."""

    lines: tuple[bytes, ...]
    head: LineHash
    secret_box: bytes | None
    # In the order of their versions.
    held: tuple[HeldOpening, ...]


class StreamHead(Struct, frozen=True, kw_only=True):
    """The head of a stream, and the type of its last line."""

    version: StreamVersion
    type: str


class StoredEvent(Struct, frozen=True, kw_only=True):
    """A line and its place in the whole log."""

    position: LogPosition
    stream: StreamId
    version: StreamVersion
    hash: LineHash
    body: bytes


class StoredComponents(Struct, frozen=True, kw_only=True):
    """The decks, tracks and tables of a ruleset, under the SHA-256 (hex) of their bytes."""

    hash: str
    ruleset: str
    version: int
    body: bytes


class EventStore(Protocol):
    """Every method raises `StoreUnavailable` when the store cannot be reached in time."""

    async def append(self, append: Append) -> None:
        """Return when the lines are durable.

        Raises `VersionConflict` or `CommandSeen` (nothing was stored), `StoreBusy` (nothing was tried), or
        `StoreUnavailable`, which states whether the lines may be stored nevertheless: look the command up by its id
        before deciding it again.
        """

    async def read_stream(self, stream: StreamId, *, after: StreamVersion, limit: int) -> list[bytes]:
        """Lines in order; none for a stream that does not exist."""

    async def load_stream(self, stream: StreamId) -> StoredStream:
        """Raise `UnknownStream` where there is none."""

    async def read_versions(self, streams: Sequence[StreamId]) -> dict[StreamId, StreamVersion]:
        """Return where each of these streams is; one that does not exist is left out."""

    async def read_heads(self, streams: Sequence[StreamId]) -> dict[StreamId, StreamHead]:
        """Return how far each of these streams has come; one that does not exist is left out."""

    async def read_held(self, stream: StreamId, *, after: StreamVersion, limit: int) -> list[HeldOpening]:
        """Boxes of the lines after a version, in their order; none for a stream that does not exist."""

    async def find_command(self, stream: StreamId, command: CommandId) -> CommandAnswer | None: ...

    async def read_log(self, *, after: LogPosition, limit: int) -> list[StoredEvent]:
        """Events of all streams by position. Who goes on from the last one it got never misses one."""

    async def read_head(self) -> LogPosition:
        """Read the highest position committed; 0 in an empty store."""

    async def save_components(self, components_hash: str, *, ruleset: str, version: int, body: bytes) -> None:
        """Keep them under their SHA-256 (hex). Stored ones stay."""

    async def read_components(self, components_hash: str) -> bytes:
        """Raise `UnknownComponents` where there are none."""

    async def list_components(self) -> list[StoredComponents]:
        """All that were ever saved, in the order of their hashes: a few for each release."""
