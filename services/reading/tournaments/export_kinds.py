"""Which exports of a tournament there are: in what form, and of what."""

from enum import StrEnum


class ExportFormat(StrEnum):
    """CSV is of one part, for spreadsheets; JSON and the page to print hold everything."""

    CSV = "csv"
    JSON = "json"
    HTML = "html"


class ExportPart(StrEnum):
    """What a CSV is of."""

    STANDINGS = "standings"
    PAIRINGS = "pairings"
    RULINGS = "rulings"
