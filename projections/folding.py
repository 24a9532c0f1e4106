"""The fold of every projection: game by game, from the lines of the log to rows. No line is skipped or repeated.

The rows depend on the lines alone, not on how they were cut into steps, so that two builds are equal.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Generic, Protocol, TypeVar

import msgspec
from msgspec import Struct

from domain.ids import StreamVersion
from domain.log.record import Line


class Versioned(Protocol):
    """A projection's state of a game; `version` is the last line in it."""

    @property
    def version(self) -> StreamVersion: ...


State = TypeVar("State", bound=Versioned)


class Row(Struct, frozen=True, kw_only=True):
    """A row about a game or a player, its owner; `place` orders the rows of an owner.

    It is looked up by its `labels`; before `from_ms` the public may not know of it at all. An empty `body` deletes it.
    """

    owner: str
    body: bytes
    place: bytes = b""
    labels: tuple[str, ...] = ()
    from_ms: int = 0
    # Its place in lists, the highest first.
    rank: str = ""


class Marks(Struct, frozen=True, kw_only=True):
    """How the row of the game itself, which holds the state, is looked up; ids order games of one rank."""

    labels: tuple[str, ...] = ()
    from_ms: int = 0
    rank: str = ""


class Projection(Struct, Generic[State], frozen=True, kw_only=True):
    """A fold. A change of its rows for any log takes the next version, and it is built anew.

    `state_type` is read from rows of earlier versions too, so a new field has a default. `evolve` gives None for a
    stream that is not a game.
    """

    name: str
    version: int
    state_type: type[State]
    evolve: Callable[[State | None, Line], State | None]
    tell: Callable[[State, Line], Iterable[Row]]
    mark: Callable[[State], Marks]


class Folded(Struct, Generic[State], frozen=True, kw_only=True):
    states: dict[str, State]
    rows: tuple[Row, ...]


def fold(projection: Projection[State], known: Mapping[str, State], lines: Iterable[Line]) -> Folded[State]:
    """Fold lines of any games; `known` holds the states of those of them that have one."""
    states: dict[str, State] = {}
    rows: dict[tuple[str, bytes], Row] = {}
    for line in lines:
        before = states.get(line.stream) or known.get(line.stream)
        assert before is None or line.version == before.version + 1, f"{line.stream}: {before} before {line.version}"
        after = projection.evolve(before, line)
        if after is None:
            continue
        assert after.version == line.version, f"{projection.name}: {after} after {line.version}"
        states[line.stream] = after
        for row in projection.tell(after, line):
            rows[row.owner, row.place] = row
    for game, state in states.items():
        marks = projection.mark(state)
        body = msgspec.json.encode(state)
        rank = f"{marks.rank}-{game}"
        rows[game, b""] = Row(owner=game, body=body, labels=marks.labels, from_ms=marks.from_ms, rank=rank)
    return Folded(states=states, rows=tuple(rows.values()))


def decode_state(projection: Projection[State], body: bytes) -> State:
    return msgspec.json.decode(body, type=projection.state_type)
