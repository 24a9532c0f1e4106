"""What simulated games came to, as tables and bars for people or as JSON for machines."""

from collections.abc import Iterable
from typing import Any

import msgspec
import typer
from rich.console import Console
from rich.table import Table

from simulate import chariotmaster
from simulate.chariot_race import Figures
from simulate.charioteer import Summary, draw_bars, judge_claims


def print_charioteer(summary: Summary, *, as_json: bool, width: int) -> None:
    """Print a summary of Charioteer and what it says to the designer's claims."""
    claims = judge_claims(summary)
    if as_json:
        _print_json({"summary": summary, "claims": claims})
        return
    console = Console()
    table = Table("bot", "won", "by chance", title=f"{summary.games} games of Charioteer with {summary.seats} seats")
    for share in summary.shares:
        table.add_row(share.bot, str(share.wins), f"{share.expected:.1f}")
    console.print(table)
    _print_bars(console, "turns a game", summary.turns, width)
    _print_bars(console, "changes of lead a game", summary.lead_changes, width)
    means = Table("mean", "", title="a game")
    means.add_row("turns", f"{summary.turns_mean:.1f}")
    means.add_row("changes of lead", f"{summary.lead_changes_mean:.1f}")
    means.add_row("distance of a move", f"{summary.distance_mean:.2f}")
    means.add_row("resets", f"{summary.resets_mean:.2f}")
    means.add_row("fan tokens a seat", f"{summary.fan_tokens_per_seat:.1f}")
    means.add_row("reshuffles", f"{summary.reshuffles_mean:.2f}")
    console.print(means)
    for claim in claims:
        console.print(f"{'holds' if claim.holds else 'does not hold'}: {claim.claim} ({claim.found})")


def print_chariot_race(figures: Figures, *, seats: int, as_json: bool, width: int) -> None:
    """Print figures of Chariot Race; anything unsound ends the program with 1."""
    if as_json:
        _print_json(figures)
    else:
        console = Console()
        table = Table("bot", "won", "by chance", title=f"{figures.races} races of Chariot Race with {seats} seats")
        for bot, starts in figures.starts.items():
            table.add_row(bot, str(figures.wins.get(bot, 0)), f"{starts / seats:.1f}")
        console.print(table)
        _print_bars(console, "rounds a race", figures.rounds, width)
        means = Table("", "", title="all races")
        means.add_row("rounds, mean", f"{figures.rounds_mean:.1f}")
        means.add_row("changes of lead, mean", f"{figures.lead_changes_mean:.1f}")
        means.add_row("wrecks, mean", f"{figures.wrecks_mean:.2f}")
        means.add_row("shared wins", str(figures.shared_wins))
        for name, counts in (("ended by", figures.ended), ("wrecked by", figures.wrecked_by)):
            means.add_row(name, ", ".join(f"{key} {count}" for key, count in counts.items()) or "nothing")
        console.print(means)
        for what in figures.unsound:
            console.print(f"unsound: {what}")
    if figures.unsound:
        raise typer.Exit(1)


def print_chariotmaster(figures: chariotmaster.Figures, *, seats: int, as_json: bool, width: int) -> None:
    """Print figures of Chariotmaster; anything unsound ends the program with 1."""
    if as_json:
        _print_json(figures)
    else:
        console = Console()
        table = Table("bot", "won", "by chance", title=f"{figures.races} races of Chariotmaster with {seats} seats")
        for bot, starts in figures.starts.items():
            table.add_row(bot, str(figures.wins.get(bot, 0)), f"{starts / seats:.1f}")
        console.print(table)
        _print_bars(console, "game turns a race", figures.game_turns, width)
        means = Table("", "", title="all races")
        means.add_row("game turns, mean", f"{figures.game_turns_mean:.1f}")
        means.add_row("changes of lead, mean", f"{figures.lead_changes_mean:.1f}")
        means.add_row("collisions, mean", f"{figures.collisions_mean:.2f}")
        means.add_row("attacks, mean", f"{figures.attacks_mean:.2f}")
        means.add_row("tests, mean", f"{figures.tests_mean:.2f}")
        for name, counts in (("ended by", figures.ended), ("chariots in the end", figures.fates)):
            means.add_row(name, ", ".join(f"{key.replace('_', ' ')} {count}" for key, count in counts.items()))
        console.print(means)
        for what in figures.unsound:
            console.print(f"unsound: {what}")
    if figures.unsound:
        raise typer.Exit(1)


def _print_bars(console: Console, title: str, counts: Iterable[tuple[int, int]], width: int) -> None:
    console.print(f"\n{title}")
    for line in draw_bars(((str(label), count) for label, count in counts), width=width):
        console.print(line, highlight=False)
    console.print()


def _print_json(value: Any) -> None:
    typer.echo(msgspec.json.format(msgspec.json.encode(value)).decode())
