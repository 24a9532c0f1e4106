"""An audit in the terminal: everything of one bundle, a line each of many, and in full the checks that do not hold.

Its progress goes to standard error, and only to a person.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table
from rich.text import Text

from domain.audit.findings import Broken, Finding, Held, Report, escape_unseen
from domain.audit.tournament import TournamentReport
from services.audits import audit as audits
from services.audits.audit import Audited
from services.audits.sentences import (
    ASSURANCES,
    VERDICT_MARKS,
    kind_of,
    mark_of,
    tell_holders,
    tell_openings,
    tell_result,
    tell_rulings,
    tell_unvouched,
    tell_verdict,
    tell_why,
)
from services.terminal.plain_console import PlainConsole

_MARK_STYLES = {"✓": "green", "✗": "bold red", "…": "yellow"}
_STYLES = {kind: _MARK_STYLES[mark] for kind, mark in VERDICT_MARKS.items()}


def print_audit(audit: audits.Audit, console: PlainConsole | None = None) -> None:
    """Print the findings of one bundle in full, and the important ones of many."""
    console = console or PlainConsole(soft_wrap=True)
    if len(audit.files) == 1:
        _print_whole(audit.files[0], console)
    else:
        for audited in audit.files:
            _print_brief(audited, console)
    for shared in audit.shared:
        console.print(Text(" and ".join(shared.names), style="bold"))
        console.print(build_findings((shared.finding,)))
    for told in tell_openings(audit.files):
        console.print(Text(told))
    if len(audit.files) > 1:
        held = sum(audits.exit_code_of(file) == audits.HOLDS for file in audit.files)
        console.print(f"{held} of {len(audit.files)} bundles hold in everything.", style="bold")


def _print_whole(audited: audits.Audited, console: PlainConsole) -> None:
    console.print(Text(tell_verdict(audited), style=_STYLES[kind_of(audited)]))
    for told in (tell_why(audited), tell_holders(audited)):
        if told is not None:
            console.print(Text(told))
    if isinstance(audited, audits.TournamentAudit):
        if audited.report is not None:
            print_tournament_report(audited.report, console)
    elif audited.verified is not None:
        report = audited.verified.report
        console.print(Text(" · ".join(report.about), style="bold"))
        console.print(build_findings(report.findings))
        console.print(_assurances(report))
        console.print(_contributions(report))
        console.print(tell_unvouched(report))


def _print_brief(audited: audits.Audited, console: PlainConsole) -> None:
    kind = kind_of(audited)
    told = Text(f"{VERDICT_MARKS[kind]} {audited.path}: {tell_verdict(audited)}", style=_STYLES[kind])
    console.print(told)
    report = audits.find_report(audited)
    if report is not None and report.broken:
        console.print(build_findings(report.broken))


def build_findings(findings: tuple[Finding, ...]) -> Table:
    table = _table()
    for finding in findings:
        mark = mark_of(finding)
        # Quotations from a bundle are Text: markup in a hostile log stays text.
        table.add_row(
            Text(mark, style=_MARK_STYLES[mark]),
            Text(finding.claim),
            Text(tell_result(finding), style=_detail(finding)),
        )
    return table


def _assurances(report: Report | TournamentReport) -> Table:
    table = _table()
    for assurance in report.assurances:
        demanded = "demanded" if assurance.is_demanded else "not demanded"
        table.add_row(
            "✓" if assurance.is_kept else "-",
            f"{ASSURANCES[assurance.name]}, {demanded}",
            Text(assurance.told, style="dim"),
        )
    return table


def _contributions(report: Report) -> Table:
    table = _table()
    for seat in report.contributions:
        told = f"{seat.nonces} contributions to chance" if seat.nonces else "contributed nothing to chance"
        signed = "signed" if seat.is_signed else "unsigned"
        table.add_row("✓" if seat.nonces else "-", f"seat {seat.seat}", Text(f"{told}, {signed}", style="dim"))
    return table


def print_tournament_report(report: TournamentReport, console: PlainConsole) -> None:
    """Print the findings, every ruling with its effect, the standings, and every game that is not proven."""
    about = (
        escape_unseen(str(report.name)),
        str(report.tournament),
        str(report.ruleset),
        report.status,
        f"{report.lines} lines",
    )
    console.print(Text(" · ".join(about), style="bold"))
    console.print(build_findings(report.findings))
    console.print(_assurances(report))
    console.print(tell_unvouched(report))
    proven = sum(verdict.is_proven for verdict in report.games)
    console.print(f"{proven} of {len(report.games)} games are proven by themselves.")
    for game in report.games:
        if not game.is_proven:
            style = "red" if game.is_broken else "yellow"
            console.print(Text(f"{'✗' if game.is_broken else '…'} {game.game}: {game.told}", style=style))
    for told in tell_rulings(report):
        console.print(Text(told))
    who = {entrant.entrant: entrant for entrant in report.entrants}
    table = Table("place", "entrant", "account", "name, unproven", "points", "by round", box=None)
    # An id that is broken over two lines cannot be held against another one.
    table.columns[2].no_wrap = True
    for standing in report.standings:
        player, name = who[standing.entrant].player, Text(who[standing.entrant].unproven_name or "")
        by_round = " ".join(map(str, standing.rounds))
        table.add_row(str(standing.place), str(standing.entrant), player, name, str(standing.points), by_round)
    console.print(table)
    console.print(Text(report.names_told, style="bold yellow"))


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


class VerifyProgress:
    """Two bars: a single source needs none, nor does a file that is one game."""

    def __init__(self, progress: Progress, count: int) -> None:
        self._progress = progress
        self._sources = progress.add_task("verifying", total=count, visible=count > 1)
        self._games = progress.add_task("games", total=None, visible=False)

    def on_source(self, audited: Audited) -> Audited:
        """Count a source that is done."""
        self._progress.advance(self._sources)
        self._progress.update(self._games, visible=False)
        return audited

    def on_game(self, done: int, total: int) -> None:
        """Show how many games of a tournament are verified."""
        self._progress.update(self._games, completed=done, total=total, visible=True)


@contextmanager
def verifying(count: int) -> Iterator[VerifyProgress]:
    """Show the bars as long as the block goes on."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=PlainConsole(stderr=True), transient=True) as progress:
        yield VerifyProgress(progress, count)
