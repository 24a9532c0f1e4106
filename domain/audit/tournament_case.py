"""What the audit of a tournament looks at: its log, read once and decided again, and its games, verified before."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from hashlib import sha256

import msgspec
from msgspec import Struct

from domain.audit.case import Trust
from domain.audit.draws import Draws, find_misfit_draws
from domain.audit.findings import Held, Result, Unchecked, broken
from domain.audit.played_games import PlayedGame
from domain.audit.reading import LogLine, read_lines_as, split_log
from domain.audit.redeciding import Stopped, compare_following, name_error
from domain.audit.tournament_bundle import TournamentBundle
from domain.chance import DrawDoesNotFit, Secret
from domain.ids import GameId, StreamVersion, TournamentId
from domain.log.entry import Entry
from domain.log.events import SecretDisclosed
from domain.log.record import BadLine, Line
from domain.rejection import Rejection
from domain.ruleset.ruleset import AnyRuleset
from domain.rulesets.released import Rebuilder, UnbuildableRuleset
from domain.tournament.admission import LINES_MAX, admit_unsigned
from domain.tournament.consequences import NotDisclosed
from domain.tournament.enact import carry_out
from domain.tournament.events import INPUT_TYPES, OUTCOME_TYPES, TournamentOpened
from domain.tournament.opening import begin_tournament, check_opening
from domain.tournament.replay import as_input
from domain.tournament.state import Tournament

# The last input that is admitted may be followed by a draw of the largest field.
AUDITED_LINES_MAX = LINES_MAX + 5_000


class TournamentWalk(Struct, frozen=True, kw_only=True):
    """`last` is the tournament after the last input that was allowed and whose outcomes are those that follow."""

    last: Tournament | None
    redecision: Result


class TournamentCase:
    """Read-only once built. `entries` are the lines up to the first that cannot be read."""

    def __init__(
        self, bundle: TournamentBundle, rebuilder: Rebuilder, trust: Trust, games: Mapping[GameId, PlayedGame]
    ) -> None:
        self.policy = trust.policy
        self.seen = trust.seen
        self.bundle = bundle
        self.games = games
        raws, self.ending_refusal = split_log(bundle.log, lines_max=AUDITED_LINES_MAX)
        self.lines: list[LogLine] = read_lines_as(raws, _find_type)
        self.entries: list[Entry] = []
        for line in self.lines:
            if line.entry is None:
                break
            self.entries.append(line.entry)
        self.opened = _find_opening(self.entries)
        self.components_hash = sha256(bundle.components).hexdigest()
        self.ruleset, self.ruleset_refusal = self._rebuild(rebuilder)

    @property
    def stream(self) -> TournamentId | None:
        first = self.lines[0].line if self.lines else None
        return TournamentId(first.stream) if first is not None else None

    @property
    def unread_from(self) -> StreamVersion | None:
        return StreamVersion(len(self.entries) + 1) if len(self.entries) < len(self.lines) else None

    @cached_property
    def disclosed(self) -> Secret | None:
        shown = (entry.event for entry in self.entries)
        event = next((each for each in shown if isinstance(each, SecretDisclosed)), None)
        return None if event is None else Secret(bytes.fromhex(event.secret))

    @cached_property
    def draws(self) -> Draws:
        return find_misfit_draws(self.entries)

    @cached_property
    def walk(self) -> TournamentWalk:
        return _walk(self.entries, self.ruleset)

    def _rebuild(self, rebuilder: Rebuilder) -> tuple[AnyRuleset | None, UnbuildableRuleset | None]:
        if self.opened is None or self.components_hash != self.opened.ruleset.components:
            return None, None
        named = self.opened.ruleset
        try:
            return rebuilder.rebuild(name=named.name, version=named.version, components=self.bundle.components), None
        except UnbuildableRuleset as error:
            return None, error


def _find_type(line: Line) -> type[Struct] | None:
    types: Mapping[str, type[Struct]] = INPUT_TYPES if line.kind == "input" else OUTCOME_TYPES
    return types.get(line.type)


def _find_opening(entries: Sequence[Entry]) -> TournamentOpened | None:
    event = entries[0].event if entries else None
    return event if isinstance(event, TournamentOpened) else None


def _walk(entries: Sequence[Entry], ruleset: AnyRuleset | None) -> TournamentWalk:
    """Decide every input again. The secret is not needed: lots are checked against the links that the log shows."""
    opened = _find_opening(entries)
    if ruleset is None or opened is None:
        reason = "the rules, or the line that names them, cannot be read"
        return TournamentWalk(last=None, redecision=Unchecked(reason=reason))
    tournament, inputs = None, 0
    try:
        tournament = _begin(entries[0], opened, ruleset)
        while tournament.version < len(entries):
            tournament = _decide_next(entries, tournament)
            inputs += 1
    except Stopped as stopped:
        return TournamentWalk(last=tournament, redecision=stopped.result)
    seen = f"{inputs} inputs and {len(entries) - 1 - inputs} outcomes"
    return TournamentWalk(last=tournament, redecision=Held(seen=seen))


def _begin(entry: Entry, opened: TournamentOpened, ruleset: AnyRuleset) -> Tournament:
    try:
        check_opening(opened, entry.line.by, ruleset)
        return begin_tournament(entry, None)
    except Rejection as error:
        raise Stopped(broken(1, expected=error.expected, found=error.found)) from None
    except Exception as error:  # noqa: BLE001  a hostile first line may break the rules in any way; it is told as broken
        raise Stopped(broken(1, expected="terms that can be played", found=name_error(error))) from None


def _decide_next(entries: Sequence[Entry], tournament: Tournament) -> Tournament:
    entry, version = entries[tournament.version], StreamVersion(tournament.version + 1)
    try:
        put = as_input(entry)
        admit_unsigned(tournament, msgspec.structs.replace(put, at_ms=max(put.at_ms, tournament.at_ms)))
        decided = carry_out(
            tournament, put, find_known=lambda place: entries[place - 1].event if place <= len(entries) else None
        )
    except NotDisclosed:
        result = broken(version, expected="what follows, lots or the secret among it", found="neither at its place")
        raise Stopped(result) from None
    except (Rejection, BadLine, DrawDoesNotFit) as error:
        raise Stopped(broken(version, expected=error.expected, found=error.found)) from None
    except Exception as error:  # noqa: BLE001  a log that is not of a tournament may break the rules in any way
        raise Stopped(broken(version, expected="an input that can be carried out", found=name_error(error))) from None
    there = entries[tournament.version : tournament.version + len(decided.entries)]
    compare_following(decided.entries, there)
    # The next lines are compared with what is there.
    return msgspec.structs.replace(decided.tournament, head=there[-1].hash)
