"""The audit of an operators' record: the genuine one holds, and every change of a line is found."""

import pytest
from msgspec.structs import replace

from domain.audit.archive import BadArchive
from domain.audit.bundle import LogBundle
from domain.audit.case import Trust
from domain.audit.findings import Held
from domain.audit.record import RecordReport, verify_record
from domain.audit.record_bundle import format_record_bundle, is_record_log, parse_record_bundle
from domain.ids import StreamVersion
from domain.ledger.entry_reader import LedgerRead
from domain.ledger.leaf import build_leaf
from domain.ledger.proof import parse_proof
from domain.log.record import line_hash, parse_line
from domain.operators.events import ACT_TYPES
from tests.domain.audit.audited_record import ACTS, FORGERIES, RECORD, bundle_of, cut_at, specimen
from tests.domain.audit.memory_ledger import LEAF_KEY, TRUSTED, prove
from tests.domain.game.game_harness import NOON
from tests.domain.ledger.signing import ORIGIN

TRUST = Trust(policy=TRUSTED)


def broken(report: RecordReport) -> set[str]:
    return {finding.check for finding in report.broken}


def test_the_specimen_has_a_line_of_each_type() -> None:
    types = [parse_line(raw).type for raw in specimen()]

    assert types == ["record_opened", *ACT_TYPES]
    assert len(ACTS) == len(ACT_TYPES)


def read_of(raws: tuple[bytes, ...]) -> LedgerRead:
    """Read all entries of a ledger that has these lines."""
    leaves = [
        build_leaf(LEAF_KEY, stream=RECORD, version=StreamVersion(version), line=line_hash(raw))
        for version, raw in enumerate(raws, start=1)
    ]
    proof = prove(raws, len(raws))
    return LedgerRead(signed=parse_proof(proof).signed, leaves={RECORD: tuple(leaves)}, read_s=NOON // 1_000)


def test_a_genuine_record_holds_and_is_proven_by_the_ledger() -> None:
    report = verify_record(bundle_of(specimen()), trust=Trust(policy=TRUSTED, read=read_of(specimen())))

    assert {type(finding.result) for finding in report.findings} == {Held}
    assert (report.record, report.verdict.kind, report.lines) == (RECORD, "proven", len(specimen()))
    assert report.verdict.outcome is not None
    assert report.verdict.outcome.title == ORIGIN


def test_a_record_without_a_key_is_consistent_and_not_vouched_for() -> None:
    report = verify_record(bundle_of(specimen()))

    assert report.verdict.kind == "unvouched"


@pytest.mark.parametrize("count", [1, 6, len(ACTS)])
def test_a_record_cut_at_its_end_is_told_by_the_ledger_alone(count: int) -> None:
    cut = cut_at(count)

    alone = verify_record(cut, trust=TRUST)
    beside_it = verify_record(cut, trust=Trust(policy=TRUSTED, read=read_of(specimen())))

    assert (alone.verdict.kind, [finding.check for finding in alone.unchecked]) == ("untold", ["logged-once"])
    assert beside_it.verdict.kind == "untold"
    assert f"{len(specimen()) - count} further lines" in (beside_it.verdict.untold or "")


@pytest.mark.parametrize("name", FORGERIES)
def test_a_change_of_a_line_is_found_by_its_check_and_by_the_proof(name: str) -> None:
    forge, expected = FORGERIES[name]

    found = broken(verify_record(bundle_of(forge()), trust=TRUST))

    assert found >= expected
    assert found & {"inclusion", "chain"}
    assert broken(verify_record(bundle_of(forge(), is_proven=False))) == expected - {"checkpoint"}


def test_each_byte_that_is_changed_is_found() -> None:
    log = bundle_of(specimen()).log

    for place in range(0, len(log), 97):
        flipped = log[:place] + bytes([log[place] ^ 1]) + log[place + 1 :]
        changed = bundle_of(tuple(flipped.split(b"\n")[:-1]))

        assert verify_record(changed, trust=TRUST).verdict.kind == "changed"


def excerpt_of(version: int) -> LogBundle:
    """Disclose one line, with the proof of it in the whole record."""
    raws = specimen()
    bundle = bundle_of((raws[0], raws[version - 1]))
    return replace(bundle, last_proof=prove(raws, version))


@pytest.mark.parametrize("version", [2, 6])
def test_a_line_is_disclosed_alone_with_its_own_proof(version: int) -> None:
    report = verify_record(excerpt_of(version), trust=TRUST)

    assert report.broken == report.unchecked == ()
    assert report.verdict.kind == "proven"
    assert report.verdict.outcome is not None
    assert (report.verdict.outcome.status, report.verdict.outcome.line) == ("excerpt", version)


def test_an_excerpt_proves_its_own_line_alone() -> None:
    genuine, other = excerpt_of(6), excerpt_of(7)

    swapped = verify_record(replace(genuine, log=other.log), trust=TRUST)
    third = replace(genuine, log=genuine.log + specimen()[7] + b"\n")
    changed = verify_record(replace(genuine, log=genuine.log.replace(b"said so", b"said no")), trust=TRUST)

    assert broken(swapped) == broken(changed) == {"inclusion"}
    assert broken(verify_record(third, trust=TRUST)) >= {"chain"}


def test_the_file_has_one_spelling_and_is_told_from_others() -> None:
    raw = format_record_bundle(bundle_of(specimen()))

    assert format_record_bundle(parse_record_bundle(raw)) == raw
    assert is_record_log(bundle_of(specimen()).log)
    assert not is_record_log(b'{"data":{"type":"record_opened"},"type":"game_opened"}\n')
    assert not is_record_log(b"")
    for cut in range(0, len(raw), 101):
        with pytest.raises(BadArchive):
            parse_record_bundle(raw[:cut])
