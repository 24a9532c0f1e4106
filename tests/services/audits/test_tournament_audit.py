"""The audit of a tournament's file: the same however the work is shared, and its progress can be shown."""

import io
import os
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec
import pytest

from bench.whole_tournament import TournamentSize, play_tournament
from domain.audit.bundle import BUNDLE_SIZE_MAX
from domain.audit.case import NO_TRUST
from domain.audit.tournament import NAMES_MISSING, NAMES_UNPROVEN
from domain.audit.tournament_bundle import TOURNAMENT_SIZE_MAX, GameMember, format_names, format_tournament_bundle
from domain.ids import PlayerId
from domain.rulesets.charioteer.kit import kit as charioteer
from domain.rulesets.released import RELEASED
from infra.ruleset_files import load_ruleset
from services.audits.audit import UNCHECKED, UNREADABLE, Terms, TournamentAudit, sum_up
from services.audits.files import StoredFile
from services.audits.page import build_page
from services.audits.tournament_audit import audit_tournament, audit_tournament_file
from services.cli.finding_tables import print_audit
from services.terminal.plain_console import PlainConsole
from tests.domain.audit.audited_game import BUILDERS
from tests.domain.audit.audited_tournament import bundle, cup
from tests.domain.tournament.tournament_harness import ORGA, player
from tests.peak import peak_of

TERMS = Terms(trust=NO_TRUST, builders=RELEASED)


def test_it_is_told_how_many_games_are_verified() -> None:
    told: list[tuple[int, int]] = []
    raw = format_tournament_bundle(bundle(cup()))

    audit_tournament(raw, TERMS, name="cup", processes=1, on_verified=lambda done, total: told.append((done, total)))

    assert told == [(done, 6) for done in range(1, 7)]


def test_on_several_cores_it_finds_the_same() -> None:
    raw = format_tournament_bundle(
        play_tournament(load_ruleset(charioteer.KIT), TournamentSize(entrants=12, rounds=3)).bundle()
    )

    one, two = (audit_tournament(raw, TERMS, name="cup", processes=processes) for processes in (1, 2))

    assert one == two
    assert one.exit_code == UNCHECKED
    assert one.report is not None
    assert len(one.report.games) == 9


@pytest.mark.parametrize("raw", [b"", b"PK\3\4", b"{}"])
def test_what_is_no_bundle_is_told(raw: bytes) -> None:
    audit = audit_tournament(raw, TERMS, name="cup", processes=2)

    assert (audit.exit_code, audit.report) == (UNREADABLE, None)
    assert audit.refusal


NAMES = {player(2): "Ada", player(3): "<b>Bob", PlayerId(ORGA): "Orga"}


def audit_called(names: Mapping[PlayerId, str] | bytes | None) -> TournamentAudit:
    """Audit a cup whose file calls people so."""
    raw = format_names(names) if isinstance(names, Mapping) else names
    file = format_tournament_bundle(msgspec.structs.replace(bundle(cup()), names=raw))
    return audit_tournament(file, Terms(trust=NO_TRUST, builders=BUILDERS), name="cup", processes=1)


def print_to_text(audit: TournamentAudit) -> str:
    written = io.StringIO()
    print_audit(sum_up((audit,)), PlainConsole(file=written, width=80, soft_wrap=True))
    return written.getvalue()


def test_names_that_are_swapped_are_told_as_unproven_beside_the_ids_that_are() -> None:
    swapped = NAMES | {player(2): NAMES[player(3)], player(3): NAMES[player(2)]}

    one, two = audit_called(NAMES), audit_called(swapped)

    assert one.report is not None
    assert two.report is not None
    assert one.report.findings == two.report.findings
    assert [entrant.player for entrant in one.report.entrants] == [entrant.player for entrant in two.report.entrants]
    for audit, name in ((one, "Ada"), (two, "<b>Bob")):
        (line,) = [text for text in print_to_text(audit).splitlines() if player(2) in text]
        assert name in line
        assert NAMES_UNPROVEN in print_to_text(audit)
    page = build_page(sum_up((two,)))
    assert f"<td>{player(2)}<td><bdi>&lt;b&gt;Bob</bdi>" in page
    assert f'<p class="unproven">{NAMES_UNPROVEN}' in page


def test_rulings_are_told_with_the_names_of_those_they_are_about() -> None:
    told = print_to_text(audit_called(NAMES | {player(0): "Cleo"}))

    assert f"organiser:{ORGA} (Orga) took 7 points from entrant 0 (Cleo) in round 1" in told


@pytest.mark.parametrize(("names", "told"), [(None, NAMES_MISSING), (b"[1]", "names.json cannot be read. The file")])
def test_without_names_all_is_checked_and_told_by_ids(names: bytes | None, told: str) -> None:
    audit = audit_called(names)

    assert audit.report is not None
    assert audit.report.names_told.startswith(told)
    assert player(2) in print_to_text(audit)


def test_of_a_large_file_one_game_is_in_memory_at_a_time(tmp_path: Path) -> None:
    whole, path = bundle(cup()), tmp_path / "cup.tournament.zip"
    large = tuple(GameMember(game=game.game, raw=bytes(BUNDLE_SIZE_MAX)) for game in whole.games)
    path.write_bytes(format_tournament_bundle(msgspec.structs.replace(whole, games=large)))
    audits: list[TournamentAudit] = []

    peak = peak_of(lambda: audits.append(audit_tournament_file(path, TERMS, processes=1)))

    assert audits[0].report is not None
    assert audits[0].report.broken
    assert peak < 2.5 * BUNDLE_SIZE_MAX


def replace_with_its_own_bytes(path: Path) -> None:
    other = path.with_suffix(".new")
    other.write_bytes(path.read_bytes())
    other.rename(path)


@pytest.mark.parametrize("change", [lambda path: os.truncate(path, 100), replace_with_its_own_bytes])
def test_a_file_that_is_changed_while_it_is_read_is_refused(tmp_path: Path, change: Callable[[Path], None]) -> None:
    path = tmp_path / "cup.tournament.zip"
    path.write_bytes(format_tournament_bundle(bundle(cup())))
    file = StoredFile(path, size_max=TOURNAMENT_SIZE_MAX)
    change(path)

    with pytest.raises(OSError, match=r"expected cup\.tournament\.zip as it was when its reading began"):
        audit_tournament(file, TERMS, name="cup", processes=1)
