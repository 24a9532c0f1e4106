"""How a decision may be answered: sealed, revealed, played, or by the clock running out."""

from domain.canonical import Json, encode
from domain.game.actions import check_size, read_action
from domain.game.clock import find_deadline_ms, waits_for_seat
from domain.game.events import ActionPlayed, ActionRevealed, ActionSealed, ClockExpired
from domain.game.rejections import (
    ClockRanOut,
    ClockStillRuns,
    DecisionNotOwed,
    NoClock,
    RevealDoesNotFit,
    RevealTooEarly,
    RevealTooLate,
    SealsExhausted,
    WrongAnswer,
)
from domain.game.seating import require_playing
from domain.game.state import Game, Held, Owed, Sealed, find_owed, list_unshown
from domain.ids import DecisionId, Seat
from domain.log.own_links import check_nonce
from domain.log.record import format_at
from domain.log.rejections import DemandNotMet
from domain.seal import seal_action

# A seal may be replaced eight times: second thoughts, but no unbounded log of them.
SEALS_MAX = 9


def admit_seal(game: Game, sealed: ActionSealed, at_ms: int, *, by_house: bool) -> None:
    """Check that the seat owes this choice, in time, and has seals left to put. No stand-in replaces a player's."""
    _, owed = _require_owed(game, sealed.seat, sealed.decision)
    if owed.decision.kind != "sealed":
        raise WrongAnswer(expected=_expected_answer(owed), found="a seal")
    _check_in_time(game, owed, at_ms)
    choice = game.choices.get(sealed.decision)
    if isinstance(choice, Sealed):
        if by_house and not choice.by_house:
            raise WrongAnswer(expected="a choice that the player has not made", found=f"one for {sealed.decision}")
        if choice.count >= SEALS_MAX:
            raise SealsExhausted(expected=f"at most {SEALS_MAX} seals for {sealed.decision}", found="one more")
    elif choice is not None:
        raise ClockRanOut(expected=f"a seal for {sealed.decision} before the clock ran out", found="one after it")


def admit_reveal(game: Game, revealed: ActionRevealed, at_ms: int, *, by_server: bool) -> None:
    """Check that the reveal was sealed, fits its seal, and comes in turn. A seal of the stand-in brings no link."""
    held, owed = _require_owed(game, revealed.seat, revealed.decision)
    choice = game.choices.get(revealed.decision)
    if owed.decision.kind == "sealed":
        raise RevealTooEarly(expected="a reveal once every seal is in", found="one while others still choose")
    if owed.decision.kind == "plain":
        raise WrongAnswer(expected=_expected_answer(owed), found="a reveal")
    if not isinstance(choice, Sealed):
        found = "none" if choice is None else f"one that is {type(choice).__name__.lower()} already"
        raise RevealTooLate(expected=f"a seal of {revealed.decision} to reveal", found=found)
    if by_server:
        _check_turn_of_server(game, revealed.decision, at_ms)
    elif choice.opening is not None:
        raise WrongAnswer(expected="the server to reveal what it has in custody", found="a reveal by the seat")
    else:
        _check_in_time(game, owed, at_ms)
    action = encode(revealed.action)
    check_size(action)
    check_nonce(None if choice.by_house else held.links, revealed.nonce, whose=f"seat {revealed.seat}")
    seal = seal_action(game=game.id, seat=revealed.seat, decision=revealed.decision, salt=revealed.salt, action=action)
    if seal != choice.seal:
        raise RevealDoesNotFit(
            expected="the salt and the canonical action that were sealed", found=f"another salt, or {action.decode()}"
        )


def admit_play(game: Game, played: ActionPlayed, at_ms: int, *, by_house: bool) -> None:
    """Check that the seat owes this decision in the open, in time, and that the rules allow the action."""
    held, owed = _require_owed(game, played.seat, played.decision)
    if owed.decision.kind != "plain":
        raise WrongAnswer(expected=_expected_answer(owed), found="an action in the open")
    _check_in_time(game, owed, at_ms)
    check_size(encode(played.action))
    check_nonce(None if by_house else held.links, played.nonce, whose=f"seat {played.seat}")
    check_action(game, owed, played.action)


def admit_expiry(game: Game, expired: ClockExpired, at_ms: int) -> None:
    """Check that the clock really ran out on something the seat had to do."""
    _, owed = _require_owed(game, expired.seat, expired.decision)
    deadline_ms = find_deadline_ms(game, owed)
    if deadline_ms is None:
        raise NoClock(expected="a game with a clock", found="a game without one")
    if not waits_for_seat(game, owed):
        raise DecisionNotOwed(
            expected=f"something that seat {expired.seat} must still do",
            found=f"{expired.decision}, where it has done its part",
        )
    if at_ms <= deadline_ms:
        raise ClockStillRuns(expected=f"an expiry after {format_at(deadline_ms)}", found=f"one at {format_at(at_ms)}")


def check_action(game: Game, owed: Owed, action: Json) -> None:
    """Check an action against the rules as the board stands."""
    game.ruleset.check(game.board, owed.decision, read_action(game.ruleset, action))


def _require_owed(game: Game, seat: Seat, decision: DecisionId) -> tuple[Held, Owed]:
    held = require_playing(game, seat)
    owed = find_owed(game, seat, decision)
    if owed is None:
        owes = ", ".join(due.decision.id for due in game.owed if due.decision.seat == seat) or "nothing"
        raise DecisionNotOwed(expected=f"a decision that seat {seat} owes ({owes})", found=decision)
    return held, owed


def _check_in_time(game: Game, owed: Owed, at_ms: int) -> None:
    deadline_ms = find_deadline_ms(game, owed)
    if deadline_ms is not None and at_ms > deadline_ms:
        raise ClockRanOut(expected=f"an answer by {format_at(deadline_ms)}", found=f"one at {format_at(at_ms)}")


def _check_turn_of_server(game: Game, decision: DecisionId, at_ms: int) -> None:
    # Whose custody a seal was in stands nowhere in the log. So the server is believed only if it reveals everything
    # that is left, in seat order and at once: it can forestall no seat, and wait for nothing.
    if "own_custody" in game.opened.demands:
        raise DemandNotMet(expected="a reveal by the seat, as this game demands own custody", found="one by the server")
    first, _ = list_unshown(game)[0]
    if decision != first.id:
        raise RevealTooEarly(expected=f"the reveal of {first.id} first", found=f"that of {decision}")
    if at_ms != game.at_ms:
        raise RevealTooLate(expected=f"the server's reveals at {format_at(game.at_ms)}", found=format_at(at_ms))


def _expected_answer(owed: Owed) -> str:
    answers = {"plain": "an action in the open", "sealed": "a seal", "opening": "a reveal"}
    return f"{answers[owed.decision.kind]} for {owed.decision.id}"
