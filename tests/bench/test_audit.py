"""The measurement of audits verifies real games: signed ones hold, and every signature is counted."""

from bench.audit import EVENTS_PER_S, list_signed, measure_audits, sign_log
from bench.figures import BEST, RATIO
from bench.recorded_games import play
from domain.audit.verify import verify
from domain.chance import Secret
from domain.rulesets.chariot_race.kit import kit as chariot_race
from domain.rulesets.released import Rebuilder
from infra.ruleset_files import load_ruleset
from tests.domain.audit.audited_game import bundle_of

RULES = load_ruleset(chariot_race.KIT)


def test_a_measured_game_is_as_good_signed_as_unsigned() -> None:
    raws = sign_log(play(RULES, Secret(bytes(32))))

    verified = verify(bundle_of(tuple(raws), RULES.components), rebuilder=Rebuilder())

    assert verified.report.broken == ()
    assert all(seat.is_signed for seat in verified.report.contributions)
    assert f"{len(list_signed(raws))} signatures" in str(verified.report.findings)


def test_figures_are_of_the_bundles_that_were_verified() -> None:
    reading, signed = measure_audits(chariot_race.KIT, events=1_000)

    assert reading.rows["msgspec.json.decode + sha256"][RATIO] == 1.0
    assert signed.rows["every check"][BEST] > signed.rows["Ed25519 alone"][BEST]
    one_core, folder = (row[EVENTS_PER_S] for row in reading.rows.values() if EVENTS_PER_S in row)
    assert min(one_core, folder) > 0
