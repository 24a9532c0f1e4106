"""`spina dump`: public games as a data set."""

import os
from datetime import date
from pathlib import Path
from typing import Annotated

import typer

from services.cli.operator import By, acting
from services.terminal.printing import say
from services.terminal.refusal import REFUSED_EXIT_CODE

Given = Annotated[list[Path], typer.Argument(metavar="BUNDLE...", help="Bundles of games, or folders of them.")]
To = Annotated[Path, typer.Option("--to", help="The folder of the dump, which is not there yet.")]
Since = Annotated[str, typer.Option("--since", help="Games that ended on this day or later, as 2026-10-01.")]
Until = Annotated[str | None, typer.Option("--until", help="Games that ended before this day; else before today.")]
Record = Annotated[bool, typer.Option("--record", help="Put the hash of the dump into the operators' record.")]


def dump(
    given: Given, to: To, since: Since = "1970-01-01", until: Until = None, record: Record = False, by: By = ""
) -> None:
    """Write games, seats, moves and boards of public games as lines of JSON and as CSV.

    Reads bundles alone, such as `spina export --all` keeps: the same bundles give the same bytes on every machine.
    Private games and games that are not over are left out; players are ids without names. `SHA256SUMS` has every file.
    With --record its hash stands in the operators' record, and so in the ledger.

    Exit code 1 where a file is no bundle of a game that can be replayed; the others are in the dump.

    Example: spina dump archive/ --since 2026-10-01 --until 2026-11-01 --to dump-2026-10
    """
    import asyncio
    from datetime import UTC, datetime

    from infra.settings import read_settings
    from services.audits.dump import DumpRefused, list_bundles, write_dump
    from services.node.records import record_dump
    from services.terminal.practice_tables import shown

    first, end = _read_day(since), _read_day(until) if until else datetime.now(UTC).date()
    with acting(DumpRefused):
        files = list_bundles(given)
        done = write_dump(shown(files, len(files)), to, since=f"{first}T", until=f"{end}T")
        if record:
            asyncio.run(record_dump(read_settings(os.environ), sums=done.sums, games=done.games, by=by))
    say(f"{done.games} games, {done.moves} moves; {done.left_out} left out. {done.sums}  {to / 'SHA256SUMS'}")
    for name in done.unreadable:
        say(f"spina: expected a bundle of a game, found none in {name}", err=True)
    raise typer.Exit(REFUSED_EXIT_CODE if done.unreadable else 0)


def _read_day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise typer.BadParameter(f"expected a day, such as 2026-10-01, found {text!a}") from None
