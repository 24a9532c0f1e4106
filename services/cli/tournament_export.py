"""`spina tournament export`: a table, JSON or a page to print, of a server or of a bundle, the same bytes."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from services.cli.tournament_options import Url, run
from services.reading.tournaments.export_kinds import ExportFormat, ExportPart
from services.terminal.printing import say
from services.terminal.refusal import told_in_a_sentence

Given = Annotated[str | None, typer.Argument(metavar="[TOURNAMENT]", help="The id of the tournament, at a server.")]
BundleFile = Annotated[Path | None, typer.Option("--bundle", help="Its bundle, in place of a server.")]
Format = Annotated[ExportFormat, typer.Option("--format", help="Tables are of one part, the others hold everything.")]
Part = Annotated[ExportPart, typer.Option("--part", help="The content of a table.")]
At = Annotated[int | None, typer.Option("--at", min=1, help="As it stood after this line of its log.")]
To = Annotated[Path | None, typer.Option("--to", help="The file; standard output by default.")]


def export(  # noqa: PLR0913, PLR0917  each is an option of the command line
    given: Given = None,
    bundle: BundleFile = None,
    format_: Format = ExportFormat.HTML,
    part: Part = ExportPart.STANDINGS,
    at: At = None,
    to: To = None,
    url: Url = None,
) -> None:
    """Write the results of a tournament. A bundle gives the same bytes as the server gave at that version.

    Of a bundle only the content of its log is written; whether its games agree, `spina verify` tells.

    Example: spina tournament export 0199c0de-0000-7000-8000-00000000c0b0 --format csv --part pairings --to pairings.csv

    Example: spina tournament export --bundle cup.tournament.zip --format html --to results.html
    """
    if (given is None) == (bundle is None):
        raise typer.BadParameter("expected a tournament or a --bundle, found " + ("both" if given else "neither"))
    if bundle is None:
        content = _fetch(given or "", {"format": str(format_), "part": str(part), **({"at": at} if at else {})}, url)
    else:
        content = _make(bundle, format_, part, at)
    if to is None:
        sys.stdout.buffer.write(content)
        return
    with told_in_a_sentence(OSError):
        to.write_bytes(content)
    say(str(to))


def _fetch(given: str, asked: dict[str, str | int], url: str | None) -> bytes:
    from services.cli.tournament_asking import consult, fetch_export

    return run(lambda: consult(url, given, lambda at: fetch_export(at, asked)))


def _make(bundle: Path, format_: ExportFormat, part: ExportPart, at: int | None) -> bytes:
    from domain.audit.tournament_bundle import TOURNAMENT_SIZE_MAX
    from services.audits.files import StoredFile
    from services.audits.tournament_sheet import SheetRefused, read_sheet
    from services.reading.tournaments.export import export_sheet

    with told_in_a_sentence(SheetRefused, OSError):
        return export_sheet(read_sheet(StoredFile(bundle, size_max=TOURNAMENT_SIZE_MAX), at=at), format_, part).content
    raise AssertionError
