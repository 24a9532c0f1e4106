"""Both verifiers on damaged games: neither believes one that the other refuses, but where the rules alone decide."""

from collections import Counter

from domain.audit.case import Trust
from domain.audit.findings import Broken, Unchecked
from domain.audit.verify import verify
from domain.rulesets.released import Rebuilder
from tests.domain.audit.audited_game import BUILDERS
from tests.domain.audit.memory_ledger import TRUSTED
from tests.services.web.verify.damage import damage
from tests.services.web.verify.test_same_findings import BROWSERS, WITHOUT_RULES, browser_findings

# So many reach the engine at a time.
TOGETHER = 500


def test_no_damaged_game_is_believed_by_one_verifier_alone(damaged: int) -> None:
    counts: Counter[str] = Counter()
    disagreed: list[int] = []

    for start in range(0, damaged, TOGETHER):
        seeds = range(start, min(start + TOGETHER, damaged))
        bundles = [damage(seed) for seed in seeds]
        for seed, bundle, browser in zip(seeds, bundles, browser_findings(*bundles), strict=True):
            report = verify(bundle, rebuilder=Rebuilder(BUILDERS), trust=Trust(policy=TRUSTED)).report
            of_rules = {
                finding.check
                for finding in report.findings
                if isinstance(finding.result, Broken | Unchecked)
                and (finding.check not in BROWSERS or finding.check in WITHOUT_RULES)
            }
            ours, theirs = report.verdict.kind == "proven", browser["verdict"]["kind"] == "undecided"
            counts["both" if ours and theirs else "rules alone" if theirs else "neither"] += 1
            if (ours and not theirs) or (theirs and not ours and not of_rules):
                disagreed.append(seed)
        print(seeds.stop, dict(counts), "disagreed:", disagreed, flush=True)  # noqa: T201  progress of a long run

    assert disagreed == []
    assert counts["neither"] > damaged // 2
    assert counts["both"] or damaged < TOGETHER
