"""A case: the bundle of one audit, read once, with the values that several checks share."""

from functools import cached_property
from hashlib import sha256
from typing import Any, Generic

from msgspec import Struct

from domain.audit.bundle import BundleOf, LogBundleOf
from domain.audit.deadlines import find_clock_misfit
from domain.audit.draws import Draws, find_misfit_draws
from domain.audit.findings import Broken, Fingerprint, Result, Unchecked, broken
from domain.audit.reading import LINES_MAX, LogLine, read_lines, read_opening, split_log
from domain.audit.walk import Walk, walk
from domain.chance import Secret
from domain.game.events import GameOpened
from domain.game.kind import GAMES
from domain.game.state import Game
from domain.ids import GameId, StreamId, StreamVersion
from domain.ledger.checkpoint import SignedCheckpoint
from domain.ledger.entry_reader import LedgerRead
from domain.ledger.policy import Policy
from domain.ledger.receipt import SignedReceipt
from domain.log.entry import Entry
from domain.log.events import SecretDisclosed
from domain.log.kind import StreamKind
from domain.log.state import OpenedLog, OpenedStream, State
from domain.ruleset.ruleset import AnyRuleset
from domain.rulesets.released import Rebuilder, RulesetNotReleased, UnbuildableRuleset


class Trust(Struct, frozen=True, kw_only=True):
    """The reader's own knowledge: trusted keys, a checkpoint of another time, all entries, and receipts.

    `components` are the hashes of those that the reader's own release has; None where the reader has none.
    """

    policy: Policy | None = None
    seen: SignedCheckpoint | None = None
    read: LedgerRead | None = None
    receipts: tuple[SignedReceipt, ...] = ()
    components: frozenset[str] | None = None


NO_TRUST = Trust()


class LogCase(Generic[State]):
    """The case of any log. Read-only once built. `entries` are the lines up to the first that cannot be read."""

    bundle: LogBundleOf[Any]
    opened: OpenedLog | None
    ruleset: AnyRuleset | None = None

    def __init__(
        self, kind: StreamKind[State], bundle: LogBundleOf[Any], trust: Trust, *, lines_max: int = LINES_MAX
    ) -> None:
        self.kind = kind
        self.trust = trust
        self.policy = trust.policy
        self.seen = trust.seen
        self.bundle = bundle
        raws, self.ending_refusal = split_log(bundle.log, lines_max=lines_max)
        self.opened = read_opening(kind, raws[0]) if raws else None
        self.find_rules()
        self.lines: list[LogLine] = read_lines(kind, raws, self.ruleset)
        self.entries: list[Entry] = _readable(self.lines)

    def find_rules(self) -> None:
        """Find the rules that the first line names, by which the others are read: nothing where none are named."""

    @property
    def stream(self) -> StreamId | None:
        first = self.lines[0].line if self.lines else None
        return first.stream if first is not None else None

    @property
    def unread_from(self) -> StreamVersion | None:
        """Return the first line that cannot be read, if there is one."""
        return StreamVersion(len(self.entries) + 1) if len(self.entries) < len(self.lines) else None

    @cached_property
    def disclosed(self) -> Secret | None:
        """Return the first secret that the log discloses, whether or not it is the right one."""
        events = (line.entry.event for line in self.lines if line.entry is not None)
        event = next((event for event in events if isinstance(event, SecretDisclosed)), None)
        return None if event is None else Secret(bytes.fromhex(event.secret))


# A case of any log.
AnyLog = LogCase[Any]


class StreamCase(LogCase[State]):
    """The case of a game or a tournament."""

    bundle: BundleOf[Any]
    opened: OpenedStream | None

    def __init__(
        self,
        kind: StreamKind[State],
        bundle: BundleOf[Any],
        rebuilder: Rebuilder,
        trust: Trust,
        *,
        lines_max: int = LINES_MAX,
    ) -> None:
        self._rebuilder = rebuilder
        self.components_hash = sha256(bundle.components).hexdigest()
        super().__init__(kind, bundle, trust, lines_max=lines_max)

    def find_rules(self) -> None:
        """Build the rules from the components, where these are those of the first line."""
        self.ruleset, self.ruleset_refusal = self._rebuild(self._rebuilder)

    @property
    def ruleset_name(self) -> str | None:
        """Return the ruleset as the first line names it: "charioteer@1"."""
        return None if self.opened is None else f"{self.opened.ruleset.name}@{self.opened.ruleset.version}"

    @property
    def fingerprint(self) -> Fingerprint | None:
        if self.opened is None:
            return None
        hashes = tuple(line.hash for line in self.lines)
        secret = None if self.disclosed is None else self.disclosed.hex()
        return Fingerprint(commit=self.opened.commit, anchors=self.opened.anchors, secret=secret, hashes=hashes)

    @cached_property
    def draws(self) -> Draws:
        return find_misfit_draws(self.entries)

    @cached_property
    def walk(self) -> Walk[State]:
        refusal = self.ruleset_refusal
        if refusal is None:
            return walk(self.kind, self.entries, self.ruleset, self.disclosed, judge=self.judge_input)
        result: Result = broken(1, expected=refusal.expected, found=refusal.found)
        if isinstance(refusal, RulesetNotReleased):
            result = Unchecked(reason=f"neither this release nor an installed package has the rules of {refusal.found}")
        return Walk(judged={}, decided=None, last=None, redecision=result)

    def judge_input(self, entry: Entry, state: State) -> Broken | None:  # noqa: ARG002  a game's case does
        """Judge an input by the state before it: nothing of a stream without clocks."""
        return None

    def _rebuild(self, rebuilder: Rebuilder) -> tuple[AnyRuleset | None, UnbuildableRuleset | None]:
        # With other components than those of the first line, nothing that follows would state anything.
        if self.opened is None or self.components_hash != self.opened.ruleset.components:
            return None, None
        named = self.opened.ruleset
        try:
            return rebuilder.rebuild(name=named.name, version=named.version, components=self.bundle.components), None
        except UnbuildableRuleset as error:
            return None, error


# A case of a game or of a tournament.
AnyCase = StreamCase[Any]


class Case(StreamCase[Game]):
    """The case of a game."""

    opened: GameOpened | None

    def __init__(self, bundle: BundleOf[Any], rebuilder: Rebuilder, trust: Trust) -> None:
        super().__init__(GAMES, bundle, rebuilder, trust)

    def judge_input(self, entry: Entry, state: Game) -> Broken | None:
        return find_clock_misfit(entry, state)

    @property
    def game(self) -> GameId | None:
        return None if self.stream is None else GameId(self.stream)


def _readable(lines: list[LogLine]) -> list[Entry]:
    entries = []
    for line in lines:
        if line.entry is None:
            break
        entries.append(line.entry)
    return entries
