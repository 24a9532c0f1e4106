"""The summary of simulated games as tables and bars, for people."""

from collections.abc import Iterable, Iterator

from rich.table import Table

from domain.ruleset.figures import Claim, Summary
from services.terminal.plain_console import PlainConsole


def print_summary(summary: Summary, claims: Iterable[Claim], *, title: str, width: int) -> None:
    console = PlainConsole()
    table = Table("bot", "won", "by chance", title=f"{summary.games} games of {title} with {summary.seats} seats")
    for share in summary.shares:
        table.add_row(share.bot, str(share.wins), f"{share.expected:.1f}")
    console.print(table)
    print_bars(console, f"{next(iter(summary.means))} a game", summary.lengths, width)
    print_bars(console, "changes of lead a game", summary.lead_changes, width)
    table = Table("", "mean", title="a game")
    for name, mean in summary.means.items():
        table.add_row(name, f"{mean:.2f}")
    console.print(table)
    for duel in summary.duels:
        if 2 * duel.ahead >= duel.pairs:
            console.print(f"{duel.bot} ahead of {duel.rival} in {duel.ahead / duel.pairs:.1%} of {duel.pairs} pairs")
    for name, counts in summary.counts.items():
        told = ", ".join(f"{word.replace('_', ' ')} {count}" for word, count in counts.items())
        console.print(f"{name}: {told or 'nothing'}")
    for claim in claims:
        console.print(f"{'holds' if claim.holds else 'does not hold'}: {claim.claim} ({claim.found})")
    for sentence in summary.unsound:
        console.print(f"unsound: {sentence}")


def print_bars(console: PlainConsole, title: str, counts: Iterable[tuple[int, int]], width: int) -> None:
    console.print(f"\n{title}")
    for line in draw_bars(((str(label), count) for label, count in counts), width=width):
        console.print(line, highlight=False)
    console.print()


def draw_bars(counts: Iterable[tuple[str, int]], *, width: int) -> Iterator[str]:
    """Draw a line of text for each count, the longest bar as wide as `width`."""
    rows = tuple(counts)
    most = max((count for _, count in rows), default=0)
    label_width = max((len(label) for label, _ in rows), default=0)
    for label, count in rows:
        bar = "█" * (count * width // most if most else 0)
        yield f"{label:>{label_width}} {bar} {count}"
