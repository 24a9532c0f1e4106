"""An audit in the terminal: everything of one bundle, a line each of many, and in full whatever does not hold."""

from rich.console import Console
from rich.table import Table
from rich.text import Text

from domain.audit.findings import Broken, Finding, Held, Report
from services.audits.audit import BROKEN, HOLDS, UNCHECKED, Audit, FileAudit, exit_code_of
from services.audits.words import ASSURANCES, mark_of, tell_result, tell_verdict

_STYLES = {"✓": "green", "✗": "bold red", "…": "yellow"}
_CODE_MARKS = {HOLDS: "✓", BROKEN: "✗"}


def print_audit(audit: Audit, console: Console | None = None) -> None:
    """Print what one bundle says in full, and of many what a reader must know."""
    console = console or Console(soft_wrap=True)
    if len(audit.files) == 1:
        _print_whole(audit.files[0], console)
    else:
        for audited in audit.files:
            _print_brief(audited, console)
    for shared in audit.shared:
        console.print(Text(" and ".join(shared.names), style="bold"))
        console.print(build_findings((shared.finding,)))
    if len(audit.files) > 1:
        held = sum(exit_code_of(each) == HOLDS for each in audit.files)
        console.print(f"{held} of {len(audit.files)} bundles hold in everything.", style="bold")


def _print_whole(audited: FileAudit, console: Console) -> None:
    if audited.verified is not None:
        report = audited.verified.report
        about = (str(report.game), str(report.ruleset), report.status, f"{report.lines} lines")
        console.print(Text(" · ".join(about), style="bold"))
        console.print(build_findings(report.findings))
        console.print(_assurances(report))
    console.print(Text(tell_verdict(audited), style=_style_of(audited)))


def _print_brief(audited: FileAudit, console: Console) -> None:
    mark = _CODE_MARKS.get(exit_code_of(audited), "…")
    console.print(Text(f"{mark} {audited.path}: {tell_verdict(audited)}", style=_style_of(audited)))
    if audited.verified is not None and audited.verified.report.broken:
        console.print(build_findings(audited.verified.report.broken))


def build_findings(findings: tuple[Finding, ...]) -> Table:
    table = _table()
    for each in findings:
        mark = mark_of(each)
        # What is quoted from a bundle is Text: markup in a hostile log stays what it is.
        table.add_row(Text(mark, style=_STYLES[mark]), Text(each.claim), Text(tell_result(each), style=_detail(each)))
    return table


def _assurances(report: Report) -> Table:
    table = _table()
    for each in report.assurances:
        demanded = "demanded" if each.is_demanded else "not demanded"
        table.add_row(
            "✓" if each.is_kept else "-", f"{ASSURANCES[each.name]}, {demanded}", Text(each.told, style="dim")
        )
    for seat in report.contributions:
        told = f"{seat.nonces} contributions to chance" if seat.nonces else "contributed nothing to chance"
        signed = "signed" if seat.is_signed else "unsigned"
        table.add_row("✓" if seat.nonces else "-", f"seat {seat.seat}", Text(f"{told}, {signed}", style="dim"))
    return table


def _table() -> Table:
    table = Table(box=None, show_header=False, pad_edge=False)
    for ratio in (None, 2, 3):
        # A hash is read in full or not at all.
        table.add_column(overflow="fold", ratio=ratio)
    return table


def _detail(finding: Finding) -> str:
    match finding.result:
        case Held():
            return "dim"
        case Broken():
            return "red"
        case _:
            return "yellow"


def _style_of(audited: FileAudit) -> str:
    code = exit_code_of(audited)
    return "green" if code == HOLDS else "yellow" if code == UNCHECKED else "bold red"
