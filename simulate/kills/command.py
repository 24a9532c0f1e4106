"""`spina simulate kills`: servers that are killed at random moments under load, and whether anything was lost."""

import asyncio
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from services.terminal.printing import say, say_json
from services.terminal.refusal import told_in_a_sentence

KillCount = Annotated[int, typer.Option(min=1, max=100_000, help="How many servers are killed.")]
Servers = Annotated[int, typer.Option(min=1, max=8, help="How many servers there are; each starts again.")]
Tables = Annotated[int, typer.Option(min=1, max=64, help="How many pairs play, one game after the other.")]
KillSeed = Annotated[int, typer.Option(help="The seed of the moments.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the figures as JSON, for machines.")]


def kill(
    kills: KillCount = 20, servers: Servers = 3, tables: Tables = 3, seed: KillSeed = 1, as_json: AsJson = False
) -> None:
    """Kill servers with SIGKILL under load, then check every acknowledged command, game and stream.

    The exit code is 1 where a command was lost or doubled, a clock ran out, the ledger took something back, or the run
    was too short to show it: no game was finished, or all players gave up.

    Example: spina simulate kills --kills 100
    """
    from infra.logging import configure_logging
    from simulate.kills.running import Asked, run
    from simulate.tournament.own_server import ServerDidNotStart
    from simulate.tournament.rehearsal import find_first
    from spina_client.problems import AnswerUnreadable, Refused, ServerUnreachable

    configure_logging("error")
    asked = Asked(kills=kills, servers=servers, tables=tables, seed=seed)
    with (
        tempfile.TemporaryDirectory(prefix="spina-kills-") as folder,
        told_in_a_sentence(Refused, ServerUnreachable, AnswerUnreadable, ServerDidNotStart, OSError),
        shown(kills) as on_kill,
    ):
        try:
            row = asyncio.run(run(asked, Path(folder), on_kill))
        except ExceptionGroup as failed:
            raise find_first(failed) from None
    if as_json:
        say_json(row)
    else:
        say(row.told)
    faults = (*row.violations, *row.shortfalls)
    for each in faults:
        say(f"spina: {each}", err=True)
    raise typer.Exit(1 if faults else 0)


@contextmanager
def shown(kills: int) -> Iterator[Callable[[int], None]]:
    """Show a bar to a person; yield the function that moves it."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from services.terminal.plain_console import PlainConsole

    columns = TextColumn("killing"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    with Progress(*columns, console=PlainConsole(stderr=True), transient=True) as progress:
        bar = progress.add_task("killing", total=kills)
        yield lambda done: progress.update(bar, completed=done)
