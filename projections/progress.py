"""How far a race is, as far as one line tells: which turn begins, which lap. One place for all rulesets.

A ruleset that is not named here has one chapter from its start to its end.
"""

from domain.log.record import Line

# What a turn of all seats is called in each ruleset.
TURN_WORDS = {"charioteer": "Turn", "chariot-race": "Round", "chariotmaster": "Game turn"}
# The line with which it begins, and the field that numbers it.
_TURNS = {
    "charioteer": ("turn_began", "turn"),
    "chariot-race": ("round_began", "round"),
    "chariotmaster": ("mug_filled", "game_turn"),
}
# The line that tells of a lap, and the field with its number.
_LAPS = {
    "charioteer": ("lap_completed", "lap"),
    "chariot-race": ("lap_completed", "laps"),
    "chariotmaster": ("lap_completed", "lap"),
}


def find_turn(ruleset: str, line: Line) -> int | None:
    """Return the number of the turn that begins with this line, if one does."""
    return _find(_TURNS.get(ruleset), line)


def find_lap(ruleset: str, line: Line) -> int | None:
    """Return how many laps somebody has completed with this line, if somebody has."""
    return _find(_LAPS.get(ruleset), line)


def _find(told_by: tuple[str, str] | None, line: Line) -> int | None:
    if told_by is None or line.kind != "outcome" or line.type != told_by[0]:
        return None
    number = line.data.get(told_by[1])
    return number if isinstance(number, int) else None
