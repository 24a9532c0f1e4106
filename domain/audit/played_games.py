"""One game of a tournament's bundle: verified by itself, with the values that its table needs. Made in any process."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from domain.audit.archive import BadArchive
from domain.audit.bundle import parse_bundle
from domain.audit.case import Case, Trust
from domain.audit.findings import Broken, Fingerprint, Report
from domain.audit.tournament_bundle import GameMember
from domain.audit.verdict import Reserve
from domain.audit.verify import judge
from domain.game.events import (
    ClockExpired,
    GameAborted,
    GameFinished,
    GameOpened,
    GameStarted,
    PauseEnded,
    SeatReadied,
    TablePaused,
    Unranked,
)
from domain.ids import GameId, LineHash, Seat, StreamVersion
from domain.log.entry import Entry
from domain.log.record import parse_at
from domain.ruleset.decision import Placing
from domain.rulesets.released import Rebuilder


class Stop(Struct, frozen=True, kw_only=True):
    """A pause of a table's game, by the ruling in this line of its tournament; without an end it went on."""

    line: StreamVersion
    from_ms: int
    to_ms: int | None


class PlayedGame(Struct, frozen=True, kw_only=True):
    """`refusal` states why a member is no bundle. `ranking` is None until the game is finished.

    Of its report are here the first finding that does not hold, with its claim, the names of the checks that cannot be
    made yet, and the reserves of its verdict: a file may have thousands of games.
    """

    game: GameId
    refusal: str | None = None
    broken: tuple[str, Broken] | None = None
    unchecked: tuple[str, ...] = ()
    reserved: tuple[Reserve, ...] = ()
    fingerprint: Fingerprint | None = None
    opened: GameOpened | None = None
    opened_by: str = ""
    version: StreamVersion = StreamVersion(0)
    hash: LineHash = LineHash("")
    ranking: tuple[Placing, ...] | None = None
    # The times of all three are those of their lines. A game is played from its first input after the start on.
    readied_ms: Mapping[Seat, int] = {}
    started_ms: int | None = None
    played_ms: int | None = None
    pauses: tuple[Stop, ...] = ()
    lapsed_ms: tuple[int, ...] = ()  # when clocks ran out
    is_aborted: bool = False
    aborted_by: str | None = None

    @property
    def is_proven(self) -> bool:
        """Return whether everything that was asked of it holds."""
        return self.refusal is None and self.broken is None and not self.unchecked


def verify_member(member: GameMember, *, rebuilder: Rebuilder, trust: Trust) -> PlayedGame:
    """Verify one game and read the values of its table; hostile bytes make findings, never exceptions."""
    try:
        bundle = parse_bundle(member.raw)
    except BadArchive as error:
        return PlayedGame(game=member.game, refusal=str(error))
    # The checkpoint that the reader saw before is compared with the one over the tournament, the newest of all.
    case = Case(bundle, rebuilder, replace(trust, seen=None))
    entries = [line.entry for line in case.lines if line.entry is not None]
    events = [entry.event for entry in entries]
    finished = next((event for event in events if isinstance(event, GameFinished)), None)
    lines, first = case.lines, case.lines[0].line if case.lines else None
    started = next((entry.line for entry in entries if isinstance(entry.event, GameStarted)), None)
    report = judge(case)
    return PlayedGame(
        # Under its own id: a game that stands in the place of another one shows by that.
        game=case.game or member.game,
        broken=_find_broken(report),
        unchecked=tuple(finding.check for finding in report.unchecked),
        reserved=report.verdict.reserved,
        # No other file of this game is beside it: the hashes of all games would fill the memory.
        fingerprint=None if case.fingerprint is None else replace(case.fingerprint, hashes=()),
        opened=case.opened,
        opened_by=first.by if first is not None else "",
        version=StreamVersion(len(lines)),
        hash=lines[-1].hash if lines else LineHash(""),
        ranking=finished.ranking if isinstance(finished, GameFinished) else None,
        readied_ms={
            entry.event.seat: parse_at(entry.line.at) for entry in entries if isinstance(entry.event, SeatReadied)
        },
        started_ms=None if started is None else parse_at(started.at),
        played_ms=None if started is None else _find_played_ms(entries, started.version),
        pauses=tuple(_list_stops(entries)),
        lapsed_ms=tuple(parse_at(entry.line.at) for entry in entries if isinstance(entry.event, ClockExpired)),
        aborted_by=next((entry.line.by for entry in entries if isinstance(entry.event, GameAborted)), None),
        is_aborted=any(isinstance(event, Unranked) for event in events),
    )


def _list_stops(entries: Sequence[Entry]) -> Iterator[Stop]:
    paused: tuple[StreamVersion, int] | None = None
    for entry in entries:
        if isinstance(entry.event, TablePaused):
            paused = (entry.event.line, parse_at(entry.line.at))
        elif isinstance(entry.event, PauseEnded) and paused is not None:
            # The clock ends one of a week, whatever the organisers say.
            to_ms = parse_at(entry.line.at) if entry.line.by == "server" else None
            yield Stop(line=paused[0], from_ms=paused[1], to_ms=to_ms)
            paused = None
    if paused is not None:
        yield Stop(line=paused[0], from_ms=paused[1], to_ms=None)


def _find_broken(report: Report) -> tuple[str, Broken] | None:
    found = ((finding.claim, finding.result) for finding in report.findings)
    return next(((claim, result) for claim, result in found if isinstance(result, Broken)), None)


def _find_played_ms(entries: Sequence[Entry], started: StreamVersion) -> int | None:
    inputs = (entry.line for entry in entries if entry.line.kind == "input" and entry.line.version > started)
    return next((parse_at(line.at) for line in inputs), None)
