"""`spina doctor`: faults of this machine or its settings, with a remedy for each."""

import asyncio
import os
from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object a line.")]


def doctor(as_json: Json = False) -> None:
    """Check machine, settings, servers and keys. Exit code 0 when the server can run, 1 when not.

    Servers that are not running are started for the time of the check. ✗ is in the way of a start, ! is advice.

    Example: spina doctor
    """
    import msgspec
    from rich.console import Console
    from rich.table import Table

    from infra.logging import configure_logging
    from services.doctor.servers import examine

    configure_logging("error")
    findings = asyncio.run(examine(os.environ))
    if as_json:
        for finding in findings:
            typer.echo(msgspec.json.encode(finding).decode())
    else:
        table = Table("", "what", "found", "what to do", box=None)
        for finding in findings:
            table.add_row(
                _mark(is_ok=finding.is_ok, has_advice=bool(finding.advice)), finding.what, finding.found, finding.advice
            )
        Console().print(table)
    raise typer.Exit(0 if all(finding.is_ok for finding in findings) else 1)


def _mark(*, is_ok: bool, has_advice: bool) -> str:
    if not is_ok:
        return "[red]✗[/]"
    return "[yellow]![/]" if has_advice else "[green]✓[/]"
