"""What one audit looks at: the bundle, read once, and what several checks need to know of it."""

from functools import cached_property
from hashlib import sha256

from msgspec import Struct

from domain.audit.bundle import Bundle
from domain.audit.draws import Draws, find_misfit_draws
from domain.audit.reading import LogLine, read_lines, read_opening, split_log
from domain.audit.walk import Walk, walk
from domain.chance import Secret
from domain.game.events import GameOpened
from domain.ids import GameId, StreamVersion
from domain.ledger.checkpoint import SignedCheckpoint
from domain.ledger.policy import Policy
from domain.log.entry import Entry
from domain.log.events import SecretDisclosed
from domain.ruleset.ruleset import AnyRuleset
from domain.rulesets.released import Rebuilder, UnbuildableRuleset


class Trust(Struct, frozen=True, kw_only=True):
    """What the reader has from elsewhere: whose keys count, and a checkpoint of the ledger from another time."""

    policy: Policy | None = None
    seen: SignedCheckpoint | None = None


NO_TRUST = Trust()


class Case:
    """Read-only once built. `entries` are the lines up to the first that cannot be read."""

    def __init__(self, bundle: Bundle, rebuilder: Rebuilder, trust: Trust) -> None:
        self.policy = trust.policy
        self.seen = trust.seen
        self.bundle = bundle
        raws, self.ending_refusal = split_log(bundle.log)
        self.opened: GameOpened | None = read_opening(raws[0]) if raws else None
        self.ruleset, self.ruleset_refusal = _rebuild(self.opened, bundle.components, rebuilder)
        self.lines: list[LogLine] = read_lines(raws, self.ruleset)
        self.entries: list[Entry] = _readable(self.lines)

    @property
    def stream(self) -> GameId | None:
        first = self.lines[0].line if self.lines else None
        return GameId(first.stream) if first is not None else None

    @cached_property
    def components_hash(self) -> str:
        return sha256(self.bundle.components).hexdigest()

    @property
    def unread_from(self) -> StreamVersion | None:
        """Return the first line that cannot be read, if there is one."""
        return StreamVersion(len(self.entries) + 1) if len(self.entries) < len(self.lines) else None

    @cached_property
    def disclosed(self) -> Secret | None:
        """Return the first secret that the log discloses, whether or not it is the right one."""
        shown = (line.entry.event for line in self.lines if line.entry is not None)
        event = next((each for each in shown if isinstance(each, SecretDisclosed)), None)
        return None if event is None else Secret(bytes.fromhex(event.secret))

    @cached_property
    def draws(self) -> Draws:
        return find_misfit_draws(self.entries)

    @cached_property
    def walk(self) -> Walk:
        return walk(self.entries, self.ruleset, self.disclosed)


def _readable(lines: list[LogLine]) -> list[Entry]:
    entries = []
    for line in lines:
        if line.entry is None:
            break
        entries.append(line.entry)
    return entries


def _rebuild(
    opened: GameOpened | None, components: bytes, rebuilder: Rebuilder
) -> tuple[AnyRuleset | None, UnbuildableRuleset | None]:
    # With other components than the game was played with, nothing that follows would say anything.
    if opened is None or sha256(components).hexdigest() != opened.ruleset.components:
        return None, None
    try:
        named = opened.ruleset
        return rebuilder.rebuild(name=named.name, version=named.version, components=components), None
    except UnbuildableRuleset as error:
        return None, error
