"""The browser's audit of an operators' record beside Python's: the same checks state the same of the same line."""

import base64
from typing import Any

import msgspec

from domain.audit.bundle import LogBundle
from domain.audit.case import Trust
from domain.audit.record import verify_record
from domain.audit.record_bundle import format_record_bundle, is_record_log
from domain.ledger.policy_file import format_policy
from tests.domain.audit.audited_record import FORGERIES, RECORD, bundle_of, cut_at, specimen
from tests.domain.audit.memory_ledger import TRUSTED
from tests.domain.audit.test_record import excerpt_of
from tests.services.web.node import run
from tests.services.web.verify.test_same_findings import verdict

VERIFY = """
const { verifyBundle } = await import("./verify/bundle.js");
const { fromBase64 } = await import("./verify/bytes.js");
const reports = [];
for (const bundle of given.bundles) {
  const quiet = { keys: given.keys, onDraws: () => {}, onProgress: () => {} };
  const { findings, verdict, record } = await verifyBundle(fromBase64(bundle), quiet);
  const told = findings.map(({ check, claim, result }) => [check, claim, [result.verdict, result.version ?? null]]);
  reports.push({ record, verdict, findings: told });
}
console.log(JSON.stringify(reports));
"""
FIND_OPENING = """
const { findOpening } = await import("./verify/archive.js");
const { fromBase64 } = await import("./verify/bytes.js");
console.log(JSON.stringify(given.bundles.map((each) => findOpening(fromBase64(each)))));
"""
# Every so many bytes one is changed.
STRIDE = 61


def ask_browser(bundles: list[LogBundle]) -> list[dict[str, Any]]:
    keys = format_policy(TRUSTED).decode().splitlines()
    given = [base64.b64encode(format_record_bundle(bundle)).decode() for bundle in bundles]
    found: list[dict[str, Any]] = run(VERIFY, {"bundles": given, "keys": keys})
    return found


def assert_same(said: dict[str, Any], bundle: LogBundle) -> None:
    report = verify_record(bundle, trust=Trust(policy=TRUSTED))
    told = [[finding.check, finding.claim, verdict(finding.result)] for finding in report.findings]
    shared = {check for check, _, _ in said["findings"]}
    assert said["findings"] == [sentence for sentence in told if sentence[0] in shared]
    assert (said["record"], said["verdict"]["kind"]) == (report.record, report.verdict.kind)
    assert said["verdict"]["outcome"] == msgspec.json.decode(msgspec.json.encode(report.verdict.outcome))


def test_a_genuine_record_holds_in_both_and_only_the_ledger_tells_its_end() -> None:
    bundle = bundle_of(specimen())

    (said,) = ask_browser([bundle])

    assert {check for check, _, _ in said["findings"]} == {
        "form", "chain", "opening", "fields", "authors", "commands", "inclusion", "checkpoint", "witnesses",
        "logged-once",
    }  # fmt: skip
    assert (said["record"], said["verdict"]["kind"]) == (RECORD, "untold")
    assert_same(said, bundle)


def test_forgeries_are_found_by_the_same_checks_at_the_same_line() -> None:
    bundles = [
        bundle_of(forge(), is_proven=is_proven) for forge, _ in FORGERIES.values() for is_proven in (True, False)
    ]

    for said, bundle in zip(ask_browser(bundles), bundles, strict=True):
        assert_same(said, bundle)


def test_a_record_cut_at_its_end_is_proven_by_none() -> None:
    bundles = [cut_at(version) for version in (1, 6, len(specimen()) - 1)]

    found = ask_browser(bundles)

    assert [finding["verdict"]["kind"] for finding in found] == ["untold"] * 3
    for said, bundle in zip(found, bundles, strict=True):
        assert_same(said, bundle)


def test_both_take_the_same_files_for_a_record() -> None:
    whole, first = bundle_of(specimen()), specimen()[0]
    nested = b'{"a":' + b"[" * 3_000 + b"]" * 3_000 + b',"type":"record_opened"}\n'
    flipped = [first[:place] + bytes([first[place] ^ 1]) + first[place + 1 :] for place in range(0, len(first), 7)]
    logs = [b"\xef\xbb\xbf" + whole.log, first, nested, b"", b"\n" + whole.log, *flipped]
    bundles = [msgspec.structs.replace(whole, log=log) for log in logs]
    raws = [format_record_bundle(bundle) for bundle in bundles]

    found = run(FIND_OPENING, {"bundles": [base64.b64encode(raw).decode() for raw in raws]})

    taken = [is_record_log(log) for log in logs]
    assert [finding == "record_opened" for finding in found] == taken
    assert taken[:5] == [True, True, False, False, False]
    records = [bundle for bundle, is_record in zip(bundles, taken, strict=True) if is_record]
    for said, bundle in zip(ask_browser(records), records, strict=True):
        assert_same(said, bundle)


def test_excerpts_are_judged_alike() -> None:
    genuine, other = excerpt_of(6), excerpt_of(7)
    third = genuine.log + specimen()[7] + b"\n"
    changed = genuine.log.replace(b"said so", b"said no")
    logs = (genuine.log, other.log, third, changed, specimen()[0] + b"\nno line\n")
    bundles = [msgspec.structs.replace(genuine, log=log) for log in logs]

    found = ask_browser(bundles)

    assert [finding["verdict"]["kind"] for finding in found] == ["proven", *["changed"] * 4]
    for said, bundle in zip(found, bundles, strict=True):
        assert_same(said, bundle)


def test_a_changed_byte_and_a_cut_log_are_told_alike() -> None:
    whole = bundle_of(specimen())
    # A first line that is another's makes no record of it.
    first = len(specimen()[0]) + 1
    flipped = [
        whole.log[:place] + bytes([whole.log[place] ^ 1]) + whole.log[place + 1 :]
        for place in range(first, len(whole.log), STRIDE)
    ]
    cut = [whole.log[:place] for place in range(first, len(whole.log), STRIDE * 7)]
    bundles = [msgspec.structs.replace(whole, log=log) for log in (*flipped, *cut)]

    for said, bundle in zip(ask_browser(bundles), bundles, strict=True):
        assert_same(said, bundle)
