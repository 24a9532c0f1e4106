"""A stream from its log: folded by a reader who trusts the lines, or decided again line by line by one who does not."""

from collections.abc import Callable, Iterable, Sequence
from typing import ParamSpec, TypeVar

from domain.chance import Secret, SecretDoesNotFit, commit, derive_anchors
from domain.ids import StreamVersion
from domain.log.enact import enact
from domain.log.entry import Entry, Input, as_stored, read_event
from domain.log.kind import AnyKind, StreamKind
from domain.log.record import BadLine, BrokenChain, parse_at, parse_line, read_chain
from domain.log.state import Drawing, OpenedStream, State
from domain.rejection import Rejection
from domain.ruleset.catalogue import Catalogue, UnknownRuleset
from domain.ruleset.ruleset import AnyRuleset

P = ParamSpec("P")
T = TypeVar("T")


class LineDoesNotFollow(Exception):
    """A line is not the result of deciding again at its place."""

    def __init__(self, *, version: StreamVersion, expected: str, found: str) -> None:
        self.version = version
        self.expected = expected
        self.found = found
        super().__init__(f"at version {version}: expected {expected}, found {found}")


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


def redecide(kind: StreamKind[Drawing], raws: Sequence[bytes], catalogue: Catalogue, secret: Secret) -> Drawing:
    """Decide every input of a log again, byte for byte.

    Raises LineDoesNotFollow at the first line that is refused or does not follow, and UnknownRuleset.
    """
    if not raws:
        raise LineDoesNotFollow(version=StreamVersion(1), expected=_expect_opening(kind), found="nothing")
    state = _refuse_at(StreamVersion(1), _reopen, kind, raws[0], catalogue, secret)
    ruleset = kind.find_ruleset(state)
    while state.version < len(raws):
        version = StreamVersion(state.version + 1)
        entry = _refuse_at(version, read_entry, kind, raws[state.version], ruleset)
        decided = _refuse_at(version, enact, kind, state, _refuse_at(version, read_input, entry))
        _refuse_others(decided.entries, raws)
        state = decided.state
    return state


def read_opening(kind: AnyKind, raw: bytes) -> Entry:
    """Read a first line, or raise BadLine."""
    entry = read_entry(kind, raw)
    if entry.line.type != kind.opening:
        raise BadLine(expected=_expect_opening(kind), found=entry.line.type)
    return entry


def _reopen(kind: StreamKind[Drawing], raw: bytes, catalogue: Catalogue, secret: Secret) -> Drawing:
    ((line, _),) = read_chain([raw])
    entry = read_opening(kind, raw)
    # Later lines are written again and compared; this one is only read, and reading passes over unknown fields.
    if as_stored(entry.event) != line.data:
        raise BadLine(expected=f"the fields of {kind.opening} and no others", found=", ".join(sorted(line.data)))
    ruleset = _find_ruleset(entry, catalogue)
    kind.check_opening(entry, ruleset)
    state = kind.begin(entry, ruleset, secret)
    opened, made = state.opened, commit(state.id, secret)
    is_bound = (opened.commit, opened.anchors) == (made, derive_anchors(secret, len(opened.anchors)))
    if not (is_bound and line.sig is None and line.by.startswith(("player:", "organiser:"))):
        terms = f"by a player or an organiser, unsigned, commit {made} and the anchors of that secret"
        raise BadLine(expected=terms, found=f"by {line.by}, sig {line.sig}, commit {opened.commit}")
    return state


def _find_ruleset(opening: Entry, catalogue: Catalogue) -> AnyRuleset:
    opened: OpenedStream = opening.event  # type: ignore[assignment]  # the type of its line states so
    named = opened.ruleset
    return catalogue.find(name=named.name, version=named.version, components=named.components)


def _expect_opening(kind: AnyKind) -> str:
    return f"a log that begins with {kind.opening}"


def _refuse_at(version: StreamVersion, step: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Take a step of deciding again; a refusal is told of the line it was taken at."""
    try:
        return step(*args, **kwargs)
    except UnknownRuleset:
        raise
    except (Rejection, BadLine, BrokenChain, SecretDoesNotFit) as error:
        raise LineDoesNotFollow(version=version, expected=error.expected, found=error.found) from error


def _refuse_others(decided: Iterable[Entry], raws: Sequence[bytes]) -> None:
    """Compare decided lines with the log's; raise LineDoesNotFollow at the first that is another."""
    for entry in decided:
        place = entry.line.version - 1
        found = raws[place] if place < len(raws) else b"nothing"
        if entry.raw != found:
            raise LineDoesNotFollow(
                version=entry.line.version, expected=entry.raw.decode(), found=found.decode(errors="replace")
            )
