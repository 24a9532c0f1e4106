"""Lines of a tournament's log: written and read with the types that a tournament knows."""

from domain.log.entry import Author, Entry, Place, read_event, write_entry
from domain.log.record import BadLine, parse_line
from domain.tournament.events import INPUT_TYPES, OUTCOME_TYPES, TAGS, InputEvent, OutcomeEvent


def write_line(event: InputEvent | OutcomeEvent, place: Place, author: Author | None) -> Entry:
    """Make the line of an input, which has an author, or of an outcome, which has none."""
    return write_entry(event, place, type_=TAGS[type(event)], author=author)


def read_line(raw: bytes) -> Entry:
    """Read one stored line, or raise BadLine."""
    line = parse_line(raw)
    types = INPUT_TYPES if line.kind == "input" else OUTCOME_TYPES
    found = types.get(line.type)
    if found is None:
        raise BadLine(expected=f"the type of an {line.kind} of a tournament", found=line.type)
    return read_event(raw, line, found)
