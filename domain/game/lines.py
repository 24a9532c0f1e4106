"""Lines of a game's log: written and read with the types of every game and those of its ruleset."""

from typing import Any

from msgspec import Struct

from domain.game.events import INPUT_TAGS, INPUT_TYPES, OUTCOME_TAGS, OUTCOME_TYPES
from domain.ids import CommandId
from domain.log.entry import Author, Entry, Place, read_event, write_entry
from domain.log.record import BadLine, parse_line
from domain.ruleset.ruleset import AnyRuleset


def write_input(event: Struct, place: Place, *, by: str, command: CommandId | None, sig: str | None) -> Entry:
    """Make the line of an input of a game."""
    return write_entry(event, place, type_=INPUT_TAGS[type(event)], author=Author(by=by, command=command, sig=sig))


def write_outcome(event: Struct, place: Place, ruleset: AnyRuleset) -> Entry:
    """Make the line of an outcome, of the game's own or of its ruleset."""
    return write_entry(event, place, type_=outcome_tag(event, ruleset), author=None)


def read_entry(raw: bytes, ruleset: AnyRuleset | None) -> Entry:
    """Read one stored line; the first line of a game is read without its ruleset, as it is what names it."""
    line = parse_line(raw)
    types: Any = INPUT_TYPES if line.kind == "input" else OUTCOME_TYPES
    found = types.get(line.type)
    if found is None and line.kind == "outcome" and ruleset is not None:
        found = ruleset.outcome_types.get(line.type)
    if found is None:
        raise BadLine(expected=f"the type of an {line.kind} of this game", found=line.type)
    return read_event(raw, line, found)


def outcome_tag(event: Struct, ruleset: AnyRuleset) -> str:
    """Return the type under which an outcome is logged."""
    tag = OUTCOME_TAGS.get(type(event))
    if tag is not None:
        return tag
    return next(tag for tag, outcome in ruleset.outcome_types.items() if outcome is type(event))
