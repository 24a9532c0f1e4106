"""Faults of an append or a read. Each carries its data and gives the expected and the found value."""

from domain.ids import CommandId, LineHash, StreamId, StreamVersion
from infra.event_store import CommandAnswer


class VersionConflict(Exception):
    """The stream is not where the decider saw it. Nothing of the append was stored."""

    def __init__(
        self, stream: StreamId, *, expected_version: StreamVersion, actual_version: StreamVersion, actual_head: LineHash
    ) -> None:
        self.stream = stream
        self.expected_version = expected_version
        self.actual_version = actual_version
        self.actual_head = actual_head
        if actual_version == expected_version:
            found = f"at that version, but its last line is {actual_head}, not the one expected"
        else:
            found = f"at version {actual_version}"
        super().__init__(f"{stream} was expected at version {expected_version} and is {found}")


class CommandSeen(Exception):
    """A command of this id was accepted before and became `answer`. Nothing of this append was stored."""

    def __init__(self, stream: StreamId, command: CommandId, answer: CommandAnswer) -> None:
        self.stream = stream
        self.command = command
        self.answer = answer
        super().__init__(
            f"command {command} of {stream} was accepted before: "
            f"versions {answer.first_version} to {answer.last_version}"
        )


class AppendRefused(Exception):
    """The store found the append malformed, which only a bug of ours can cause. Nothing of it was stored."""

    def __init__(self, stream: StreamId, reason: str) -> None:
        self.stream = stream
        self.reason = reason
        super().__init__(f"an append to {stream} was refused: {reason}")


class StoreUnavailable(Exception):
    """The store did not answer in time. For a read, and for an append that was never sent, nothing happened."""

    def __init__(self, reason: str, *, may_have_committed: bool = False) -> None:
        self.reason = reason
        self.may_have_committed = may_have_committed
        outcome = "the append may have been committed" if may_have_committed else "nothing was stored"
        super().__init__(f"the store is unavailable ({reason}); {outcome}")


class StoreBusy(StoreUnavailable):
    """More appends wait than we take. Nothing was tried; come again in a moment."""

    def __init__(self, *, waiting_max: int) -> None:
        self.waiting_max = waiting_max
        super().__init__(f"{waiting_max} appends are waiting, no more are taken")


class UnknownStream(Exception):
    def __init__(self, stream: StreamId) -> None:
        self.stream = stream
        super().__init__(f"the store has no stream {stream}")


class UnknownComponents(Exception):
    def __init__(self, components_hash: str) -> None:
        self.components_hash = components_hash
        super().__init__(f"the store has no components {components_hash}")
