"""Deadlines. A decision may take `per_decision_ms`, then what is left of its seat's bank, in the log's own time.

Must agree with what a verifier computes: nothing here reads a clock.
"""

import msgspec

from domain.game.state import Game, Held, Owed, Sealed, held_seat


def find_deadline_ms(game: Game, owed: Owed) -> int | None:
    """Return the last instant at which the decision may be answered; None where the game has no clock."""
    if game.opened.clock is None:
        return None
    seat = held_seat(game, owed.decision.seat)
    return _overdue_from_ms(game, owed, seat) + seat.bank_ms


def charge(game: Game, owed: Owed, at_ms: int) -> Held:
    """Return the seat after it answered: what it used beyond the time of the decision has left its bank."""
    seat = held_seat(game, owed.decision.seat)
    if game.opened.clock is None:
        return seat
    overdue_from_ms = _overdue_from_ms(game, owed, seat)
    if at_ms <= overdue_from_ms:
        return seat
    return msgspec.structs.replace(seat, bank_ms=max(0, seat.bank_ms - (at_ms - overdue_from_ms)), charged_to_ms=at_ms)


def waits_for_seat(game: Game, owed: Owed) -> bool:
    """Say whether the clock of this decision runs: the seat has not done its part yet."""
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


def _overdue_from_ms(game: Game, owed: Owed, seat: Held) -> int:
    # A seat that owes two decisions at once is overdue once: what the first used is not taken again for the second.
    assert game.opened.clock is not None
    return max(owed.since_ms + game.opened.clock.per_decision_ms, seat.charged_to_ms)
