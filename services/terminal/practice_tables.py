"""A practice in the terminal: its progress, its table, and the files that stay of it."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec
from rich.progress import track
from rich.table import Table

from services.practice.plot import draw_plot
from services.practice.practice import Report
from services.terminal.plain_console import PlainConsole

T = TypeVar("T")
# The first faults show the bug; the others are mostly the same.
FAULTS_SHOWN_MAX = 5


def shown(games: Iterable[T], count: int) -> Iterator[T]:
    """Pass the games on while a bar shows how far they are; on standard error, and only to a person."""
    return iter(track(games, total=count, description="playing", console=PlainConsole(stderr=True), transient=True))


def print_report(report: Report, *, title: str, took_s: float) -> None:
    console = PlainConsole(highlight=False)
    table = Table("", "games", "share", "95 % interval", title=title)
    for row in (report.won, report.lost, *report.places, *report.won_by_seat):
        name = f"won from {row.name}" if row in report.won_by_seat else row.name
        interval = row.interval
        table.add_row(
            name, f"{row.count} of {row.of}", f"{interval.share:.1%}", f"{interval.low:.1%} to {interval.high:.1%}"
        )
    console.print(table)
    for name, counts in report.words.items():
        counted = ", ".join(f"{word.replace('_', ' ')} {count}" for word, count in counts.items())
        console.print(f"{name}: {counted or 'nothing'}")
    console.print(
        f"{report.decisions} decisions in {took_s:.1f} s: {report.decisions / max(took_s, 0.001):,.0f} a second"
    )
    for fault in report.faults[:FAULTS_SHOWN_MAX]:
        console.print(f"broke off: {fault}")


def write_report(folder: Path, report: Report, won: Sequence[bool], *, title: str) -> None:
    """Write the plot and the report into a folder."""
    (folder / "plot.svg").write_text(draw_plot(won, title=title), encoding="utf-8")
    (folder / "report.json").write_bytes(msgspec.json.format(msgspec.json.encode(report), indent=2) + b"\n")
