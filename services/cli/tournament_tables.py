"""Tournaments in the terminal: standings, pairings, and what an audit found, on one page."""

from pathlib import Path
from typing import NoReturn

import msgspec
import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from domain.audit.tournament import TournamentReport
from domain.tournament.state import Ruled
from services.audits.audit import HOLDS, UNCHECKED, Terms
from services.audits.tournament_audit import TournamentAudit, audit_tournament_file
from services.audits.words import VERDICTS
from services.cli.finding_tables import build_findings
from services.tournaments.shown import Pairings, Standings, TournamentShown, Who

_STYLES = {HOLDS: "green", UNCHECKED: "yellow"}


def tell_tournament(path: Path, terms: Terms, *, processes: int, as_json: bool) -> NoReturn:
    """Audit a tournament with all its games, say what was found, and end with the exit code of that."""
    audit = audit_tournament_file(path, terms, processes=processes)
    if as_json:
        typer.echo(msgspec.json.encode(audit))
    else:
        print_tournament_audit(audit)
    raise typer.Exit(audit.exit_code)


def print_tournament_audit(audit: TournamentAudit, console: Console | None = None) -> None:
    """Print the findings, every ruling with its effect, the standings, and every game that is not proven."""
    console = console or Console(soft_wrap=True)
    if audit.report is None:
        console.print(Text(f"{audit.path} is no bundle of a tournament: {audit.refusal}", style="bold red"))
        return
    report = audit.report
    about = (str(report.name), str(report.tournament), str(report.ruleset), report.status, f"{report.lines} lines")
    console.print(Text(" · ".join(about), style="bold"))
    console.print(build_findings(report.findings))
    _print_games(report, console)
    for ruled in report.rulings:
        console.print(Text(tell_ruling(ruled)))
    table = Table("place", "entrant", "points", "by round", box=None)
    for each in report.standings:
        rounds = " ".join(map(str, each.rounds))
        table.add_row(str(each.place), str(each.entrant), str(each.points), rounds)
    console.print(table)
    style = _STYLES.get(audit.exit_code, "bold red")
    console.print(Text(VERDICTS[audit.exit_code], style=style))


def tell_ruling(ruled: Ruled) -> str:
    """Tell a ruling in one line: where it stands, what it was, why, and whose points it changed."""
    changes = ", ".join(f"entrant {each.entrant} {each.points_before} → {each.points_after}" for each in ruled.changes)
    return f"line {ruled.line}: {ruled.type} by {ruled.by} ({ruled.reason}): {changes or 'no points changed'}"


def print_standings(shown: TournamentShown, standings: Standings, pairings: Pairings) -> None:
    """Print a tournament as it stands: the last round's tables, and who stands where."""
    console = Console(soft_wrap=True)
    console.print(Text(f"{shown.name} · {shown.ruleset} · {shown.status}, round {shown.round}", style="bold"))
    for round_ in pairings.items[-1:]:
        tables = Table("table", "seats", "status", "game", box=None)
        for table in round_.tables:
            seats = ", ".join(map(_name, table.seats))
            tables.add_row(str(table.table), Text(seats), table.status, table.game)
        console.print(tables)
        for table in round_.tables:
            console.print(Text(f"table {table.table}: {table.why}", style="dim"))
        for bye in round_.byes:
            console.print(Text(f"{_name(bye)} sits out and has {bye.points} points. {bye.why}"))
    ranked = Table("place", "name", "points", "by round", "tie-breaks", box=None)
    for each in standings.items:
        numbers = " ".join(f"{number.name} {number.value}" for number in each.tie_breaks)
        rounds = " ".join(map(str, each.rounds))
        ranked.add_row(str(each.place), Text(_name(each)), str(each.points), rounds, numbers)
    console.print(ranked)


def _print_games(report: TournamentReport, console: Console) -> None:
    proven = sum(each.is_proven for each in report.games)
    console.print(f"{proven} of {len(report.games)} games are proven by themselves.")
    for each in report.games:
        if not each.is_proven:
            console.print(Text(f"{each.game}: {each.told}", style="yellow"))


def _name(who: Who) -> str:
    return who.name or f"entrant {who.entrant}"
