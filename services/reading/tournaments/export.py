"""The exports of a tournament by format and part: the list, the names of their files, and their bytes."""

from typing import assert_never

import msgspec
from msgspec import Struct

from services.reading.tournaments.export_kinds import ExportFormat, ExportPart
from services.reading.tournaments.results_page import format_page
from services.reading.tournaments.sheet import Sheet
from services.reading.tournaments.tables_csv import format_pairings, format_rulings, format_standings

# All of it is UTF-8, which the API adds where it is said.
MEDIA_TYPES = {
    ExportFormat.CSV: "text/csv; header=present",
    ExportFormat.JSON: "application/json",
    ExportFormat.HTML: "text/html",
}


class Export(Struct, frozen=True, kw_only=True):
    name: str
    media_type: str
    content: bytes


def export_sheet(sheet: Sheet, wanted: ExportFormat, part: ExportPart) -> Export:
    """Write a file; `part` is of CSV alone."""
    shown = sheet.tournament
    of_part = f".{part}" if wanted is ExportFormat.CSV else ""
    return Export(
        name=f"{shown.id}.v{shown.version}{of_part}.{wanted}",
        media_type=MEDIA_TYPES[wanted],
        content=_format(sheet, wanted, part),
    )


def _format(sheet: Sheet, wanted: ExportFormat, part: ExportPart) -> bytes:
    match wanted:
        case ExportFormat.CSV:
            return _format_part(sheet, part)
        case ExportFormat.JSON:
            return msgspec.json.encode(sheet)
        case ExportFormat.HTML:
            return format_page(sheet)
        case _:
            assert_never(wanted)


def _format_part(sheet: Sheet, part: ExportPart) -> bytes:
    match part:
        case ExportPart.STANDINGS:
            return format_standings(sheet)
        case ExportPart.PAIRINGS:
            return format_pairings(sheet)
        case ExportPart.RULINGS:
            return format_rulings(sheet)
        case _:
            assert_never(part)
