"""The audit of a bundle: every check by itself, so that a forgery is found by its own check, once.

Hostile bytes make findings, never exceptions; only a file that is no bundle is refused, by `parse_bundle`.
"""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from domain.audit.assurances import list_assurances, list_people
from domain.audit.authors import check_authors, check_opening
from domain.audit.bundle import BundleOf, list_unvouched
from domain.audit.case import NO_TRUST, Case, Trust
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
from domain.audit.clocks import check_clocks
from domain.audit.contributions import check_contributions, count_contributions
from domain.audit.demands import check_demands
from domain.audit.ending import check_ending, check_ranking, check_redecision
from domain.audit.findings import Fingerprint, Report
from domain.audit.ledger import check_opening_witness
from domain.audit.outcome import read_game_outcome
from domain.audit.reserved import list_reserved
from domain.audit.seals import check_seals
from domain.audit.signatures import check_signatures
from domain.audit.summing_up import judge_vouching, sum_up
from domain.game.events import GameFinished, GameStarted, Unranked
from domain.rulesets.released import Rebuilder

# In the order of a report.
CHECKS: tuple[Check[Case], ...] = (
    FORM,
    CHAIN,
    Check(name="opening", claim="The first line opens the game, once.", run=check_opening, walks=False),
    FIELDS,
    Check(name="authors", claim="Every input is by an author who may make it.", run=check_authors),
    COMMANDS,
    COMPONENTS,
    Check(name="demands", claim="The demands of the game's terms were kept.", run=check_demands),
    Check(
        name="dice-links",
        claim="Every roll uses the next link of the chains published at the start.",
        run=lambda case: case.draws.links,
    ),
    Check(
        name="dice-faces",
        claim="Every face follows from its link and the contributions before it.",
        run=lambda case: case.draws.faces,
    ),
    Check(
        name="shuffles", claim="Every shuffle has the next number of its deck.", run=lambda case: case.draws.shuffles
    ),
    Check(
        name="contributions",
        claim="Every contribution to chance is the next link of its seat, and none is left out.",
        run=check_contributions,
    ),
    Check(name="seals", claim="Every revealed action is the sealed one.", run=check_seals),
    Check(
        name="signatures", claim="Everything by a seat or organiser with a key is signed by it.", run=check_signatures
    ),
    BASES,
    Check(name="clocks", claim="No seat answered too late, or was run out of time too early.", run=check_clocks),
    Check(name="ending", claim="The game ended once, and its secret is the last line.", run=check_ending),
    SECRET,
    Check(
        name="redecision",
        claim="Every input was allowed, whoever signed it, and exactly the lines after it follow from it.",
        run=check_redecision,
    ),
    Check(name="ranking", claim="The ranking is the one of the last board.", run=check_ranking),
    INCLUSION,
    CHECKPOINT,
    WITNESSES,
    TIMES,
    GROWTH,
    LOGGED_ONCE,
    RECEIPTS,
    Check(
        name="opening-witness",
        claim="Where the opening was witnessed, that was before the first seat was taken.",
        run=check_opening_witness,
    ),
)


class Verified(Struct, frozen=True, kw_only=True):
    """The report, and the values to compare it with those of other bundles."""

    report: Report
    fingerprint: Fingerprint | None


def verify(
    bundle: BundleOf[Any], *, rebuilder: Rebuilder, trust: Trust = NO_TRUST, checks: Sequence[Check[Case]] = CHECKS
) -> Verified:
    """Run every check on its own, each independent of the others.

    Without a policy in `trust`, nothing speaks for the time at which the log was made.
    """
    case = Case(bundle, rebuilder, trust)
    return Verified(report=judge(case, checks), fingerprint=case.fingerprint)


def judge(case: Case, checks: Sequence[Check[Case]] = CHECKS) -> Report:
    """Run every check on a case that was read."""
    findings = run_checks(checks, case)
    return Report(
        game=case.game,
        ruleset=case.ruleset_name,
        status=_status(case),
        lines=len(case.lines),
        verdict=sum_up(findings, read_game_outcome(case), judge_vouching(case), list_reserved(case, findings)),
        people=list_people(case),
        findings=findings,
        assurances=list_assurances(case, {finding.check: finding.result for finding in findings}),
        contributions=count_contributions(case),
        unvouched=list_unvouched(case.bundle),
    )


def _status(case: Case) -> str:
    """Return how far the game is, by its own lines."""
    types = {type(entry.event) for entry in case.entries}
    if any(issubclass(type_, Unranked) for type_ in types):
        return "aborted"
    if GameFinished in types:
        return "finished"
    return "running" if GameStarted in types else "open"
