"""The checkers: each compares a part of the installation with a replay of the log, and reports the differences."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from domain.accounts.notice import ORDER, Notice
from domain.audit.bundle import format_bundle
from domain.audit.case import Trust
from domain.audit.played_games import verify_member
from domain.audit.tournament import verify_tournament
from domain.audit.tournament_bundle import GameMember
from domain.game.absence import find_waiting_since_ms
from domain.game.clock import find_deadline_ms
from domain.game.events import ClockExpired, ClockExtended
from domain.game.evolve import settle
from domain.game.kind import GAMES
from domain.game.state import Game, Held, find_owed
from domain.ids import GameId, LogPosition, StreamId, StreamVersion, TournamentId
from domain.ledger.leaf import build_leaf, hash_leaf
from domain.ledger.merkle import GrowingTree
from domain.log.record import Line, line_hash, parse_at, parse_line
from domain.log.replay import is_of
from domain.log.state import is_over
from domain.rulesets.released import Rebuilder
from infra.clock_book import ABSENCE_MIN_MS, BEAT_LATE_MS
from infra.event_store import StoredEvent
from projections.folding import fold
from projections.released import PROJECTIONS
from services.audits.bundles import Bundles
from services.audits.tournament_bundles import TournamentBundles
from services.ledger.public_ledger import build_policy
from services.live.steps import Step
from services.notices.finding import NoticeFinder
from services.reading.histories import GameHistories
from services.reading.tournaments.histories import TournamentHistories
from simulate.world.clients import Answers
from simulate.world.database import SimulatedDatabase, run_at_once
from simulate.world.node import NOON_MS, ORIGIN, SIGNER, Node
from simulate.world.readers import Follower

LINES_MAX = 10_000
# The clocks of two nodes differ by no more, and a message takes as long.
SKEW_MS = 600
REBUILDER = Rebuilder()
TRUST = Trust(policy=build_policy(SIGNER, None))


class Evidence(Struct, kw_only=True):
    """Everything that happened, as the checkers see it."""

    database: SimulatedDatabase
    answers: Answers
    followers: list[Follower]
    # Readers of private games who have no part in them.
    strangers: list[Follower]
    nodes: list[Node]
    histories: GameHistories
    tournaments: TournamentHistories
    # What has reached each way.
    received: dict[str, list[Notice]]
    # Errors that the server logged, and exceptions that no code caught.
    errors: list[str] = field(default_factory=list)
    # The projections folded so far, by build.
    folds: dict[int, "Shadow"] = field(default_factory=dict)


class Shadow(Struct, kw_only=True):
    """A fold of the log beside a build, up to the same position."""

    position: LogPosition = LogPosition(0)
    states: dict[str, Any] = field(default_factory=dict)
    rows: dict[tuple[str, bytes], Any] = field(default_factory=dict)


Check = Callable[[Evidence], Iterator[str]]


def check_answers(evidence: Evidence) -> Iterator[str]:
    """Find each accepted command in the log once, as it was answered, and none rejected that was there."""
    lines = {stream: read_lines(evidence, stream) for stream, _ in evidence.answers.accepted}
    for (stream, command), answers in evidence.answers.accepted.items():
        found = [line for line in lines[stream] if line.command == command]
        raws = read_raws(evidence, stream)
        if len(found) != 1:
            yield f"command {command} of {stream} was accepted, and is in the log {len(found)} times"
            continue
        for answer in answers:
            if answer.last_version > len(raws) or line_hash(raws[answer.last_version - 1]) != answer.head:
                yield f"the answer to {command} names line {answer.last_version}, which is another one"
            elif answer.first_version != found[0].version:
                yield f"the answer to {command} begins at {answer.first_version}, its line is {found[0].version}"
    for (stream, command), before in evidence.answers.rejected.items():
        if any(line.command == command for line in read_lines(evidence, stream)[:before]):
            yield f"command {command} of {stream} was rejected, and was in the log"


def check_rejections(evidence: Evidence) -> Iterator[str]:
    """List the rejections that the stored head of then does not give."""
    yield from evidence.answers.unjust


def check_once(evidence: Evidence) -> Iterator[str]:
    """Find no command in a stream twice, and no clock of a decision that expired twice."""
    for stream in list_streams(evidence):
        lines = read_lines(evidence, stream)
        commands = [line.command for line in lines if line.command is not None]
        if len(commands) != len(set(commands)):
            yield f"a command of {stream} is in the log twice"
        expired = [(line.data["seat"], line.data["decision"]) for line in lines if line.type == "clock_expired"]
        if len(expired) != len(set(expired)):
            yield f"a clock of {stream} expired twice"


def check_readers(evidence: Evidence) -> Iterator[str]:
    """Compare the lines of each reader with the log."""
    for follower in evidence.followers:
        yield from follower.faults
        if follower.first is None or follower.version is None:
            continue
        raws = read_raws(evidence, follower.game)
        if follower.lines != raws[follower.first - 1 : follower.version]:
            yield f"a reader of {follower.game} has other lines than the log up to {follower.version}"


def check_boards(evidence: Evidence) -> Iterator[str]:
    """Compare the last board of each reader with a replay."""
    for follower in evidence.followers:
        if follower.version is None:
            continue
        seat, version = follower.board.get("your_seat"), follower.version
        knowledge: Any = "public" if seat is None else "secret"
        (moment,) = run_at_once(evidence.histories.read_range(follower.game, version, version, knowledge))
        holder = None if seat is None else moment.state.seats[seat]
        if seat is not None and not (isinstance(holder, Held) and holder.player == follower.player):
            yield f"a reader of {follower.game} sees seat {seat} at {version}, which is not its own"
        if follower.board != msgspec.json.decode(Step(moment).whole(seat).body)["board"]:
            yield f"a reader of {follower.game} has another board at {version} than a replay"


def check_delays(evidence: Evidence) -> Iterator[str]:
    """Find no line of a delayed game that a spectator had before its time."""
    for follower in evidence.followers:
        game = run_at_once(evidence.histories.read_newest(follower.game)) if follower.first is not None else None
        if game is None or not game.opened.delay_s or follower.player is not None:
            continue
        lines = read_lines(evidence, follower.game)
        over_ms = parse_at(lines[-1].at) if is_over(game) else float("inf")
        for line, received in zip(lines[(follower.first or 1) - 1 :], follower.received_ms, strict=False):
            received_ms = NOON_MS + received
            if received_ms < min(parse_at(line.at) + game.opened.delay_s * 1000, over_ms) - SKEW_MS:
                yield f"a spectator of {follower.game} had line {line.version} before its time"
                break


def check_private(evidence: Evidence) -> Iterator[str]:
    """Find no line of a private game that a stranger had."""
    for stranger in evidence.strangers:
        if stranger.lines:
            yield f"a stranger had {len(stranger.lines)} lines of {stranger.game}, which is private"


def check_clocks(evidence: Evidence) -> Iterator[str]:
    """Find no clock that ran out early, or for the time in which no timekeeper worked."""
    # A heartbeat that is long on its way has the time at which it was sent.
    beats_ms = sorted(evidence.database.book.beats_ms)
    absences = [(one, other) for one, other in pairwise(beats_ms) if other - one > ABSENCE_MIN_MS + SKEW_MS]
    for game in list_games(evidence):
        for line in read_lines(evidence, game):
            if line.type != "clock_expired":
                continue
            before: Game = settle(
                run_at_once(evidence.histories.read_at(game, StreamVersion(line.version - 1), "secret"))
            )
            expired = msgspec.convert(line.data, ClockExpired)
            owed = find_owed(before, expired.seat, expired.decision)
            clock, at_ms = before.opened.clock, parse_at(line.at)
            if owed is None or clock is None or at_ms <= (find_deadline_ms(before, owed) or 0):
                yield f"a clock of {game} expired at {line.version} before its deadline"
                continue
            lost_ms = sum(max(0, min(end, at_ms) - max(begin, owed.since_ms)) for begin, end in absences)
            if at_ms - owed.since_ms - lost_ms < clock.per_decision_ms - SKEW_MS:
                yield f"a clock of {game} expired at {line.version} for the server's own absence"


def check_given_back(evidence: Evidence) -> Iterator[str]:
    """Find no time given back that players had: that of beats on time for as long as an absence lasts at least."""
    steady = list_steady(evidence.database.book.beats_ms)
    for game in list_games(evidence):
        for line in read_lines(evidence, game):
            if line.type != "clock_extended" or line.by != "clock":
                continue
            before: Game = run_at_once(evidence.histories.read_at(game, StreamVersion(line.version - 1), "secret"))
            since_ms, at_ms = find_waiting_since_ms(before) or 0, parse_at(line.at)
            had_ms = sum(max(0, min(end, at_ms) - max(begin, since_ms)) for begin, end in steady)
            given_ms = msgspec.convert(line.data, ClockExtended).ms
            if given_ms > at_ms - since_ms - had_ms + SKEW_MS:
                yield f"{game} was given {given_ms} ms back at {line.version}, more than the server was away"


def list_steady(beats_ms: Sequence[int]) -> list[tuple[int, int]]:
    """List the times with beats on time for long enough."""
    runs: list[tuple[int, int]] = []
    for beat_ms in beats_ms:
        if runs and 0 <= beat_ms - runs[-1][1] < BEAT_LATE_MS:
            runs[-1] = (runs[-1][0], beat_ms)
        else:
            runs.append((beat_ms, beat_ms))
    return [(begin, end) for begin, end in runs if end - begin >= ABSENCE_MIN_MS]


def check_projections(evidence: Evidence) -> Iterator[str]:
    """Compare the rows of each build with a fold of the log up to its position."""
    projections = {projection.name: projection for projection in PROJECTIONS}
    for build in evidence.database.projections.builds.values():
        shadow = evidence.folds.setdefault(build.id, Shadow())
        events = list_events(evidence)[shadow.position : build.position]
        folded = fold(projections[build.projection], shadow.states, [parse(event.body) for event in events])
        shadow.states.update(folded.states)
        shadow.rows.update({(row.owner, row.place): row for row in folded.rows})
        shadow.position = build.position
        stored = evidence.database.projections.rows[build.id]
        bodies = {place: row.body for place, row in stored.items()}
        if bodies != {place: row.body for place, row in shadow.rows.items()}:
            yield f"the rows of {build.projection} at {build.position} are not the fold of the log"


def check_ledger(evidence: Evidence) -> Iterator[str]:
    """Compare every checkpoint that a machine signed with the tree of the log."""
    roots = list_roots(list_events(evidence))
    checkpoints = evidence.database.ledger.checkpoints.get(ORIGIN, {}).values()
    signed = [(checkpoint.tree_size, checkpoint.root) for checkpoint in checkpoints]
    signed += [(checkpoint.tree_size, checkpoint.root) for node in evidence.nodes for checkpoint in node.file.signed]
    for tree_size, root in signed:
        if tree_size >= len(roots) or roots[tree_size] != root:
            yield f"a checkpoint of {tree_size} leaves is not of the log"
    for node in evidence.nodes:
        if node.file.is_ahead:
            yield f"node {node.number} signed for leaves that were not stored"


def check_notices(evidence: Evidence) -> Iterator[str]:
    """Find every notice stored that follows from the log, and each way's in the order of the log; none is left."""
    finder, notices = NoticeFinder(evidence.histories, evidence.tournaments), evidence.database.notices
    found = run_at_once(finder.find(list_events(evidence), notices.find_reached))
    for notice in found:
        if notice.id not in notices.stored:
            yield f"the notice of {notice.fact} of {notice.stream}, {notice.kind}, was not stored"
        elif notice.kind == "game_over" and notice.id not in {each.id for each in evidence.received[notice.account]}:
            yield f"the end of {notice.stream} was not told to {notice.account}"
    for way, received in evidence.received.items():
        first: dict[str, Notice] = {}
        for each in received:
            first.setdefault(each.id, each)
        # A more urgent kind passes those that wait; each kind keeps the order of the log.
        for kind in ORDER:
            places = [(given.position, given.version, given.id) for given in first.values() if given.kind == kind]
            if places != sorted(places):
                yield f"way {way} was given its notices of {kind} out of order"
    for way, _ in notices.waiting:
        yield f"a notice for way {way} still waits"


def check_errors(evidence: Evidence) -> Iterator[str]:
    """List the errors that the server logged."""
    yield from evidence.errors


def check_healed(evidence: Evidence) -> Iterator[str]:
    """List what is behind after the faults: the ledger, rows, proofs of ended games, readers."""
    events, database = list_events(evidence), evidence.database
    published = database.ledger.checkpoints.get(ORIGIN, {})
    if max(published, default=0) != len(events):
        yield f"the newest checkpoint has {max(published, default=0)} leaves, the log {len(events)} lines"
    for build in database.projections.builds.values():
        if build.position != len(events):
            yield f"{build.projection} stands at {build.position}, the log at {len(events)}"
    for stream in list_streams(evidence):
        last = parse(read_raws(evidence, stream)[-1])
        if last.type != "secret_disclosed":
            yield f"{stream} ends with {last.type}"
        elif stream not in database.kept.kept:
            yield f"no proof of {stream} was kept"
    if database.notices.waiting or database.notices.position != len(events):
        yield "the notifier is behind"
    for follower in evidence.followers:
        if not follower.has_all:
            yield f"a reader of {follower.game} was left at {follower.version}"
        elif follower.board.get("your_seat") is None and holds_seat(evidence, follower):
            yield f"a player of {follower.game} was left without the view of its seat"


def holds_seat(evidence: Evidence, follower: Follower) -> bool:
    """Return whether a reader has a seat in its game as stored."""
    seats = run_at_once(evidence.histories.read_newest(follower.game)).seats
    return any(isinstance(seat, Held) and seat.player == follower.player for seat in seats)


def check_bundles(evidence: Evidence) -> Iterator[str]:
    """Audit every game and tournament with the ledger's key: everything holds, without a witness."""
    bundles = Bundles(store=evidence.database.log, kept=evidence.database.kept, ledger=None)  # type: ignore[arg-type]  # as in `running_parts`
    members = {
        game: GameMember(game=game, raw=format_bundle(run_at_once(bundles.build(game))))
        for game in list_games(evidence)
    }
    played = {game: verify_member(each, rebuilder=REBUILDER, trust=TRUST) for game, each in members.items()}
    for game, found in played.items():
        if not found.is_proven:
            yield f"the bundle of {game} is not proven: {found.refusal or found.broken or found.unchecked}"
    for stream in list_streams(evidence):
        if stream not in played:
            begun = run_at_once(TournamentBundles(bundles).begin(TournamentId(stream)))
            own = {game: played[game] for game in begun.games if game in played}
            bundle = replace(begun.bundle, games=[members[game] for game in own])
            report = verify_tournament(bundle, own, rebuilder=REBUILDER, trust=TRUST)
            if report.verdict.kind != "unvouched":
                yield f"the bundle of {stream} is not proven: {report.verdict}"


DURING: Sequence[Check] = (
    check_errors,
    check_readers,
    check_boards,
    check_delays,
    check_private,
    check_answers,
    check_rejections,
    check_once,
    check_clocks,
    check_given_back,
    check_projections,
    check_ledger,
)
AT_THE_END: Sequence[Check] = (*DURING, check_healed, check_notices, check_bundles)


def run_checks(evidence: Evidence, checks: Sequence[Check]) -> list[str]:
    return [f"{check.__name__}: {name}" for check in checks for name in _tell(check, evidence)]


def _tell(check: Check, evidence: Evidence) -> list[str]:
    try:
        return list(check(evidence))
    except Exception as error:  # noqa: BLE001 - a log that cannot be replayed is a violation as any other
        return [f"{type(error).__name__}: {error}"]


def list_events(evidence: Evidence) -> list[StoredEvent]:
    return evidence.database.log.events


def list_streams(evidence: Evidence) -> list[StreamId]:
    return list(dict.fromkeys(event.stream for event in list_events(evidence)))


def list_games(evidence: Evidence) -> list[GameId]:
    """List the games, those of tables among them."""
    return [GameId(event.stream) for event in list_events(evidence) if event.version == 1 and is_of(GAMES, event.body)]


def read_raws(evidence: Evidence, stream: StreamId) -> list[bytes]:
    raws: list[bytes] = run_at_once(evidence.database.log.read_stream(stream, after=StreamVersion(0), limit=LINES_MAX))
    return raws


def read_lines(evidence: Evidence, stream: StreamId) -> list[Line]:
    return [parse(raw) for raw in read_raws(evidence, stream)]


@lru_cache(maxsize=8_192)
def parse(raw: bytes) -> Line:
    """Parse a line, which many checks look at, once."""
    return parse_line(raw)


def list_roots(events: Sequence[StoredEvent]) -> list[bytes]:
    """List the root of each size, from the log alone."""
    tree, keys = GrowingTree(), dict[StreamId, bytes]()
    roots = [tree.root()]
    for event in events:
        if event.version == 1:
            keys[event.stream] = bytes.fromhex(msgspec.json.decode(event.body)["data"]["leaf_key"])
        leaf = build_leaf(keys[event.stream], stream=event.stream, version=event.version, line=event.hash)
        tree.append(hash_leaf(leaf))
        roots.append(tree.root())
    return roots
