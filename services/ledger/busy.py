"""The pause that a busy server or witness asks for (`retry-after`)."""

from collections.abc import Mapping

from domain.ledger.spelling import Misspelt, parse_number

BUSY_STATUS = 429
# The longest pause that is kept; a witness of a public list may be asked a few times a day.
PAUSE_MAX_S = 86_400
# The shortest one: a peer that asks for 0 would be asked without end.
PAUSE_MIN_S = 1


def read_pause(headers: Mapping[str, str]) -> float:
    """Read the pause in seconds, the shortest where none is asked for. A date, its other form, is not used here."""
    try:
        asked = parse_number(headers.get("retry-after", "0"))
    except Misspelt:
        asked = 0
    return float(min(max(asked, PAUSE_MIN_S), PAUSE_MAX_S))
