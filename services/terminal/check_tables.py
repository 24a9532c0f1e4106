"""The report of a check in the terminal: each check with its faults, the games by variant, the sizes and the speed."""

from rich.table import Table

from services.practice.checks.check import Checked
from services.practice.checks.findings import CHECKS
from services.terminal.plain_console import PlainConsole


def print_checked(checked: Checked) -> None:
    console = PlainConsole(highlight=False)
    table = Table("check", "faults", "promise", title=f"{checked.games} random games of {checked.ruleset}")
    for name, promise in CHECKS.items():
        table.add_row(name, str(checked.counts.get(name, 0)), promise)
    console.print(table)
    for name, faults in checked.faults.items():
        for fault in faults:
            console.print(f"{name}: {fault}", soft_wrap=True)
    variants = "; ".join(f"{name}: {count}" for name, count in checked.games_by_variant.items())
    console.print(f"games by variant: {variants}", soft_wrap=True)
    console.print(
        f"{checked.decisions} decisions, {checked.decisions_a_second} a second with all checks; at most "
        f"{checked.outcomes_max} outcomes a game and {checked.shown_size_max} bytes of a view or choices",
        soft_wrap=True,
    )
    console.print(f"compared with: {', '.join(checked.compared) or 'nothing'}", soft_wrap=True)
    console.print(f"for a policy: ruleset {checked.ruleset} {checked.components}", soft_wrap=True)
