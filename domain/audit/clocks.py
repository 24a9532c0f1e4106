"""The clock of the game: nobody answered too late, and nobody was run out of time too early."""

from domain.audit.case import Case
from domain.audit.findings import Broken, Held, Result, Unchecked, broken
from domain.game.clock import find_deadline_ms, waits_for_seat
from domain.game.entry import Entry
from domain.game.events import ActionPlayed, ActionRevealed, ActionSealed, ClockExpired
from domain.game.state import Game, find_owed
from domain.record import format_at, parse_at


def check_clocks(case: Case) -> Result:
    """Check each answer and expiry against the deadline that the lines before it make."""
    games = case.walk.games
    timed = 0
    for entry in case.entries:
        event, version = entry.event, entry.line.version
        if not isinstance(event, ActionSealed | ActionPlayed | ActionRevealed | ClockExpired):
            continue
        if case.opened is not None and case.opened.clock is None:
            if isinstance(event, ClockExpired):
                return broken(version, expected="no expiry, as the game has no clock", found=f"one of {event.decision}")
            continue
        if version not in games:
            return Unchecked(reason=f"how the game stood at line {version} cannot be told")
        misfit = _find_misfit(entry, games[version])
        if misfit is not None:
            return misfit
        timed += 1
    return Held(seen=f"{timed} answers and expiries")


def _find_misfit(entry: Entry, game: Game) -> Broken | None:
    event, line = entry.event, entry.line
    assert isinstance(event, ActionSealed | ActionPlayed | ActionRevealed | ClockExpired)
    owed = find_owed(game, event.seat, event.decision)
    # What the server reveals is in its custody: it has no clock, as it comes with the last line before.
    if owed is None or line.by == "server":
        return None
    deadline_ms, at_ms = find_deadline_ms(game, owed), parse_at(line.at)
    assert deadline_ms is not None, "the game has a clock"
    if not isinstance(event, ClockExpired):
        if at_ms <= deadline_ms:
            return None
        return broken(line.version, expected=f"an answer by {format_at(deadline_ms)}", found=f"one at {line.at}")
    if at_ms > deadline_ms and waits_for_seat(game, owed):
        return None
    expected = f"an expiry after {format_at(deadline_ms)} of what seat {event.seat} has not done"
    return broken(line.version, expected=expected, found=f"one at {line.at}")
