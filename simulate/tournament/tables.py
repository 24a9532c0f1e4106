"""A rehearsal under way and its result, for people and for machines."""

import os
import tempfile
from pathlib import Path

import msgspec
import typer
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from domain.audit.case import Trust
from domain.audit.tournament_bundle import parse_tournament_bundle
from domain.ledger.policy_file import parse_policy
from domain.rulesets.released import RELEASED
from services.audits.audit import Terms
from services.audits.sentences import VERDICTS
from simulate.tournament.figures import RehearsalFigures, Verified, count_events, measure_verifying
from simulate.tournament.programme import Programme
from simulate.tournament.rehearsal import Rehearsal, rehearse
from spina_client.tournament_seen import TournamentSeen


async def rehearsed(programme: Programme, *, seed: int) -> Rehearsal:
    """Rehearse in a folder that goes away, with progress shown; raises the first error."""
    columns = SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        bar = progress.add_task("starting a server", total=None)

        def on_moved(seen: TournamentSeen) -> None:
            told = f"{seen.entries} entrants, round {seen.round} {seen.round_status or ''}, {seen.version} events"
            progress.update(bar, description=told)

        with tempfile.TemporaryDirectory(prefix="spina-rehearsal-") as folder:
            try:
                return await rehearse(programme, Path(folder), seed=seed, on_moved=on_moved)
            except ExceptionGroup as failed:
                raise _find_first(failed) from None


def print_rehearsal(rehearsal: Rehearsal, *, as_json: bool) -> int:
    """Verify the bundle as its operator would have it judged, print the figures, and return the exit code."""
    figures = _measure(rehearsal)
    if as_json:
        typer.echo(msgspec.json.encode(figures))
    else:
        _print_figures(figures)
    return max(each.exit_code for each in figures.verified)


def _measure(rehearsal: Rehearsal) -> RehearsalFigures:
    bundle = parse_tournament_bundle(rehearsal.bundle)
    policy = None if bundle.policy is None else parse_policy(bundle.policy)
    terms = Terms(trust=Trust(policy=policy), builders=RELEASED)
    events, game_events, happened = count_events(rehearsal.bundle)
    cores = sorted({1, os.cpu_count() or 1})
    return RehearsalFigures(
        games=len(bundle.games),
        events=events,
        game_events=game_events,
        bundle_size=len(rehearsal.bundle),
        played_s=rehearsal.played_s,
        away_s=rehearsal.away_s,
        happened=happened,
        verified=tuple(measure_verifying(rehearsal.bundle, terms, processes=each) for each in cores),
    )


def _print_figures(figures: RehearsalFigures) -> None:
    console = Console(soft_wrap=True)
    size = f"{figures.bundle_size / 1_000_000:.1f} MB"
    about = f"{figures.games} games, {figures.events} events of the tournament, {figures.game_events} of its games"
    console.print(f"{about}: {figures.played_s:.0f} s, of which the server was away for {figures.away_s:.1f} s; {size}")
    table = Table("what happened", "times", box=None)
    for name, times in figures.happened.items():
        table.add_row(name, str(times))
    console.print(table)
    for each in figures.verified:
        console.print(Text(_tell(each)))


def _tell(verified: Verified) -> str:
    cores = "1 core" if verified.processes == 1 else f"{verified.processes} cores"
    return f"verified on {cores} in {verified.seconds:.1f} s: {VERDICTS[verified.exit_code]}"


def _find_first(failed: ExceptionGroup[Exception]) -> Exception:
    first = failed.exceptions[0]
    return _find_first(first) if isinstance(first, ExceptionGroup) else first
