"""A kind of stream: its own rules, as a table of functions. Everything else about a log is written once.

Every function is one of its arguments alone; `check_…` and `admit` raise the rejection or return nothing.
"""

from collections.abc import Callable
from typing import Any, Generic

from msgspec import Struct

from domain.canonical import encode
from domain.chance import Secret
from domain.ids import StreamVersion
from domain.log.entry import Entry, Input, Place, write_entry
from domain.log.record import Line, find_data, format_at
from domain.log.state import State
from domain.ruleset.ruleset import AnyRuleset

# Finds the line that a log has at a version, if it has one.
FindEntry = Callable[[StreamVersion], Entry | None]


def find_none(_: StreamVersion) -> None:
    """Find nothing: the consequences are written for the first time."""


def stands_as_input(entry: Entry, put: Input, place: Place, *, type_: str) -> bool:
    """Return whether a line that was read is the one of this input."""
    line = entry.line
    return (
        (line.kind, line.by, line.command, line.base, line.sig) == ("input", put.by, put.command, put.base, put.sig)
        and line.type == type_
        and _stands_at(entry, place)
        and encode(put.event) == find_data(entry.raw)
    )


def stands_as_outcome(entry: Entry, event: Struct, place: Place) -> bool:
    """Return whether a line that was read is the one of this outcome; a type has one tag among the outcomes."""
    # Its form states that an outcome is by the server, without a command.
    return (
        entry.line.kind == "outcome"
        and type(entry.event) is type(event)
        and _stands_at(entry, place)
        and encode(event) == find_data(entry.raw)
    )


def _stands_at(entry: Entry, place: Place) -> bool:
    line = entry.line
    return (line.stream, line.version, line.prev) == (place.stream, place.version, place.prev) and (
        line.at == format_at(place.at_ms)
    )


class NotDisclosed(Exception):
    """Without the secret, and without a log that shows the draws from it, a stream goes no further."""


class StreamKind(Struct, Generic[State], frozen=True, kw_only=True):
    """`name` is the word for such a stream, `opening` the type of its first line.

    One that `is_played` is played by a ruleset: that adds outcomes of its own, and draws some that stay hidden, so that
    its log cannot be read without the ruleset nor decided again without the secret.
    """

    name: str
    opening: str
    is_played: bool
    # Reading and writing; the ruleset is unknown before the first line.
    find_type: Callable[[Line, AnyRuleset | None], type[Struct] | None]
    find_tag: Callable[[State, Struct], str]
    find_ruleset: Callable[[State], AnyRuleset | None]
    # The first line: its terms, and the state that it makes. With the secret, later draws can be made.
    check_opening: Callable[[Entry, AnyRuleset], None]
    begin: Callable[[Entry, AnyRuleset | None, Secret | None], State]
    # Whether an input may be added.
    check_phase: Callable[[State, Struct], None]
    list_authors: Callable[[State, Struct], tuple[str, ...]]
    # The same whatever has happened since the opening: the authors that a refusal names.
    list_authors_by_terms: Callable[[State, Struct], tuple[str, ...]]
    is_of_command: Callable[[Input], bool]
    find_key: Callable[[State, Input], str | None]
    admit: Callable[[State, Input], None]
    # The outcomes that follow from an input, and the fold.
    follow: Callable[["Growth[State]"], None]
    evolve: Callable[[State, Entry], State]
    settle: Callable[[State], State]


AnyKind = StreamKind[Any]


class Growth(Generic[State]):
    """A log that grows by one input: the state after its last line, and the lines added so far.

    `find_known` finds lines that a log has already, read and not believed. A line that is exactly the consequence is
    taken as it stands, as writing and reading it again would give the same bytes; any other is written.
    """

    def __init__(self, kind: StreamKind[State], state: State, find_known: FindEntry = find_none) -> None:
        self.state = state
        self.entries: list[Entry] = []
        self.kind = kind
        self._find_known = find_known

    def put(self, put: Input) -> None:
        """Add the line of an admitted input."""
        kind, place = self.kind, self._next_place(put.at_ms)
        entry, type_ = self._find_known(place.version), kind.find_tag(self.state, put.event)
        if entry is None or not stands_as_input(entry, put, place, type_=type_):
            entry = write_entry(put.event, place, type_=type_, put=put)
        self._go_on(entry, kind.evolve)

    def add(self, event: Struct, evolve: Callable[[State, Entry], State] | None = None) -> State:
        """Add the line of an outcome and return the state after it; `evolve` folds it where its caller knows more."""
        kind, place = self.kind, self._next_place(self.state.at_ms)
        entry = self._find_known(place.version)
        if entry is None or not stands_as_outcome(entry, event, place):
            entry = write_entry(event, place, type_=kind.find_tag(self.state, event), put=None)
        return self._go_on(entry, evolve or kind.evolve)

    def find_known(self) -> Struct | None:
        """Return the event that a log has already in the next place, if it has one there."""
        entry = self._find_known(StreamVersion(self.state.version + 1))
        return None if entry is None else entry.event

    def _go_on(self, entry: Entry, evolve: Callable[[State, Entry], State]) -> State:
        self.entries.append(entry)
        self.state = evolve(self.state, entry)
        return self.state

    def _next_place(self, at_ms: int) -> Place:
        state = self.state
        return Place(stream=state.id, version=StreamVersion(state.version + 1), prev=state.head, at_ms=at_ms)
