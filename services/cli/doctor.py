"""`spina doctor`: faults of this machine or its settings, with a remedy for each."""

import asyncio
import os
from typing import Annotated

import typer

from services.terminal.printing import say_json

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object a line.")]


def doctor(as_json: Json = False) -> None:
    """Check machine, settings, servers and keys. Exit code 0 when the server can run, 1 when not.

    Servers that are not running are started for the time of the check. ✗ is in the way of a start, ! is advice.

    Example: spina doctor
    """
    from rich.table import Column, Table
    from rich.text import Text

    from infra.logging import configure_logging
    from services.doctor.servers import examine
    from services.terminal.plain_console import PlainConsole

    configure_logging("error")
    findings = asyncio.run(examine(os.environ))
    if as_json:
        for finding in findings:
            say_json(finding)
    else:
        # A path or a name that is longer than its column goes on in the next line.
        table = Table("", "what", *(Column(head, overflow="fold") for head in ("found", "what to do")), box=None)
        for finding in findings:
            mark = Text(*_mark(is_ok=finding.is_ok, has_advice=bool(finding.advice)))
            table.add_row(mark, finding.what, finding.found, finding.advice)
        PlainConsole().print(table)
    raise typer.Exit(0 if all(finding.is_ok for finding in findings) else 1)


def _mark(*, is_ok: bool, has_advice: bool) -> tuple[str, str]:
    """Return a sign and its style."""
    if not is_ok:
        return "✗", "red"
    return ("!", "yellow") if has_advice else ("✓", "green")
