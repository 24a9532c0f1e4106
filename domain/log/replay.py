"""A stream folded from its log, by a reader who trusts the lines; `domain/audit/walk.py` decides them again."""

from collections.abc import Iterable

from domain.chance import Secret
from domain.log.entry import Entry, Input, read_event
from domain.log.kind import AnyKind, StreamKind
from domain.log.record import BadLine, parse_at, parse_line
from domain.log.state import OpenedStream, State
from domain.ruleset.catalogue import Catalogue
from domain.ruleset.ruleset import AnyRuleset


def is_of(kind: AnyKind, raw: bytes) -> bool:
    """Return whether a stored stream that begins with this line is of a kind."""
    return parse_line(raw).type == kind.opening


def read_entry(kind: AnyKind, raw: bytes, ruleset: AnyRuleset | None = None) -> Entry:
    """Read one stored line, or raise BadLine; the first line is read without the ruleset, as it names it."""
    line = parse_line(raw)
    found = kind.find_type(line, ruleset)
    if found is None:
        raise BadLine(expected=f"the type of an {line.kind} of a {kind.name}", found=line.type)
    return read_event(raw, line, found)


def read_input(entry: Entry) -> Input:
    """Return a line as the input it stands for, or raise BadLine."""
    line = entry.line
    if line.kind != "input":
        raise BadLine(expected="an input", found=f"{line.kind} {line.type}")
    return Input(
        event=entry.event, by=line.by, at_ms=parse_at(line.at), command=line.command, sig=line.sig, base=line.base
    )


def replay(
    kind: StreamKind[State], raws: Iterable[bytes], catalogue: Catalogue | None = None, *, secret: Secret | None = None
) -> State:
    """Fold a stored log. With the secret the next command can be decided on the result.

    A kind that is not played is folded without its ruleset, for which no catalogue is needed.
    """
    lines = iter(raws)
    first = next(lines, None)
    assert first is not None, f"a {kind.name} that is stored has a first line"
    opening = read_opening(kind, first)
    assert catalogue is not None or not kind.is_played, f"a {kind.name} is played by its rules"
    ruleset = _find_ruleset(opening, catalogue) if catalogue is not None and kind.is_played else None
    state = kind.begin(opening, ruleset, secret)
    return fold(kind, state, lines)


def fold(kind: StreamKind[State], state: State, raws: Iterable[bytes]) -> State:
    """Fold on with lines that follow."""
    ruleset = kind.find_ruleset(state)
    for raw in raws:
        state = kind.evolve(state, read_entry(kind, raw, ruleset))
    return kind.settle(state)


def read_opening(kind: AnyKind, raw: bytes) -> Entry:
    """Read a first line, or raise BadLine."""
    entry = read_entry(kind, raw)
    if entry.line.type != kind.opening:
        raise BadLine(expected=f"a log that begins with {kind.opening}", found=entry.line.type)
    return entry


def _find_ruleset(opening: Entry, catalogue: Catalogue) -> AnyRuleset:
    opened: OpenedStream = opening.event  # type: ignore[assignment]  # the type of its line states so
    named = opened.ruleset
    return catalogue.find(name=named.name, version=named.version, components=named.components)
