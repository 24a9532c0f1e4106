"""The values of an audit: one finding a check, in plain words, and its assurances to the reader."""

from msgspec import Struct

from domain.audit.verdict import Verdict
from domain.ids import GameId, LineHash, PlayerId, Seat, StreamVersion

# Longer values are shortened where they are shown: an audit is read by people.
SHOWN_CHARACTERS_MAX = 600


class Held(Struct, frozen=True, kw_only=True, tag_field="verdict", tag="held"):
    """`seen` states how much was looked at."""

    seen: str


class Broken(Struct, frozen=True, kw_only=True, tag_field="verdict", tag="did_not_hold"):
    """The first place where it does not hold; `version` is None where that is no line of the log."""

    version: StreamVersion | None
    expected: str
    found: str


class Unchecked(Struct, frozen=True, kw_only=True, tag_field="verdict", tag="not_checkable_yet"):
    """Nothing speaks against it, and something that is needed to check it is missing."""

    reason: str


Result = Held | Broken | Unchecked


class Finding(Struct, frozen=True, kw_only=True):
    """One line of an audit. `check` is a stable name; `claim` is the sentence that holds or does not."""

    check: str
    claim: str
    result: Result


class Assurance(Struct, frozen=True, kw_only=True):
    """A circumstance that a reader should know: whether the game demanded it, and whether it was so either way."""

    name: str
    is_demanded: bool
    is_kept: bool
    told: str


class SeatContribution(Struct, frozen=True, kw_only=True):
    """A seat's contributions to chance. With none, its operator alone knew the dice."""

    seat: Seat
    nonces: int
    is_signed: bool


class Fingerprint(Struct, frozen=True, kw_only=True):
    """The values that distinguish two bundles, or show that they are two histories of one game."""

    commit: str
    anchors: tuple[str, ...]
    # None until it is disclosed.
    secret: str | None
    hashes: tuple[LineHash, ...]


class Report(Struct, frozen=True, kw_only=True):
    """The audit of one bundle. `ruleset` is as the game names it: "charioteer@1".

    `people` are the players who ever sat, ascending; `unvouched` are files that no check reads.
    """

    game: GameId | None
    ruleset: str | None
    status: str
    lines: int
    verdict: Verdict
    people: tuple[PlayerId, ...]
    findings: tuple[Finding, ...]
    assurances: tuple[Assurance, ...]
    contributions: tuple[SeatContribution, ...]
    unvouched: tuple[str, ...]

    @property
    def about(self) -> tuple[str, ...]:
        """Name the stream, its rules and how far it is."""
        return (str(self.game), str(self.ruleset), self.status, f"{self.lines} lines")

    @property
    def broken(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if isinstance(finding.result, Broken))

    @property
    def unchecked(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if isinstance(finding.result, Unchecked))


def broken(version: int | None, *, expected: object, found: object) -> Broken:
    """Make a result that can be shown, with any hostile bytes quoted in it."""
    place = None if version is None else StreamVersion(version)
    return Broken(version=place, expected=shorten(str(expected)), found=shorten(str(found)))


def shorten(text: str) -> str:
    """Cut to a readable length, and leave no character that a terminal would obey."""
    cut = text if len(text) <= SHOWN_CHARACTERS_MAX else f"{text[:SHOWN_CHARACTERS_MAX]}… ({len(text)} characters)"
    return escape_unseen(cut)


def escape_unseen(text: str) -> str:
    """Write out invisible and bidirectional control characters, as logs of older servers may hold them."""
    return "".join(character if character.isprintable() else ascii(character)[1:-1] for character in text)
