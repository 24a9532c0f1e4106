"""Deadlines. A decision may take `per_decision_ms`, then the rest of its seat's bank, in the log's own time.

Must agree with a verifier's result: nothing here reads a clock.
"""

import msgspec
from msgspec import Struct, UnsetType

from domain.game.events import CLOCK_MS_MAX
from domain.game.state import Game, Held, Owed, Sealed, held_seat
from domain.ids import DecisionId, Seat


class RunningClock(Struct, frozen=True, kw_only=True):
    """A seat's duty and its deadline, the last instant at which it may act."""

    seat: Seat
    decision: DecisionId
    since_ms: int
    deadline_ms: int


def list_running(game: Game) -> list[RunningClock]:
    """List the running clocks, the first to run out first. Complete where the server's custody is known."""
    running = []
    for owed in game.owed:
        deadline_ms = find_deadline_ms(game, owed)
        if deadline_ms is not None and waits_for_seat(game, owed):
            seat, decision = owed.decision.seat, owed.decision.id
            running.append(RunningClock(seat=seat, decision=decision, since_ms=owed.since_ms, deadline_ms=deadline_ms))
    return sorted(running, key=lambda clock: clock.deadline_ms)


def find_deadline_ms(game: Game, owed: Owed) -> int | None:
    """Return the last instant at which the decision may be answered; None where the game has no clock, or a pause."""
    if game.opened.clock is None or game.paused_ms is not None:
        return None
    seat = held_seat(game, owed.decision.seat)
    return max(owed.since_ms + game.opened.clock.per_decision_ms, _bank_from_ms(game, owed, seat) + seat.bank_ms)


def charge(game: Game, owed: Owed, at_ms: int) -> Held:
    """Return the seat after it answered: the time that something of it was overdue has left its bank."""
    seat = held_seat(game, owed.decision.seat)
    if game.opened.clock is None:
        return seat
    from_ms = _bank_from_ms(game, owed, seat)
    used_ms = min(max(0, at_ms - from_ms), seat.bank_ms)
    if used_ms == 0:
        return seat
    return msgspec.structs.replace(seat, bank_ms=seat.bank_ms - used_ms, charged_to_ms=from_ms + used_ms)


def credit(game: Game, held: Held) -> Held:
    """Return a seat with the increment in its bank, which the increment alone brings to no more than the maximum."""
    clock = game.opened.clock
    if clock is None or isinstance(clock.increment_ms, UnsetType):
        return held
    room_ms = max(0, CLOCK_MS_MAX - held.bank_ms)
    return msgspec.structs.replace(held, bank_ms=held.bank_ms + min(clock.increment_ms, room_ms))


def waits_for_seat(game: Game, owed: Owed) -> bool:
    """Return whether the clock of this decision runs: the seat has not done its part yet."""
    if held_seat(game, owed.decision.seat).has_departed:
        return False
    choice = game.choices.get(owed.decision.id)
    match owed.decision.kind:
        case "plain":
            return True
        case "sealed":
            return choice is None
        case "opening":
            return isinstance(choice, Sealed) and choice.opening is None


def _bank_from_ms(game: Game, owed: Owed, seat: Held) -> int:
    # The bank runs while anything of the seat is overdue, and only once for decisions that are overdue together; so the
    # order in which a seat answers them is worth nothing.
    assert game.opened.clock is not None
    waiting = [due for due in game.owed if due.decision.seat == owed.decision.seat and waits_for_seat(game, due)]
    since_ms = min(each.since_ms for each in (owed, *waiting))
    return max(since_ms + game.opened.clock.per_decision_ms, seat.charged_to_ms)
