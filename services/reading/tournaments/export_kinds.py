"""The exports of a tournament: their formats and parts."""

from enum import StrEnum


class ExportFormat(StrEnum):
    """CSV is of one part, for spreadsheets; JSON and the page to print hold everything."""

    CSV = "csv"
    JSON = "json"
    HTML = "html"


class ExportPart(StrEnum):
    """The part of a tournament in a CSV."""

    STANDINGS = "standings"
    PAIRINGS = "pairings"
    RULINGS = "rulings"
