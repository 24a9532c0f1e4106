"""`spina record`: the acts of operators on this server, shown, and disclosed with proof."""

import asyncio
import os
from pathlib import Path
from typing import Annotated

import typer

from services.cli.operator import acting
from services.terminal.printing import say, say_json

record = typer.Typer(
    name="record",
    help="The operators' record: who did what, and why. Example: spina record show",
    no_args_is_help=True,
)

About = Annotated[
    str | None, typer.Argument(metavar="ID", help="The id of an account or a game; without it, all lines.")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Named = Annotated[str | None, typer.Argument(metavar="RECORD", help="Its id, as `show` tells it; else that in use.")]
LineGiven = Annotated[int | None, typer.Option("--line", min=2, help="Disclose this line alone.")]
Folder = Annotated[
    Path, typer.Option("--to", help="The folder for the file.", exists=True, file_okay=False, writable=True)
]


@record.callback()
def group() -> None:
    """Show the acts of operators, or write the file that proves them. Asks the database as its owner."""


@record.command()
def show(about: About = None, as_json: Json = False) -> None:
    """List the acts of operators in their order: time, act, operator, object and reason.

    Example: spina record show 0199c0de-0000-7000-8000-0000000000f0
    """
    from infra.settings import read_settings
    from services.node.records import read_all_records

    with acting():
        lines = asyncio.run(read_all_records(read_settings(os.environ)))
    found = [line for line in lines if about is None or about in line.data.values()]
    if as_json:
        say_json(found)
        return
    for line in found:
        data = dict(line.data)
        by, reason = data.pop("operator", None), data.pop("reason", None)
        if data.pop("leaf_key", None) is not None:
            data["record"] = line.stream
        told = [str(line.version), line.at, line.type, *(f"{name} {value}" for name, value in data.items())]
        if by is not None:
            told.append(f"by {by}" if reason is None else f"by {by}: {reason}")
        say(" ".join(told))


@record.command()
def export(named: Named = None, to: Folder = Path(), line: LineGiven = None) -> None:
    """Write RECORD.record.zip: the whole record, with the ledger's proof of it. `spina verify` checks it offline.

    With --line it has one line alone, and the first one, without which no leaf can be read.

    Example: spina record export --to disclosed/

    Example: spina record export --line 17
    """
    from domain.audit.record_bundle import SUFFIX, format_record_bundle
    from infra.settings import read_settings
    from services.node.export import ExportRefused, export_record

    with acting(ExportRefused):
        record_id, bundle = asyncio.run(export_record(read_settings(os.environ), named, version=line))
        path = to / f"{record_id}{'' if line is None else f'-line-{line}'}{SUFFIX}"
        path.write_bytes(format_record_bundle(bundle))
    say(str(path))
    if bundle.last_proof is None:
        say("spina: no checkpoint covers its last line yet: a later export has the proof", err=True)
