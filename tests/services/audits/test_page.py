"""The page: everything that was found, nothing from elsewhere, and no markup out of a bundle."""

import re

import msgspec

from domain.audit.bundle import Bundle
from domain.audit.case import Trust
from domain.audit.verify import verify
from domain.rulesets.released import Rebuilder
from services.audits.audit import FileAudit, sum_up
from services.audits.page import build_page
from tests.domain.audit.memory_ledger import TRUSTED
from tests.services.audits.files import race, with_another_die


def page_of(name: str, bundle: Bundle) -> str:
    verified = verify(bundle, rebuilder=Rebuilder(), trust=Trust(policy=TRUSTED))
    return build_page(sum_up((FileAudit(path=name, verified=verified, refusal=None),)))


def test_a_page_tells_every_finding_and_what_is_not_promised() -> None:
    page = page_of("race.zip", race())

    assert page.count('<tr class="held">') == 25
    assert "1 of 1 bundles hold in everything" in page
    assert "What no audit shows" in page


def test_a_page_marks_what_does_not_hold_with_its_line() -> None:
    page = page_of("race.zip", with_another_die())

    assert '<tr class="did_not_hold"><td>✗<td>Every face follows' in page
    assert re.search(r"line \d+: expected faces", page)


def test_a_page_of_many_files_begins_with_a_line_for_each() -> None:
    verified = verify(race(), rebuilder=Rebuilder(), trust=Trust(policy=TRUSTED))
    good = FileAudit(path="good.zip", verified=verified, refusal=None)
    bad = FileAudit(path="bad.zip", verified=None, refusal="expected a zip, found none")

    page = build_page(sum_up((good, bad)))

    assert '<tr class="held"><td>✓<td>good.zip<td class="detail">Chariot Race ended on 2026-11-18' in page
    assert "UTC without a winner." in page
    assert '<tr class="did_not_hold"><td>✗<td>bad.zip<td class="detail">No verdict: ' in page
    assert page.index("bad.zip") < page.index("<section>")


def test_a_page_needs_nothing_from_elsewhere() -> None:
    page = page_of("race.zip", race())

    assert not re.search(r"<script|<link|src=|href=|url\(", page)


def test_a_hostile_log_cannot_write_the_page() -> None:
    log = race().log.replace(b'"type":"game_started"', b'"type":"<script>alert(1)</script>"')

    page = page_of("<b>.zip", msgspec.structs.replace(race(), log=log))

    assert "<script" not in page
    assert "<b>" not in page
    assert "&lt;script&gt;" in page
