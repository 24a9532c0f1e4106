"""A walk over a log: every input decided again as far as the secret and the lines allow, and folded from there on.

Every check that needs the state at an input takes it from here, so that a log is walked once.
"""

from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import Generic

import msgspec
from msgspec import Struct

from domain.audit.findings import Broken, Held, Result, Unchecked, broken
from domain.audit.reading import fill_line
from domain.canonical import encode
from domain.chance import DrawDoesNotFit, Secret, SecretDoesNotFit
from domain.ids import StreamVersion
from domain.log.enact import admit_unsigned, carry_out
from domain.log.entry import Entry
from domain.log.kind import NotDisclosed, StreamKind
from domain.log.record import BadLine, find_data
from domain.log.replay import read_input
from domain.log.state import State
from domain.rejection import Rejection
from domain.ruleset.ruleset import AnyRuleset


class Walk(Struct, Generic[State], frozen=True, kw_only=True):
    """`decided` is the state after the last input that was allowed and whose outcomes are those that follow.

    Of a game played by rules, `judged` has the verdict of `judge` on each input, and `last` is the state after
    the last line that could be folded.
    """

    judged: dict[StreamVersion, Broken | None]
    decided: State | None
    last: State | None
    redecision: Result


# Judges an input by the state just before it. No state is kept: those of a long game fill the memory of a verifier.
Judge = Callable[[Entry, State], Broken | None]


class _Stopped(Exception):
    """Deciding again goes no further, for the reason that is the result."""

    def __init__(self, result: Result) -> None:
        self.result = result
        super().__init__(str(result))


def walk(
    kind: StreamKind[State],
    entries: Sequence[Entry],
    ruleset: AnyRuleset | None,
    secret: Secret | None,
    *,
    judge: Judge[State],
) -> Walk[State]:
    """Walk over the entries, the first of which opens the stream; refuses nothing and raises nothing."""
    if ruleset is None or not entries or entries[0].line.type != kind.opening:
        reason = "the rules, or the line that names them, cannot be read"
        return Walk(judged={}, decided=None, last=None, redecision=Unchecked(reason=reason))
    return _Walker(kind, entries, judge).walk(ruleset, secret)


class _Walker(Generic[State]):
    def __init__(self, kind: StreamKind[State], entries: Sequence[Entry], judge: Judge[State]) -> None:
        self._kind = kind
        self._entries = entries
        self._judge = judge
        self._judged: dict[StreamVersion, Broken | None] = {}

    def walk(self, ruleset: AnyRuleset, secret: Secret | None) -> Walk[State]:
        state, result = self._begin(ruleset, secret)
        if state is not None and not isinstance(result, Broken | Unchecked):
            state, result = self._redecide(state)
        decided = state
        if state is not None and self._kind.is_played:
            state = self._fold(state)
        return Walk(judged=self._judged, decided=decided, last=state, redecision=result)

    def _begin(self, ruleset: AnyRuleset, secret: Secret | None) -> tuple[State | None, Result]:
        """Begin with the secret where something hidden is drawn from it, or without it where it does not fit."""
        kind, entry = self._kind, self._entries[0]
        result: Result = Held(seen="the first line")
        if kind.is_played and secret is None:
            result = Unchecked(reason=f"the secret of the {kind.name} is not disclosed yet")
        try:
            kind.check_opening(entry, ruleset)
            return kind.begin(entry, ruleset, secret if kind.is_played else None), result
        except SecretDoesNotFit:
            reason = f"the disclosed secret is not the one of this {kind.name}, so that nothing can be drawn again"
            return kind.begin(entry, ruleset, None), Unchecked(reason=reason)
        except Rejection as error:
            return None, broken(1, expected=error.expected, found=error.found)
        except MemoryError:
            raise
        except Exception as error:  # noqa: BLE001  a hostile first line may break the rules in any way
            return None, broken(1, expected="terms with which these rules can begin", found=_name_error(error))

    def _redecide(self, state: State) -> tuple[State, Result]:
        """Decide input after input; stop before the first that is refused or whose outcomes are others."""
        entries, inputs = self._entries, 0
        while state.version < len(entries):
            self._see(StreamVersion(state.version + 1), entries[state.version], state)
            try:
                state = self._decide_next(state)
            except _Stopped as stopped:
                return state, stopped.result
            inputs += 1
        return state, Held(seen=f"{inputs} inputs and {len(entries) - 1 - inputs} outcomes")

    def _decide_next(self, state: State) -> State:
        kind, entry, version = self._kind, self._entries[state.version], state.version + 1
        if entry.line.kind != "input":
            expected = "an input, as nothing more follows from the last one"
            raise _Stopped(broken(version, expected=expected, found=_describe(entry)))
        try:
            put = read_input(entry)
            if put.at_ms < state.at_ms:
                put = msgspec.structs.replace(put, at_ms=state.at_ms)
            admit_unsigned(kind, state, put)
            decided = carry_out(kind, state, put, find_known=self._find_known)
        except NotDisclosed:
            result = broken(version, expected="what follows, lots or the secret among it", found="neither at its place")
            raise _Stopped(result) from None
        except (Rejection, BadLine, DrawDoesNotFit) as error:
            raise _Stopped(broken(version, expected=error.expected, found=error.found)) from None
        except MemoryError:
            raise
        except Exception as error:  # noqa: BLE001  a log that is not of these rules may break them in any way
            expected = "an input that the rules can carry out"
            raise _Stopped(broken(version, expected=expected, found=_name_error(error))) from None
        there = self._entries[state.version : state.version + len(decided.entries)]
        _compare_following(decided.entries, there)
        # The next lines are compared with the log's.
        return msgspec.structs.replace(decided.state, head=there[-1].hash)

    def _find_known(self, version: StreamVersion) -> Entry | None:
        return self._entries[version - 1] if version <= len(self._entries) else None

    def _see(self, version: StreamVersion, entry: Entry, state: State) -> None:
        if not self._kind.is_played:
            return
        try:
            self._judged[version] = self._judge(entry, state)
        except MemoryError:
            raise
        except Exception as error:  # noqa: BLE001  as above
            self._judged[version] = broken(version, expected="an input that can be judged", found=_name_error(error))

    def _fold(self, state: State) -> State:
        """Fold as far as possible; a log that is not of these rules stops it anywhere."""
        kind = self._kind
        try:
            for entry in self._entries[state.version :]:
                if entry.line.kind == "input":
                    state = kind.settle(state)
                    self._see(entry.line.version, entry, state)
                state = kind.evolve(state, entry)
            return kind.settle(state)
        except MemoryError:
            raise
        except Exception:  # noqa: BLE001  as above; the fold so far stands
            return state


def _compare_following(follows: Sequence[Entry], there: Sequence[Entry]) -> None:
    """Compare an input and its outcomes with the lines at that place, or raise _Stopped.

    Where only `prev` or `version` differ, another check has found it.
    """
    for expected, found in zip_longest(follows, there):
        if found is None:
            raise _Stopped(broken(expected.line.version, expected=_describe(expected), found="nothing"))
        if expected is not found:
            _compare(expected, found)


def _compare(expected: Entry, found: Entry) -> None:
    if expected.raw == found.raw:
        return
    same_place = msgspec.structs.replace(fill_line(found), prev=expected.line.prev, version=expected.line.version)
    if encode(same_place) == expected.raw:
        return
    one, other = _describe(expected), _describe(found)
    if one == other:
        one, other = expected.raw.decode(), found.raw.decode()
    raise _Stopped(broken(expected.line.version, expected=one, found=other))


def _describe(entry: Entry) -> str:
    return f"{entry.line.type} {find_data(entry.raw).decode()}"


def _name_error(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"
