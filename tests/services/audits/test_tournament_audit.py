"""The audit of a tournament's file: the same whoever shares the work, and how far it is can be told."""

import pytest

from domain.audit.case import NO_TRUST
from domain.audit.tournament_bundle import format_tournament_bundle
from domain.rulesets.released import RELEASED
from services.audits.audit import UNCHECKED, UNREADABLE, Terms
from services.audits.tournament_audit import audit_tournament
from services.bench.cups import CupSize, play_cup
from services.rulesets import load_charioteer
from tests.domain.audit.cup import bundle, cup

TERMS = Terms(trust=NO_TRUST, builders=RELEASED)


def test_it_is_told_how_many_games_are_verified() -> None:
    told: list[tuple[int, int]] = []
    raw = format_tournament_bundle(bundle(cup()))

    audit_tournament(raw, TERMS, name="cup", processes=1, on_verified=lambda done, total: told.append((done, total)))

    assert told == [(done, 6) for done in range(1, 7)]


def test_on_several_cores_it_finds_the_same() -> None:
    raw = format_tournament_bundle(play_cup(load_charioteer(), CupSize(entrants=12, rounds=3)).bundle())

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
