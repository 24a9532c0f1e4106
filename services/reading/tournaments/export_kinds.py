"""The exports of a tournament: their formats and parts."""

from enum import StrEnum


class ExportFormat(StrEnum):
    """CSV is of one part, for programs and for spreadsheets; JSON and the page to print hold everything."""

    CSV = "csv"
    EXCEL = "excel"
    JSON = "json"
    HTML = "html"


class ExportPart(StrEnum):
    """The part of a tournament in a table."""

    STANDINGS = "standings"
    PAIRINGS = "pairings"
    RULINGS = "rulings"
    TEAMS = "teams"
