"""The pause that a busy server or witness asks for (`retry-after`)."""

from collections.abc import Mapping

from domain.ledger.spelling import Misspelt, parse_number

BUSY_STATUS = 429
# The longest pause that is kept; a witness of a public list may be asked a few times a day.
PAUSE_MAX_S = 86_400


def read_pause(headers: Mapping[str, str]) -> float:
    """Read the pause in seconds, 1 where none is asked for. A date, its other form, is not used by these servers."""
    try:
        return float(min(parse_number(headers.get("retry-after", "1")), PAUSE_MAX_S))
    except Misspelt:
        return 1.0
