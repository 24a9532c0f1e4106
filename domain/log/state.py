"""The state of every stream of any kind, as folded from its log: values only."""

from typing import Any, Final, Literal, Protocol, TypeVar

from msgspec import Struct

from domain.chance import Chance, Secret, open_chance
from domain.ids import CommandId, LineHash, OrganiserId, StreamId, StreamVersion
from domain.log.entry import Entry
from domain.log.events import Demand, RulesetRef
from domain.log.record import parse_at


class CommandIds(Struct, frozen=True):
    """Chunks of ids, each at least twice as large as the next: as the digits of a binary number.

    Two of one size become one of twice the size. So an id is copied once for each doubling, not once for each input,
    and is looked for in as many chunks as the count of ids has binary digits.
    """

    chunks: tuple[frozenset[CommandId], ...] = ()

    def __contains__(self, command: object) -> bool:
        """Return whether this id was used."""
        return any(command in chunk for chunk in self.chunks)

    def __len__(self) -> int:
        return sum(len(chunk) for chunk in self.chunks)


NO_COMMANDS: Final = CommandIds()


def with_command(commands: CommandIds, command: CommandId) -> CommandIds:
    """Return the ids with one more, which is none of them."""
    chunks, newest = list(commands.chunks), frozenset((command,))
    while chunks and len(chunks[-1]) == len(newest):
        newest |= chunks.pop()
    return CommandIds((*chunks, newest))


class OpenedLog(Protocol):
    """The terms that the first line of every log has."""

    @property
    def leaf_key(self) -> str: ...
    @property
    def ledger(self) -> str: ...


class OpenedStream(OpenedLog, Protocol):
    """The terms that the first line of a game or a tournament has."""

    @property
    def ruleset(self) -> RulesetRef: ...
    @property
    def commit(self) -> str: ...
    @property
    def anchors(self) -> tuple[str, ...]: ...
    @property
    def organisers(self) -> dict[OrganiserId, str | None]: ...
    @property
    def demands(self) -> tuple[Demand, ...]: ...


class LogState(Struct, frozen=True, kw_only=True):
    """The state of any log."""

    id: StreamId
    opened: OpenedLog
    version: StreamVersion
    head: LineHash
    at_ms: int
    bases: tuple[LineHash, ...]  # lines on which a signed input may be based
    commands: CommandIds = NO_COMMANDS


class StreamState(LogState, frozen=True, kw_only=True):
    """The state of a log that draws lots: a game or a tournament."""

    opened: OpenedStream
    opened_by: str  # as in the line: player:… or organiser:…
    opening_hash: LineHash  # of line 1
    chance: Chance
    status: Literal["open", "running", "finished", "aborted"] = "open"
    is_witnessed: bool = False
    is_disclosed: bool = False


# A signer may be so many inputs behind: more than the entrants of a tournament who check in at one moment.
BASES_MAX = 256

State = TypeVar("State", bound=LogState)
Drawing = TypeVar("Drawing", bound=StreamState)


def read_first(entry: Entry, opened: OpenedStream, secret: Secret | None) -> dict[str, Any]:
    """Return the fields that the first line of a game or a tournament gives; raises SecretDoesNotFit."""
    return begin_log(entry, opened) | {
        "opened_by": entry.line.by,
        "opening_hash": entry.hash,
        "chance": open_chance(entry.line.stream, opened.anchors, secret),
    }


def begin_log(entry: Entry, opened: OpenedLog) -> dict[str, Any]:
    """Return the fields that the first line of every log gives."""
    stream = entry.line.stream
    return {
        "id": stream,
        "opened": opened,
        "version": entry.line.version,
        "head": entry.hash,
        "at_ms": parse_at(entry.line.at),
        "bases": (entry.hash,),
        "commands": with_command(NO_COMMANDS, CommandId(stream)),
    }


def bases_after(bases: tuple[LineHash, ...], entry: Entry) -> tuple[LineHash, ...]:
    """Return the lines on which the next signed input may be based: the last outcome, and the inputs after it."""
    return (*bases, entry.hash)[-BASES_MAX:] if entry.line.kind == "input" else (entry.hash,)


def is_over(state: StreamState) -> bool:
    """Return whether nothing more can happen in it."""
    return state.status in ("finished", "aborted")
