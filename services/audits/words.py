"""Findings in words, the same in the terminal and on paper."""

from domain.audit.findings import Broken, Finding, Held, Unchecked
from services.audits.audit import BROKEN, HOLDS, UNCHECKED, UNREADABLE, Audited, exit_code_of, find_report

VERDICTS = {
    HOLDS: "Everything holds.",
    BROKEN: "This does not hold.",
    UNREADABLE: "This cannot be read as a bundle.",
    UNCHECKED: "Everything that can be checked holds; something cannot be checked yet.",
}
ASSURANCES = {
    "own_custody": "own custody",
    "signed": "signed actions",
    "links": "links of the players' own",
    "witnessed_opening": "witnessed opening",
}
MARKS = {Held: "✓", Broken: "✗", Unchecked: "…"}


def mark_of(finding: Finding) -> str:
    return MARKS[type(finding.result)]


def tell_result(finding: Finding) -> str:
    """Say what was seen, where it broke, or what is missing."""
    match finding.result:
        case Held(seen=seen):
            return seen
        case Broken(version=version, expected=expected, found=found):
            place = "" if version is None else f"line {version}: "
            return f"{place}expected {expected}, found {found}"
        case Unchecked(reason=reason):
            return reason


def tell_verdict(audited: Audited) -> str:
    """Say in one sentence what came of a file."""
    verdict = VERDICTS[exit_code_of(audited)]
    report = find_report(audited)
    if report is None:
        return f"{verdict} {audited.refusal}"
    broken = report.broken
    if not broken:
        return verdict
    places = [each.result.version for each in broken if isinstance(each.result, Broken) and each.result.version]
    count = f"{len(broken)} findings do" if len(broken) > 1 else "1 finding does"
    return f"{count} not hold, the first at line {min(places)}." if places else f"{count} not hold."
