"""The tournament measurement runs on whole tournaments: bundles verify, and pairings have earlier rounds."""

import msgspec

from bench.figures import BEST, PER_S
from bench.tournament import measure_pairing, measure_tournaments
from bench.whole_tournament import SIZES, TournamentSize, play_tournament
from domain.audit.case import NO_TRUST
from domain.audit.tournament_bundle import format_tournament_bundle
from domain.rulesets.charioteer.kit import kit as charioteer
from domain.rulesets.released import RELEASED
from infra.embedded.servers import ServerUrls
from infra.ruleset_files import load_ruleset
from services.audits.audit import Terms
from services.audits.tournament_audit import audit_tournament
from tests.database import Database

# Fifty readers at once are more than a busy machine answers in time.
FIELDS = ((2_000, 1, SIZES), (12, 3, SIZES))
SMALL = TournamentSize(entrants=4, rounds=1, readers=4, reads=5)


async def test_every_figure_is_of_a_tournament_that_was_played(database: Database, server_urls: ServerUrls) -> None:
    urls = msgspec.structs.replace(server_urls, owner_url=database.owner_url, database_url=database.app_url)

    pairings, verifying, pages = await measure_tournaments(load_ruleset(charioteer.KIT), SMALL, urls, fields=FIELDS)

    assert "verifying 1 games of charioteer@1" in verifying.title
    assert list(pairings.rows) == ["2,000 for 1 rounds", "12 for 3 rounds"]
    assert list(pages.rows) == ["standings", "standings, not modified"]
    assert all(row[PER_S] > 0 for row in pages.rows.values())
    assert int(pages.title.split()[-2].replace(",", "")) > 200
    assert all(row[BEST] > 0 for row in verifying.rows.values())


def test_a_measured_tournament_holds() -> None:
    raw = format_tournament_bundle(play_tournament(load_ruleset(charioteer.KIT), SMALL).bundle())

    audit = audit_tournament(raw, Terms(trust=NO_TRUST, builders=RELEASED), name="measured", processes=1)

    assert audit.report is not None
    assert audit.report.broken == ()
    assert audit.report.status == "finished"


def test_pairing_is_measured_with_a_past() -> None:
    figures = measure_pairing(64, 3, SIZES)

    assert figures["meetings repeated"] == 0
    assert 0 < figures["the slowest s"] < figures["all rounds s"]
