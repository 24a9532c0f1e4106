"""The state of every stream of either kind, as folded from its log: values only."""

from typing import Any, Literal, Protocol, TypeVar

from msgspec import Struct

from domain.chance import Chance, Secret, open_chance
from domain.ids import CommandId, LineHash, OrganiserId, StreamId, StreamVersion
from domain.log.command_ids import NO_COMMANDS, CommandIds, with_command
from domain.log.entry import Entry
from domain.log.events import Demand, RulesetRef
from domain.log.record import parse_at


class OpenedStream(Protocol):
    """The terms that the first line of every stream publishes."""

    @property
    def ruleset(self) -> RulesetRef: ...
    @property
    def commit(self) -> str: ...
    @property
    def anchors(self) -> tuple[str, ...]: ...
    @property
    def leaf_key(self) -> str: ...
    @property
    def organisers(self) -> dict[OrganiserId, str | None]: ...
    @property
    def demands(self) -> tuple[Demand, ...]: ...


class StreamState(Struct, frozen=True, kw_only=True):
    id: StreamId
    opened: OpenedStream
    opened_by: str  # as in the line: player:… or organiser:…
    version: StreamVersion
    opening_hash: LineHash  # of line 1
    head: LineHash
    at_ms: int
    chance: Chance
    status: Literal["open", "running", "finished", "aborted"] = "open"
    commands: CommandIds = NO_COMMANDS
    is_witnessed: bool = False
    is_disclosed: bool = False


State = TypeVar("State", bound=StreamState)


def read_first(entry: Entry, opened: OpenedStream, secret: Secret | None) -> dict[str, Any]:
    """Return the fields that the first line of every stream gives; raises SecretDoesNotFit."""
    stream = entry.line.stream
    return {
        "id": stream,
        "opened": opened,
        "opened_by": entry.line.by,
        "version": entry.line.version,
        "opening_hash": entry.hash,
        "head": entry.hash,
        "at_ms": parse_at(entry.line.at),
        "chance": open_chance(stream, opened.anchors, secret),
        "commands": with_command(NO_COMMANDS, CommandId(stream)),
    }


def is_over(state: StreamState) -> bool:
    """Say whether nothing more can happen in it."""
    return state.status in ("finished", "aborted")
