"""Findings in words, the same in the terminal and on paper."""

from collections.abc import Iterator

from domain.audit.findings import Broken, Finding, Held, Report, Unchecked
from domain.audit.tournament import TournamentReport
from domain.ids import PlayerId
from services.audits.audit import BROKEN, HOLDS, UNCHECKED, UNREADABLE, Audited, exit_code_of, find_report
from services.reading.tournaments.sentences import tell_ruling

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
    """Say the evidence, the line where it broke, or the missing part."""
    match finding.result:
        case Held(seen=seen):
            return seen
        case Broken(version=version, expected=expected, found=found):
            place = "" if version is None else f"line {version}: "
            return f"{place}expected {expected}, found {found}"
        case Unchecked(reason=reason):
            return reason


def tell_verdict(audited: Audited) -> str:
    """Say the verdict on a file in one sentence."""
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


def tell_unvouched(report: Report | TournamentReport) -> str:
    """Name the files of a bundle that are its author's word alone."""
    return f"No check reads {' and '.join(report.unvouched)}: they are the word of the author of the file."


def tell_rulings(report: TournamentReport) -> Iterator[str]:
    """Tell every ruling with its line; people by number and id, as the log has them, and by name."""
    called = {each.entrant: each.unproven_name for each in report.entrants}

    def name(entrant: int) -> str:
        return _with_name(f"entrant {entrant}", called.get(entrant))

    for each in report.rulings:
        by_name = report.unproven_names.get(PlayerId(each.by.rpartition(":")[2]))
        yield f"line {each.line}: {tell_ruling(each, by=_with_name(each.by, by_name), name=name)}"


def _with_name(proven: str, unproven_name: str | None) -> str:
    return proven if unproven_name is None else f"{proven} ({unproven_name})"
