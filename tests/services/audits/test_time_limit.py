"""Checks that would never end."""

from itertools import count

import pytest

from domain.audit.case import Case
from domain.audit.check import Check
from domain.audit.findings import Broken, Held
from domain.audit.verify import verify
from domain.rulesets.released import RELEASED, Rebuilder
from services.audits.time_limit import limited
from tests.services.audits.files import race


def never_end(_: Case) -> Held:
    for number in count():
        assert number >= 0
    raise AssertionError


@pytest.mark.parametrize("dear", [1, 5])
def test_an_audit_that_would_never_end_ends_with_a_finding_of_each_dear_check(dear: int) -> None:
    checks = [Check(name="dear", claim="It ends.", run=never_end)] * dear

    with limited(0, audit_s=0.05):
        verified = verify(race(), rebuilder=Rebuilder(RELEASED), checks=checks)

    results = [each.result for each in verified.report.findings]
    assert [type(each) for each in results] == [Broken] * dear
    assert all("processor time" in str(each) for each in results)
