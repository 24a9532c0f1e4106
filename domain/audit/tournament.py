"""The audit of a tournament: its log by itself, its games by themselves, and the one held against the others.

Hostile bytes make findings, never exceptions; only a file that is no bundle is refused, by `parse_tournament_bundle`.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from domain.audit.archive import BadArchive
from domain.audit.assurances import list_organiser_keys
from domain.audit.authors import check_opening
from domain.audit.bundle import list_unvouched
from domain.audit.case import NO_TRUST, Trust
from domain.audit.check import (
    BASES,
    CHAIN,
    CHECKPOINT,
    COMMANDS,
    COMPONENTS,
    FIELDS,
    FORM,
    GROWTH,
    INCLUSION,
    LOGGED_ONCE,
    RECEIPTS,
    SECRET,
    TIMES,
    WITNESSES,
    Check,
    run_checks,
)
from domain.audit.ending import check_ending
from domain.audit.findings import Assurance, Broken, Finding, Unchecked
from domain.audit.ledger import check_opening_witness
from domain.audit.pauses import check_pauses
from domain.audit.played_games import PlayedGame
from domain.audit.reserved import list_reserved_of_games
from domain.audit.signatures import check_signatures
from domain.audit.summing_up import judge_vouching, sum_up
from domain.audit.tables import (
    check_all_games,
    check_games,
    check_no_shows,
    check_own_chance,
    check_results,
    check_terms,
)
from domain.audit.tournament_bundle import NAMES, TournamentBundleOf, read_names
from domain.audit.tournament_case import TournamentCase
from domain.audit.tournament_outcome import read_tournament_outcome
from domain.audit.verdict import Verdict
from domain.ids import GameId, LineHash, PlayerId, TournamentId
from domain.rulesets.released import Rebuilder
from domain.tournament.contender import Entrant
from domain.tournament.events import EntrantCheckedIn, EntrantEntered, EntryTaken
from domain.tournament.scores import list_standings
from domain.tournament.standings import Standing
from domain.tournament.state import Ruled, Tournament

NAMES_UNPROVEN = (
    "Names are not proven: they are what the server called these accounts when it wrote the file, and whoever has the "
    "file can change them. The log has the ids alone; hold those against the ids that players know of their accounts."
)
NAMES_MISSING = "The file names nobody: the log has the ids of accounts alone."


class EntrantCalled(Struct, frozen=True, kw_only=True):
    """An entrant's account by the log, and its name by the server, which is unproven."""

    entrant: Entrant
    player: PlayerId
    unproven_name: str | None


class EntrantContribution(Struct, frozen=True, kw_only=True):
    """An entrant's contributions to the lots."""

    entrant: Entrant
    player: PlayerId
    nonces: int
    is_signed: bool


class GameVerdict(Struct, frozen=True, kw_only=True):
    """One game of the bundle; `told` lists findings that do not hold, or that cannot be checked yet."""

    game: GameId
    lines: int
    is_proven: bool
    is_broken: bool
    told: str


class TournamentReport(Struct, frozen=True, kw_only=True):
    """The audit of one tournament. `standings` are those after the last line that could be decided again.

    `helpers` are the accounts of those who joined. `names_told` states the worth of the names; `unproven_names` are of
    entrants, organisers and helpers, by their accounts.
    """

    tournament: TournamentId | None
    name: str | None
    ruleset: str | None
    status: str
    lines: int
    head: LineHash | None
    verdict: Verdict
    findings: tuple[Finding, ...]
    assurances: tuple[Assurance, ...]
    games: tuple[GameVerdict, ...]
    rulings: tuple[Ruled, ...]
    standings: tuple[Standing, ...]
    contributions: tuple[EntrantContribution, ...]
    entrants: tuple[EntrantCalled, ...]
    helpers: tuple[PlayerId | None, ...]
    unproven_names: Mapping[PlayerId, str]
    names_told: str
    unvouched: tuple[str, ...]

    @property
    def broken(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if isinstance(finding.result, Broken))

    @property
    def unchecked(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if isinstance(finding.result, Unchecked))


# In the order of a report.
CHECKS: tuple[Check[TournamentCase], ...] = (
    FORM,
    CHAIN,
    Check(name="opening", claim="The first line opens the tournament, once.", run=check_opening, walks=False),
    FIELDS,
    COMMANDS,
    COMPONENTS,
    Check(
        name="lots-links",
        claim="Every lot uses the next link of the chain published at the start.",
        run=lambda case: case.draws.links,
    ),
    Check(
        name="lots-faces",
        claim="Every lot follows from its link and the contributions before it.",
        run=lambda case: case.draws.faces,
    ),
    Check(
        name="signatures",
        claim="Everything by an entrant or organiser with a key is signed by it.",
        run=check_signatures,
    ),
    BASES,
    Check(name="ending", claim="The tournament ended once, and its secret is the last line.", run=check_ending),
    SECRET,
    Check(
        name="redecision",
        claim="Every input was allowed, and every pairing, score and standing after it follows from it.",
        run=lambda case: case.walk.redecision,
    ),
    Check(name="games", claim="Every game holds by itself.", run=check_games),
    Check(name="all-games", claim="The file has the game of every table that was drawn.", run=check_all_games),
    Check(
        name="terms",
        claim="Every game was opened on the tournament's terms, for those drawn at its table.",
        run=check_terms,
    ),
    Check(name="results", claim="Every result is the one in the last lines of its table's game.", run=check_results),
    Check(
        name="no-shows",
        claim="No entrant was told absent from a game that was being played, or had begun twenty seconds before, "
        "nor by the server when ready in it so long.",
        run=check_no_shows,
    ),
    Check(
        name="pauses",
        claim="Every pause at a table is one that an organiser ruled, and no clock ran out in it.",
        run=check_pauses,
    ),
    Check(name="secret-shared", claim="No two games draw from one secret.", run=check_own_chance),
    INCLUSION,
    CHECKPOINT,
    WITNESSES,
    TIMES,
    GROWTH,
    LOGGED_ONCE,
    RECEIPTS,
    Check(
        name="opening-witness",
        claim="Where the opening was witnessed, that was before the first entry.",
        run=check_opening_witness,
    ),
)


def verify_tournament(
    bundle: TournamentBundleOf[Any],
    games: Mapping[GameId, PlayedGame],
    *,
    rebuilder: Rebuilder,
    trust: Trust = NO_TRUST,
    checks: Sequence[Check[TournamentCase]] = CHECKS,
) -> TournamentReport:
    """Run every check on its own. `games` are the members of the bundle, by the id they are filed under.

    They are verified beforehand by `verify_member`, each by itself and so on as many cores as there are.
    """
    case = TournamentCase(bundle, rebuilder, trust, games)
    findings = run_checks(checks, case)
    last = case.walk.decided
    names, names_told = _read_names(bundle)
    standings = list_standings(last) if last is not None else ()
    of_games = [game.reserved for game in games.values() if game.refusal is None]
    reserved = list_reserved_of_games(case, findings, of_games)
    return TournamentReport(
        tournament=case.tournament,
        name=case.opened.name if case.opened is not None else None,
        ruleset=case.ruleset_name,
        status=last.status if last is not None else "open",
        lines=len(case.lines),
        head=case.lines[-1].hash if case.lines else None,
        verdict=sum_up(findings, read_tournament_outcome(case, standings), judge_vouching(case), reserved),
        findings=findings,
        assurances=(list_organiser_keys(case),),
        games=tuple(_judge(place, game) for place, game in games.items()),
        rulings=last.rulings if last is not None else (),
        standings=standings,
        contributions=_count_contributions(case),
        entrants=_list_called(last, names),
        helpers=tuple(helper.player for helper in last.helpers) if last is not None else (),
        unproven_names=names,
        unvouched=(*list_unvouched(bundle), *(() if bundle.names is None else (NAMES,))),
        names_told=names_told,
    )


def _judge(place: GameId, game: PlayedGame) -> GameVerdict:
    first = game.broken
    if game.refusal is not None:
        told = game.refusal
    elif first is not None:
        told = f"line {first[1].version}: expected {first[1].expected}, found {first[1].found}"
    elif game.unchecked:
        told = f"not checkable yet: {', '.join(game.unchecked)}"
    else:
        told = "everything holds"
    is_broken = game.refusal is not None or first is not None
    return GameVerdict(game=place, lines=game.version, is_proven=game.is_proven, is_broken=is_broken, told=told)


def _read_names(bundle: TournamentBundleOf[Any]) -> tuple[Mapping[PlayerId, str], str]:
    """Return the names and their worth; unreadable ones leave every proof as it is."""
    try:
        names = read_names(bundle)
    except BadArchive:
        return {}, f"{NAMES} cannot be read. {NAMES_MISSING}"
    return names, NAMES_UNPROVEN if names else NAMES_MISSING


def _list_called(last: Tournament | None, names: Mapping[PlayerId, str]) -> tuple[EntrantCalled, ...]:
    """List the entrants in the standings: after a line that does not hold, a forger could claim any number."""
    return tuple(
        EntrantCalled(entrant=number, player=entry.player, unproven_name=names.get(entry.player))
        for number, entry in enumerate(last.entries if last is not None else ())
    )


def _count_contributions(case: TournamentCase) -> tuple[EntrantContribution, ...]:
    checked_in = [entry.event for entry in case.entries if isinstance(entry.event, EntrantCheckedIn)]
    nonces: dict[Entrant, int] = {}
    for event in checked_in:
        nonces[event.entrant] = nonces.get(event.entrant, 0) + (event.nonce is not None)
    entered = [entry.event for entry in case.entries if isinstance(entry.event, EntrantEntered | EntryTaken)]
    # Who speaks for an entry last; the one before is in its line.
    people = {event.entrant: event for event in entered}
    return tuple(
        EntrantContribution(
            entrant=event.entrant,
            player=event.player,
            nonces=nonces.get(event.entrant, 0),
            is_signed=event.key is not None,
        )
        for _, event in sorted(people.items())
    )
