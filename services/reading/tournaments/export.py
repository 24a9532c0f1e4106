"""The exports of a tournament by format and part: the list, the names of their files, and their bytes.

CSV is RFC 4180: a header, a record a line, CRLF, UTF-8 without a mark. Spreadsheets would execute users' text that
begins like a formula: it is written after an apostrophe, by which they know text. Numbers are written as they are.
"""

import codecs
import csv
import io
from collections.abc import Iterator, Sequence
from typing import assert_never

import msgspec
from msgspec import Struct

from domain.audit.findings import escape_unseen
from domain.tournament.standings import read_tie_break
from services.reading.tournaments.export_kinds import ExportFormat, ExportPart
from services.reading.tournaments.pairings import RoundShown, TableShown
from services.reading.tournaments.results_page import format_page
from services.reading.tournaments.sentences import list_names
from services.reading.tournaments.sheet import Sheet, has_progress

# Characters that spreadsheets read as the beginning of a formula, or pass over before one.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")  # noqa: RUF001  wide ones count as well
TEXT_MARK = "'"
# Where a format sends some on, these decide before all points.
PROGRESS_HEADER = ("steps", "points of the last step")
PAIRINGS_HEADER = (
    *("round", "table", "attempt", "status"),
    *("seat", "entrant", "player", "name", "score", "lot", "lateness"),
    *("place", "points", "result"),
    *("game", "game_version", "game_hash", "why"),
)
RULINGS_HEADER = (
    *("line", "type", "by", "by_name"),
    *("round", "table", "entrant", "points"),
    *("reason", "changes", "entrants", "told"),
)
TEAMS_HEADER = ("place", "letter", "team", "points", "entrant", "player", "name", "own points")
Cell = str | int | None
# The names of columns, and a row for each record.
Table = tuple[Sequence[str], Sequence[Sequence[Cell]]]


def list_standings(sheet: Sheet) -> Table:
    tie_breaks, rounds = sheet.tournament.terms.tie_breaks, range(1, sheet.standings.rounds + 1)
    header = [
        *("place", "entrant", "player", "name"),
        *(PROGRESS_HEADER if has_progress(sheet) else ()),
        *("points", *tie_breaks, *(f"round {round_}" for round_ in rounds), "left"),
        *(("team",) if sheet.standings.teams else ()),
    ]
    return (
        header,
        [
            [
                *(
                    standing.place,
                    standing.entrant,
                    standing.player,
                    standing.name,
                    *standing.progress,
                    standing.points,
                ),
                *(read_tie_break(number.name, number.value) for number in standing.tie_breaks),
                *standing.rounds,
                standing.left,
                *((None if standing.team is None else standing.team.letter,) if sheet.standings.teams else ()),
            ]
            for standing in sheet.standings.items
        ],
    )


def list_pairings(sheet: Sheet) -> Table:
    """List a record for each seat of each table, as it was drawn last, and one for each bye."""
    return PAIRINGS_HEADER, [row for round_ in sheet.pairings.items for row in _list_pairings(round_)]


def list_rulings(sheet: Sheet) -> Table:
    name_of = {entrant.entrant: entrant.name or f"entrant {entrant.entrant}" for entrant in sheet.entrants.items}
    rows: list[list[Cell]] = []
    for ruling in sheet.tournament.rulings:
        changed = [f"{name_of[one.entrant]}: {one.points_before} to {one.points_after}" for one in ruling.changes]
        about = (ruling.round, ruling.table, ruling.entrant, ruling.points)
        changes = list_names(changed) if changed else None
        several = list_names([name_of[one] for one in ruling.entrants]) if ruling.entrants else None
        rows.append(
            [ruling.line, ruling.type, ruling.by, ruling.by_name, *about, ruling.reason, changes, several, ruling.told]
        )
    return RULINGS_HEADER, rows


def list_teams(sheet: Sheet) -> Table:
    """List a record for each member that counts for a team, the best first."""
    points = {standing.entrant: standing.points for standing in sheet.standings.items}
    return TEAMS_HEADER, [
        [team.place, team.letter, team.name, team.points, who.entrant, who.player, who.name, points[who.entrant]]
        for team in sheet.standings.teams
        for who in team.entrants
    ]


def guard(cell: Cell) -> Cell:
    """Return a cell that no spreadsheet carries out."""
    return TEXT_MARK + cell if isinstance(cell, str) and cell.startswith(FORMULA_STARTS) else cell


def _show(cell: Cell) -> Cell:
    return escape_unseen(cell) if isinstance(cell, str) else cell


def _list_pairings(round_: RoundShown) -> Iterator[list[Cell]]:
    for table in round_.tables:
        yield from _list_seats(round_.round, table)
    for bye in round_.byes:
        who: list[Cell] = [None, bye.entrant, bye.player, bye.name]
        numbers: list[Cell] = [bye.score, bye.lot, None]
        yield [round_.round, None, None, "bye", *who, *numbers, None, bye.points, None, None, None, None, bye.why]


def _list_seats(round_: int, table: TableShown) -> Iterator[list[Cell]]:
    counted = {score.entrant: score for score in table.scored}
    said: dict[int, int] = {placing.seat: placing.place for placing in table.result or ()}
    for seat in table.seats:
        scored = counted.get(seat.entrant)
        yield [
            *(round_, table.table, table.attempt, table.status),
            *(seat.seat, seat.entrant, seat.player, seat.name, seat.score, seat.lot, seat.lateness),
            None if scored is None else scored.place,
            None if scored is None else scored.points,
            said.get(seat.seat),
            *(table.game, table.game_version, table.game_hash, table.why),
        ]


def _format_table(table: Table, *, delimiter: str) -> str:
    header, rows = table
    text = io.StringIO(newline="")
    # All quoted: where a spreadsheet parts fields by another mark, the rest of a text would begin a cell.
    writer = csv.writer(text, lineterminator="\r\n", quoting=csv.QUOTE_ALL, delimiter=delimiter)
    writer.writerow(header)
    writer.writerows([guard(_show(cell)) for cell in row] for row in rows)
    return text.getvalue()


# All but the table for spreadsheets is UTF-8, which the API adds where it is stated.
MEDIA_TYPES = {
    ExportFormat.CSV: "text/csv; header=present",
    ExportFormat.EXCEL: "application/vnd.ms-excel",
    ExportFormat.JSON: "application/json",
    ExportFormat.HTML: "text/html",
}


class Export(Struct, frozen=True, kw_only=True):
    name: str
    media_type: str
    content: bytes


def export_sheet(sheet: Sheet, wanted: ExportFormat, part: ExportPart) -> Export:
    """Write a file; `part` is of tables alone."""
    shown = sheet.tournament
    return Export(
        name=f"{shown.id}.v{shown.version}.{_name_kind(wanted, part)}",
        media_type=MEDIA_TYPES[wanted],
        content=_format(sheet, wanted, part),
    )


def _name_kind(wanted: ExportFormat, part: ExportPart) -> str:
    match wanted:
        case ExportFormat.CSV:
            return f"{part}.csv"
        case ExportFormat.EXCEL:
            # The ending that a double click knows.
            return f"{part}.excel.csv"
        case _:
            return wanted


def _format(sheet: Sheet, wanted: ExportFormat, part: ExportPart) -> bytes:
    match wanted:
        case ExportFormat.CSV:
            return _format_table(_list_part(sheet, part), delimiter=",").encode()
        case ExportFormat.EXCEL:
            # A double click on a CSV shows one column where a country parts fields by semicolons, and broken accents.
            # Spreadsheets everywhere read UTF-16 with a mark, parted by tabs.
            return codecs.BOM_UTF16_LE + _format_table(_list_part(sheet, part), delimiter="\t").encode("utf-16-le")
        case ExportFormat.JSON:
            return msgspec.json.encode(sheet)
        case ExportFormat.HTML:
            return format_page(sheet)
        case _:
            assert_never(wanted)


def _list_part(sheet: Sheet, part: ExportPart) -> Table:
    match part:
        case ExportPart.STANDINGS:
            return list_standings(sheet)
        case ExportPart.PAIRINGS:
            return list_pairings(sheet)
        case ExportPart.RULINGS:
            return list_rulings(sheet)
        case ExportPart.TEAMS:
            return list_teams(sheet)
        case _:
            assert_never(part)
