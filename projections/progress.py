"""The progress of a race, as far as one line tells: which turn begins, which lap is over.

A ruleset whose kit names no such lines has one chapter from its start to its end.
"""

from domain.log.record import Line
from domain.ruleset.kit import Marker
from domain.rulesets.released import find_kit


def find_turn(ruleset: str, line: Line) -> int | None:
    """Return the number of the turn that begins with this line, if one does."""
    kit = find_kit(ruleset)
    return None if kit is None else find_number(kit.turn, line)


def find_lap(ruleset: str, line: Line) -> int | None:
    """Return how many laps a seat has completed with this line, if it has."""
    kit = find_kit(ruleset)
    return None if kit is None else find_number(kit.lap, line)


def find_number(marker: Marker | None, line: Line) -> int | None:
    if marker is None or line.kind != "outcome" or line.type != marker.event:
        return None
    number = line.data.get(marker.field)
    return number if isinstance(number, int) else None
