"""Findings in words, the same in the terminal and on paper."""

from collections.abc import Iterator, Mapping, Sequence

from domain.audit.findings import Broken, Finding, Held, Report, Unchecked
from domain.audit.tournament import TournamentReport
from domain.ids import PlayerId
from domain.log.entry import as_stored
from domain.sentences.templates import Name, tell
from infra.ruleset_files import read_verdict_words
from services.audits.audit import Audited, find_report
from services.reading.tournaments.sentences import tell_ruling

ASSURANCES = {
    "own_custody": "own custody",
    "signed": "signed actions",
    "links": "links of the players' own",
    "witnessed_opening": "witnessed opening",
    "undisturbed_start": "undisturbed start",
    "organiser_keys": "keys of organisers",
}
MARKS = {Held: "✓", Broken: "✗", Unchecked: "…"}
# As findings are marked; a file that is no bundle does not hold either.
VERDICT_MARKS = {
    "proven": "✓",
    "undecided": "…",
    "unvouched": "…",
    "untold": "…",
    "changed": "✗",
    "contradicted": "✗",
    "unreadable": "✗",
    "exhausting": "✗",
    "newer": "…",
}


def mark_of(finding: Finding) -> str:
    return MARKS[type(finding.result)]


def tell_result(finding: Finding) -> str:
    """State the evidence, the line where it broke, or the missing part."""
    match finding.result:
        case Held(seen=seen):
            return seen
        case Broken(version=version, expected=expected, found=found):
            place = "" if version is None else f"line {version}: "
            return f"{place}expected {expected}, found {found}"
        case Unchecked(reason=reason):
            return reason


def tell_verdict(audited: Audited) -> str:
    """Return who won what and when, and whether that can be believed: the first line of every report."""
    return _tell("first" if find_report(audited) is not None else kind_of(audited), audited)


def kind_of(audited: Audited) -> str:
    """Name the kind of the verdict; of a file without one, why there is none."""
    report = find_report(audited)
    return audited.unjudged if report is None else report.verdict.kind


def tell_why(audited: Audited) -> str | None:
    """Return which line does not hold and why; of a file that is no bundle, the place where it is none."""
    report = find_report(audited)
    if report is None:
        return audited.refusal
    return None if report.verdict.check is None else _tell("why", audited)


def tell_holders(audited: Audited) -> str | None:
    """Return which accounts hold the seats of a game."""
    report = find_report(audited)
    outcome = None if report is None else report.verdict.outcome
    return None if outcome is None or not outcome.holders else _tell("holders", audited)


def _tell(sentence: str, audited: Audited) -> str:
    words, report = read_verdict_words(), find_report(audited)
    names: Mapping[int, Name] = {}
    if isinstance(report, TournamentReport):
        called = [
            (entrant.entrant, _with_name(f"entrant {entrant.entrant}", entrant.unproven_name))
            for entrant in report.entrants
        ]
        names = {entrant: Name(short=name, full=name) for entrant, name in called}
    return tell(words.sentences[sentence], as_stored(None if report is None else report.verdict), words, names)


def tell_unvouched(report: Report | TournamentReport) -> str:
    """Name the files of a bundle that are its author's word alone."""
    return f"No check reads {' and '.join(report.unvouched)}: they are the word of the author of the file."


def tell_openings(audits: Sequence[Audited]) -> Iterator[str]:
    """Describe how often games of the same people were opened and aborted; of each group with two games or more."""
    games = {report.game: report for report in map(find_report, audits) if isinstance(report, Report) and report.people}
    groups: dict[tuple[PlayerId, ...], list[str]] = {}
    for report in games.values():
        groups.setdefault(report.people, []).append(report.status)
    for people, ends in groups.items():
        if len(ends) > 1:
            told = f"{ends.count('finished')} finished and {ends.count('aborted')} aborted or cancelled"
            yield f"{len(ends)} games of the same {len(people)} players, {told}: {', '.join(people)}"


def tell_rulings(report: TournamentReport) -> Iterator[str]:
    """Describe every ruling with its line; people by number and id, as the log has them, and by name."""
    called = {entrant.entrant: entrant.unproven_name for entrant in report.entrants}

    def name(entrant: int) -> str:
        return _with_name(f"entrant {entrant}", called.get(entrant))

    for ruling in report.rulings:
        yield f"line {ruling.line}: {tell_ruling(ruling, by=_name_author(report, ruling.by), name=name)}"


def _name_author(report: TournamentReport, by: str) -> str:
    """Return an organiser or a helper as a line states them, with the name of the account."""
    kind, _, name = by.rpartition(":")
    account = report.helpers[int(name)] if kind == "helper" else PlayerId(name)
    return by if account is None else _with_name(by, report.unproven_names.get(account))


def _with_name(proven: str, unproven_name: str | None) -> str:
    return proven if unproven_name is None else f"{proven} ({unproven_name})"
