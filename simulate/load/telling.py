"""The command line of a load: its options, its progress, its figures and its exit code."""

import asyncio
import tempfile
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from services.terminal.printing import say, say_json
from services.terminal.refusal import told_in_a_sentence
from simulate.load.run import Run

Minutes = Annotated[float, typer.Option(min=1, max=1_000, help="After so many minutes no further one is.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the figures as JSON, for machines.")]
# As shells have it for an end by SIGINT.
STOPPED_EXIT_CODE = 130


def run_and_tell(
    work: Callable[[Path, Run], Coroutine[Any, Any, Any]],
    *refusals: type[Exception],
    kills: int,
    minutes: float,
    as_json: bool,
) -> None:
    """Run in a folder that goes away, print the outcome, and end the program with its exit code."""
    from infra.logging import configure_logging
    from simulate.load.journal import LoadEnded
    from simulate.tournament.own_server import ServerDidNotStart
    from simulate.tournament.rehearsal import find_first
    from spina_client.problems import AnswerUnreadable, Refused, ServerUnreachable

    configure_logging("error")
    with (
        tempfile.TemporaryDirectory(prefix="spina-load-", ignore_cleanup_errors=True) as folder,
        told_in_a_sentence(
            Refused, ServerUnreachable, AnswerUnreadable, LoadEnded, ServerDidNotStart, OSError, *refusals
        ),
        progress(kills) as on_kill,
    ):
        # Database nodes run as another account.
        Path(folder).chmod(0o711)
        try:
            outcome = asyncio.run(work(Path(folder), Run(kills, minutes, on_kill)))
        except ExceptionGroup as failed:
            raise find_first(failed) from None
        except asyncio.CancelledError:
            raise typer.Exit(STOPPED_EXIT_CODE) from None
    if as_json:
        say_json(outcome)
    else:
        say(outcome.told)
        for reason, count in Counter(outcome.gave_up).most_common():
            say(f"{count} gave up: {reason}")
    faults = (*outcome.violations, *outcome.shortfalls)
    for fault in faults:
        say(f"spina: {fault}", err=True)
    raise typer.Exit(1 if faults else STOPPED_EXIT_CODE if outcome.is_interrupted else 0)


@contextmanager
def progress(kills: int) -> Iterator[Callable[[], None]]:
    """Show a bar to a person; yield the function that moves it by one."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from services.terminal.plain_console import PlainConsole

    columns = TextColumn("killing"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    with Progress(*columns, console=PlainConsole(stderr=True), transient=True) as shown:
        bar = shown.add_task("killing", total=kills)
        yield lambda: shown.advance(bar)
