"""How far `spina verify` is, on standard error and only to a person: which source, and which game of a tournament."""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from services.audits.audit import Audited


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
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        yield VerifyProgress(progress, count)
