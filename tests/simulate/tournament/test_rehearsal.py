"""A whole tournament on real processes: outsiders count its bundle again, and forge it without success.

`--tournament FILE` looks at one played before, of any size, instead of playing a small one.
"""

import ast
import asyncio
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.audit.case import Trust
from domain.audit.tournament import TournamentReport
from domain.audit.tournament_bundle import TournamentBundle, format_tournament_bundle, parse_tournament_bundle
from domain.ledger.policy_file import parse_policy
from domain.rulesets.released import RELEASED, find_kit
from domain.tournament.ruling_events import RULING_TYPES
from services.audits.audit import BROKEN, HOLDS, Terms, TournamentAudit
from services.audits.tournament_audit import audit_tournament
from simulate.tournament.figures import RehearsalFigures, print_rehearsal
from simulate.tournament.programme import Rehearsed, build_programme
from simulate.tournament.rehearsal import Rehearsal, rehearse
from spina_client.tournament_seen import TournamentSeen
from tests import recount
from tests.recount import Disagreement, Recount
from tests.simulate.tournament.forgers import FORGERS, Forger

CORES = 2
# Ten seconds on an idle machine; this ends a wait without end.
PATIENCE_S = 120


@pytest.fixture(scope="module")
def raw(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Eight play two rounds of short races; in the second one the server is killed."""
    given: Path | None = request.config.getoption("--tournament")
    if given is not None:
        return given.read_bytes()
    kit = find_kit("chariot-race@1")
    assert kit is not None
    kit = replace(kit, short={**kit.short, "rounds_max": 5})
    asked = Rehearsed(
        kit=kit, format="score", players=8, rounds=2, table_size=3, restart="kill", sit_down_ms=2_000, is_evening=True
    )
    folder = tmp_path_factory.mktemp("rehearsal")
    rehearsing = rehearse(build_programme(asked), folder, seed=1, on_moved=_watch)
    return asyncio.run(asyncio.wait_for(rehearsing, PATIENCE_S)).bundle


@pytest.fixture(scope="module")
def bundle(raw: bytes) -> TournamentBundle:
    return parse_tournament_bundle(raw)


@pytest.fixture(scope="module")
def report(raw: bytes) -> TournamentReport:
    found = audit(raw)
    assert found.report is not None
    assert found.exit_code == HOLDS, found.report.broken
    return found.report


def _watch(seen: TournamentSeen) -> None:
    assert seen.entries <= seen.terms.entries_max


def audit(raw: bytes) -> TournamentAudit:
    policy = parse_tournament_bundle(raw).policy
    assert policy is not None
    terms = Terms(trust=Trust(policy=parse_policy(policy)), builders=RELEASED)
    return audit_tournament(raw, terms, name="rehearsal", processes=CORES)


def test_who_counts_again_knows_nothing_of_the_project() -> None:
    source = Path(recount.__file__).read_text(encoding="utf-8")

    imported = {
        name.partition(".")[0]
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([node.module or ""] if isinstance(node, ast.ImportFrom) else [name.name for name in node.names])
    }
    assert imported <= sys.stdlib_module_names


def test_everything_that_goes_wrong_at_a_tournament_went_wrong(bundle: TournamentBundle) -> None:
    types = Counter(json.loads(line)["type"] for line in bundle.log.splitlines())

    assert types["entrant_entered"] >= 8
    # The third has nothing to leave where the draw puts it beside an absent entrant.
    assert types["entrant_withdrawn"] >= 2
    assert types["no_show_told"] >= 1
    assert min(types["points_ruled"], types["result_replaced"], types["pairing_wished"], types["announced"]) >= 1
    # The hands of an evening: helpers, a pause, a draw changed by hand, a lost phone, a dispute.
    hands = ("helper_joined", "round_resumed", "tables_seated", "entry_taken", "call_answered")
    assert min(types[hand] for hand in hands) >= 1
    late = [json.loads(line)["type"] for line in bundle.log.splitlines()]
    assert late.index("round_closed") < len(late) - late[::-1].index("entrant_entered")


def test_counting_again_gives_the_same_standings(raw: bytes, report: TournamentReport) -> None:
    recounted = Recount(raw)

    counted = recounted.run()

    assert recounted.games_missing == 0
    told = [
        (standing.place, standing.entrant, standing.points, list(standing.tie_breaks)) for standing in report.standings
    ]
    assert [(item["place"], item["entrant"], item["points"], item["tie_breaks"]) for item in counted] == told


def test_every_game_and_every_ruling_is_told(bundle: TournamentBundle, report: TournamentReport) -> None:
    lines = [json.loads(line) for line in bundle.log.splitlines()]

    assert [game.game for game in report.games] == [game.game for game in bundle.games]
    assert all(game.is_proven for game in report.games)
    ruled = [line["version"] for line in lines if line["type"] in RULING_TYPES or _is_no_show_by_an_organiser(line)]
    assert [ruling.line for ruling in report.rulings] == ruled
    assert all(ruling.by.startswith(("organiser:", "helper:")) and ruling.reason for ruling in report.rulings)


def test_the_figures_are_those_of_the_bundle(
    raw: bytes, bundle: TournamentBundle, capsys: pytest.CaptureFixture[str]
) -> None:
    code = print_rehearsal(Rehearsal(bundle=raw, played_s=9.0, away_s=2.0), as_json=True)
    figures = msgspec.json.decode(capsys.readouterr().out, type=RehearsalFigures)
    print_rehearsal(Rehearsal(bundle=raw, played_s=9.0, away_s=2.0), as_json=False)

    assert code == HOLDS
    assert (figures.games, figures.events) == (len(bundle.games), bundle.log.count(b"\n"))
    assert figures.game_events > figures.events
    assert f"{figures.games} games, {figures.events} events" in capsys.readouterr().out


def _is_no_show_by_an_organiser(line: dict[str, Any]) -> bool:
    return line["type"] == "no_show_told" and line["data"]["reason"] is not None


@pytest.mark.parametrize("forger", FORGERS, ids=lambda forger: forger.name.replace(" ", "-"))
def test_a_forger_is_found(bundle: TournamentBundle, forger: Forger) -> None:
    forged = format_tournament_bundle(forger.forge(bundle))

    found = audit(forged)

    assert found.exit_code == BROKEN
    assert found.report is not None
    assert forger.found_by in {finding.check for finding in found.report.broken}
    if forger.is_recounted:
        with pytest.raises(Disagreement):
            Recount(forged).run()
