"""An input against the clocks that the lines before it make: its deadline, or the time that it gives back."""

from domain.audit.findings import Broken, broken
from domain.game.absence import admit_giving_back
from domain.game.clock import find_deadline_ms, waits_for_seat
from domain.game.consent import admit_pause_ending
from domain.game.events import ActionPlayed, ActionRevealed, ActionSealed, ClockExpired, ClockExtended, PauseEnded
from domain.game.state import Game, find_owed
from domain.log.entry import Entry
from domain.log.record import format_at, parse_at
from domain.rejection import Rejection


def is_timed(entry: Entry) -> bool:
    # A grant by an organiser is a ruling, and no deadline judges it.
    if isinstance(entry.event, ClockExtended | PauseEnded):
        return entry.line.by == "clock"
    return isinstance(entry.event, ActionSealed | ActionPlayed | ActionRevealed | ClockExpired)


def find_clock_misfit(entry: Entry, game: Game) -> Broken | None:
    """Return what is wrong with the time of an input; None where it fits, and where the game has no clock."""
    event, line = entry.event, entry.line
    if game.opened.clock is None or not is_timed(entry):
        return None
    if isinstance(event, ClockExtended | PauseEnded):
        return _find_unfit_act(entry, event, game)
    assert isinstance(event, ActionSealed | ActionPlayed | ActionRevealed | ClockExpired)
    owed = find_owed(game, event.seat, event.decision)
    # A reveal by the server is of an entrusted action: it has no clock, as it comes with the last line before.
    if owed is None or line.by == "server":
        return None
    deadline_ms, at_ms = find_deadline_ms(game, owed), parse_at(line.at)
    if deadline_ms is None:
        return broken(line.version, expected="no answer and no expiry while the game is paused", found=line.type)
    if not isinstance(event, ClockExpired):
        if at_ms <= deadline_ms:
            return None
        return broken(line.version, expected=f"an answer by {format_at(deadline_ms)}", found=f"one at {line.at}")
    if at_ms > deadline_ms and waits_for_seat(game, owed):
        return None
    expected = f"an expiry after {format_at(deadline_ms)} of what seat {event.seat} has not done"
    return broken(line.version, expected=expected, found=f"one at {line.at}")


def _find_unfit_act(entry: Entry, event: ClockExtended | PauseEnded, game: Game) -> Broken | None:
    try:
        if isinstance(event, PauseEnded):
            admit_pause_ending(game, event, parse_at(entry.line.at), by_clock=True)
        else:
            admit_giving_back(game, event, parse_at(entry.line.at))
    except Rejection as error:
        return broken(entry.line.version, expected=error.expected, found=error.found)
    return None
