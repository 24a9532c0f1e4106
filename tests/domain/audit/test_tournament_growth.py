"""A tournament's bundle and a ledger that its reader saw at another time: one ledger that only grew, or it shows."""

import msgspec
import pytest

from domain.audit.case import NO_TRUST, Trust
from domain.audit.check import GROWTH
from domain.audit.findings import Broken, Held, Result, Unchecked
from domain.audit.played_games import verify_member
from domain.audit.tournament import verify_tournament
from domain.audit.tournament_bundle import TournamentBundle, format_tournament_bundle, parse_tournament_bundle
from domain.ledger.add_checkpoint import format_add_checkpoint
from domain.ledger.checkpoint import SignedCheckpoint
from domain.rulesets.released import Rebuilder
from tests.domain.audit.audited_game import BUILDERS
from tests.domain.audit.audited_tournament import bundle, cup
from tests.domain.audit.memory_ledger import TRUSTED, proven
from tests.domain.audit.test_growth import LEAVES, RAWS, SIZE, checkpoint, growth
from tests.domain.ledger.reference_tree import leaf


def grown(*, old_size: int | None) -> TournamentBundle:
    """Return the tournament under a checkpoint, with a consistency proof from an older one."""
    since = None if old_size is None else format_add_checkpoint(growth(LEAVES, old_size=old_size))
    return msgspec.structs.replace(bundle(cup()), last_proof=proven(RAWS).last_proof, since=since)


def find_growth(found: TournamentBundle, seen: SignedCheckpoint) -> Result:
    trust = Trust(policy=TRUSTED, seen=seen)
    report = verify_tournament(found, {}, rebuilder=Rebuilder(BUILDERS), trust=trust, checks=[GROWTH])
    return report.findings[0].result


def test_a_ledger_that_grew_since_it_was_seen_holds() -> None:
    assert isinstance(find_growth(grown(old_size=63), checkpoint(LEAVES[:63])), Held)
    assert isinstance(find_growth(grown(old_size=None), checkpoint(LEAVES)), Held)


def test_a_ledger_that_was_forked_since_it_was_seen_is_told() -> None:
    forked = [*LEAVES[:62], leaf(1_000_000)]

    assert isinstance(find_growth(grown(old_size=63), checkpoint(forked)), Broken)


def test_without_a_path_nothing_can_be_told() -> None:
    assert isinstance(find_growth(grown(old_size=None), checkpoint(LEAVES[:63])), Unchecked)


def test_it_is_asked_only_of_who_saw_one_and_not_of_every_game() -> None:
    trust = Trust(policy=TRUSTED, seen=checkpoint(LEAVES[:63]))
    game = verify_member(bundle(cup()).games[0], rebuilder=Rebuilder(BUILDERS), trust=trust)
    report = verify_tournament(grown(old_size=63), {}, rebuilder=Rebuilder(BUILDERS), trust=NO_TRUST)

    assert "growth" not in {*game.unchecked, *(finding.check for finding in report.findings)}


@pytest.mark.parametrize("old_size", [None, SIZE - 1])
def test_what_leads_there_is_written_and_read(old_size: int | None) -> None:
    found = grown(old_size=old_size)

    assert parse_tournament_bundle(format_tournament_bundle(found)) == found
