"""The browser's audit beside Python's: every forgery there is, and the same checks state the same of the same line."""

import base64
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest

import tests.domain.rulesets
from domain.audit.bundle import Bundle, format_bundle
from domain.audit.case import Case, Trust
from domain.audit.findings import Broken, Finding, Result, Unchecked
from domain.audit.outcome import read_game_outcome
from domain.audit.reserved import list_reserved
from domain.audit.summing_up import judge_vouching, sum_up
from domain.audit.verify import judge
from domain.canonical import encode
from domain.ledger.policy import Policy, PolicyRuleset, PolicyWitness
from domain.ledger.policy_file import format_policy
from domain.rulesets.released import Rebuilder
from tests.domain.audit.audited_game import bundle_of, specimen
from tests.domain.audit.forgery_table import FORGERIES, Forgery
from tests.domain.audit.forgery_tools import chained
from tests.domain.audit.memory_ledger import TRUSTED, prove, proven
from tests.domain.audit.test_ledger import FORGED_PROOFS
from tests.domain.game.game_harness import Table
from tests.domain.game.random_play import Chaos
from tests.domain.ledger.signing import SECOND_WITNESS, STRANGER, WITNESS
from tests.services.web.node import QUICK_DIGESTS, run

VERIFY = """
const { verifyBundle } = await import("./verify/bundle.js");
const { fromBase64 } = await import("./verify/bytes.js");
const reports = [];
for (const { bundle, keys } of given) {
  const quiet = { keys, onDraws: () => {}, onProgress: () => {} };
  const found = await verifyBundle(fromBase64(bundle), quiet);
  const verdicts = found.findings.map(({ check, result }) => [check, [result.verdict, result.version ?? null]]);
  reports.push({ findings: Object.fromEntries(verdicts), verdict: found.verdict });
}
console.log(JSON.stringify(reports));
"""
# An engine of before Ed25519.
WITHOUT_ED25519 = """
crypto.subtle.generateKey = () => Promise.reject(new DOMException("unrecognised algorithm", "NotSupportedError"));
"""
GOLDEN = sorted(Path(tests.domain.rulesets.__path__[0]).glob("*/golden/*.ndjson"))
# Every so many bytes one is changed, from another one in each order of the tests.
STRIDE = 521
# Checks for which the browser does not need the rules, where Python's checks of the same name do.
WITHOUT_RULES = {"fields"}
# The browser knows no rules and states so, and a reason has the words of its own check.
TOLD_APART = {"has_rules", "untold"}
BROWSERS = {name for name, _ in run('console.log(JSON.stringify((await import("./verify/claims.js")).CLAIMS));')}


def verdict(result: Result) -> list[Any]:
    verdict = msgspec.to_builtins(result)["verdict"]
    return [verdict, result.version if isinstance(result, Broken) else None]


def python_findings(bundle: Bundle, policy: Policy = TRUSTED) -> dict[str, Any]:
    """Audit as the browser does: with no rules at all. The verdict is on the browser's checks alone."""
    case = Case(bundle, Rebuilder({}), Trust(policy=policy))
    findings = judge(case).findings
    own = [finding for finding in findings if finding.check in BROWSERS and not _is_for_rules(finding)]
    summed = sum_up(own, read_game_outcome(case), judge_vouching(case), list_reserved(case, own))
    # The page states of no game that it is proven: it does not decide again who won.
    if summed.kind == "proven":
        summed = msgspec.structs.replace(summed, kind="undecided")
    told = {
        name: value
        for name, value in msgspec.json.decode(msgspec.json.encode(summed)).items()
        if name not in TOLD_APART
    }
    return {"findings": {finding.check: verdict(finding.result) for finding in findings}, "verdict": told}


def _is_for_rules(finding: Finding) -> bool:
    return finding.check in WITHOUT_RULES and isinstance(finding.result, Unchecked)


def browser_findings(*bundles: Bundle, policy: Policy = TRUSTED, before: str = QUICK_DIGESTS) -> list[dict[str, Any]]:
    keys = format_policy(policy).decode().splitlines()
    asked = [{"bundle": base64.b64encode(format_bundle(bundle)).decode(), "keys": keys} for bundle in bundles]
    found: list[dict[str, Any]] = run(before + VERIFY, asked)
    return found


def assert_same(said: dict[str, Any], told: dict[str, Any]) -> None:
    found, expected = said["findings"], told["findings"]
    shared = found.keys() - WITHOUT_RULES
    assert {name: found[name] for name in shared} == {name: expected[name] for name in shared}
    for name in WITHOUT_RULES:
        assert found[name] == expected[name] or expected[name][0] == "not_checkable_yet"
    assert {name: value for name, value in said["verdict"].items() if name not in TOLD_APART} == told["verdict"]


@cache
def forged_findings() -> dict[str, tuple[dict[str, Any], dict[str, Any]]]:
    """Browser and Python on each forgery; the engine starts once for all of them."""
    bundles = [bundle_of(forged.raws, forged.components) for forged in (forgery.forge() for forgery in FORGERIES)]
    found = browser_findings(*bundles)
    return {
        forgery.name: (said, python_findings(bundle))
        for forgery, said, bundle in zip(FORGERIES, found, bundles, strict=True)
    }


@cache
def golden_findings() -> dict[str, tuple[dict[str, Any], dict[str, Any]]]:
    """Browser and Python on each golden game; the engine starts once for all of them."""
    bundles = [bundle_of(path.read_bytes().splitlines()) for path in GOLDEN]
    found = browser_findings(*bundles)
    return {
        path.stem: (said, python_findings(bundle)) for path, said, bundle in zip(GOLDEN, found, bundles, strict=True)
    }


def test_what_is_genuine_holds_in_both() -> None:
    bundle = proven(specimen())

    # By the digests of the engine, as in a page.
    (found,) = browser_findings(bundle, before="")

    assert set(map(tuple, found["findings"].values())) == {("held", None)}
    assert found["verdict"]["kind"] == "undecided"
    assert_same(found, python_findings(bundle))


def test_games_with_stand_ins_pauses_and_consent_are_judged_alike() -> None:
    logs = [[msgspec.json.decode(raw) for raw in Chaos(seed).play().raws] for seed in range(24)]
    handed = [log for log in logs if any(line["type"] == "seat_handed" for line in log)]
    # Without the hand-over, the answers of the stand-in are by an author who may not give them.
    forged = [[line for line in log if line["type"] != "seat_handed"] for log in handed]
    # With other terms, it came too early, or could not come at all.
    terms = ({"stand_in": {"after": 2, "bot": "any"}}, {"demands": ["signed"]})
    forged += [[log[0] | {"data": log[0]["data"] | term}, *log[1:]] for log in handed for term in terms]
    bundles = [bundle_of(chained(log)) for log in (*logs, *forged)]

    found = browser_findings(*bundles)

    for said, bundle in zip(found, bundles, strict=True):
        assert_same(said, python_findings(bundle))
    misfits = [{name for name, (said, _) in finding["findings"].items() if said == "did_not_hold"} for finding in found]
    assert not any({"authors", "opening"} & misfit for misfit in misfits[: len(logs)])
    assert all({"authors", "opening"} & misfit for misfit in misfits[len(logs) + len(handed) :])
    assert any("authors" in misfit for misfit in misfits[len(logs) : len(logs) + len(handed)])


def test_forged_proofs_are_caught_by_the_same_checks() -> None:
    bundles = [forge() for forge, _ in FORGED_PROOFS.values()]

    found = browser_findings(*bundles)

    for said, bundle in zip(found, bundles, strict=True):
        assert_same(said, python_findings(bundle))


@pytest.mark.parametrize("components", [b"", b"[", b'{"a": 1}', b"\xff", encode({"cards": 16})])
def test_components_are_judged_alike(components: bytes) -> None:
    log = [msgspec.json.decode(raw) for raw in specimen()]
    log[0]["data"]["ruleset"]["components"] = sha256(components).hexdigest()
    bundle = bundle_of(chained(log), components)

    (found,) = browser_findings(bundle)

    assert_same(found, python_findings(bundle))
    assert (found["findings"]["components"][0] == "held") == (components == encode({"cards": 16}))


def test_an_empty_log_is_judged_alike() -> None:
    bundle = msgspec.structs.replace(proven(specimen()), log=b"")

    (found,) = browser_findings(bundle)

    assert_same(found, python_findings(bundle))


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_golden_game_holds_in_both(path: Path) -> None:
    found, expected = golden_findings()[path.stem]

    # These were bundled with other components than their own.
    assert {name for name, (verdict, _) in found["findings"].items() if verdict == "did_not_hold"} == {"components"}
    assert_same(found, expected)


@pytest.mark.parametrize("forgery", FORGERIES, ids=lambda each: each.name)
def test_a_forgery_is_caught_by_the_same_checks_at_the_same_line(forgery: Forgery) -> None:
    found, expected = forged_findings()[forgery.name]

    assert_same(found, expected)


def test_a_changed_byte_anywhere_is_told_alike(request: pytest.FixtureRequest) -> None:
    first = request.config.getoption("--seed") % STRIDE
    log = bundle_of(specimen()).log
    flipped = [
        msgspec.structs.replace(bundle_of(specimen()), log=log[:place] + bytes([log[place] ^ 1]) + log[place + 1 :])
        for place in range(first, len(log), STRIDE)
    ]

    found = browser_findings(*flipped)

    for one, bundle in zip(found, flipped, strict=True):
        assert_same(one, python_findings(bundle))


def test_a_line_that_says_nothing_is_told_alike_wherever_it_stands() -> None:
    raws = specimen()
    emptied = [bundle_of([*raws[:place], b"{}", *raws[place + 1 :]]) for place in range(len(raws))]

    found = browser_findings(*emptied)

    for one, bundle in zip(found, emptied, strict=True):
        assert_same(one, python_findings(bundle))


def test_a_log_that_is_cut_or_runs_on_is_told_alike() -> None:
    raws = specimen()
    cut = [bundle_of(raws[:count]) for count in range(1, len(raws))]
    ends = [msgspec.structs.replace(cut[-1], log=cut[-1].log[:-1]), msgspec.structs.replace(cut[-1], log=b"\n")]

    found = browser_findings(*cut, *ends)

    for one, bundle in zip(found, [*cut, *ends], strict=True):
        assert_same(one, python_findings(bundle))


def test_a_proof_of_a_ledger_one_does_not_trust_is_told_alike() -> None:
    bundles = [
        proven(specimen(), signer=STRANGER),
        proven(specimen(), witnesses=()),
        proven(specimen(), witnesses=(SECOND_WITNESS,)),
        msgspec.structs.replace(proven(specimen()), last_proof=prove(specimen(), 3)),
        msgspec.structs.replace(proven(specimen()), last_proof=b"no proof"),
    ]

    found = browser_findings(*bundles)

    for one, bundle in zip(found, bundles, strict=True):
        assert_same(one, python_findings(bundle))


def test_a_seat_that_was_offered_again_has_no_holder_in_both() -> None:
    table = Table()
    for seat in range(3):
        table.take(seat)
    table.offer(1, None)
    table.abort()
    bundle = proven(table.raws)

    (found,) = browser_findings(bundle)

    assert [holder["seat"] for holder in found["verdict"]["outcome"]["holders"]] == [0, 2]
    assert_same(found, python_findings(bundle))


def test_witnesses_are_listed_in_the_order_of_the_policy() -> None:
    second = PolicyWitness(name="hall", key=SECOND_WITNESS.key)
    policy = msgspec.structs.replace(TRUSTED, witnesses=(second, *TRUSTED.witnesses))
    bundle = proven(specimen(), witnesses=(WITNESS, SECOND_WITNESS))

    (found,) = browser_findings(bundle, policy=policy)

    assert found["verdict"]["witnesses"] == ["hall", "club"]
    assert_same(found, python_findings(bundle, policy))


def test_components_that_the_policy_does_not_name_are_told_alike() -> None:
    bundle = proven(specimen())
    own, other = sha256(bundle.components).hexdigest(), "5a" * 32
    named = (
        PolicyRuleset(reference="torches@1", components=own),
        PolicyRuleset(reference="torches@1", components=other),
        PolicyRuleset(reference="mug@1", components=other),
    )
    policies = {
        names: msgspec.structs.replace(TRUSTED, rulesets=tuple(named[name] for name in names))
        for names in [(0,), (1,), (1, 0), (2,)]
    }

    said = {names: browser_findings(bundle, policy=policy)[0] for names, policy in policies.items()}

    for names, policy in policies.items():
        assert_same(said[names], python_findings(bundle, policy))
    held, broken = ["held", None], ["did_not_hold", 1]
    assert [said[names]["findings"]["components"] for names in policies] == [held, broken, held, held]


def test_a_browser_without_ed25519_says_so_also_where_no_seat_signs() -> None:
    unsigned = proven(Table().start().finish().raws)

    signing, plain = browser_findings(proven(specimen()), unsigned, before=WITHOUT_ED25519)

    for said in (signing["verdict"], plain["verdict"]):
        assert (said["kind"], said["missing"]) == ("untold", None)
        assert said["untold"].startswith("this browser does not know Ed25519")
