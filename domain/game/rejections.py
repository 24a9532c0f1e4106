"""Why a game says no. Each has one stable code, which the API hands out as the problem's type."""

from domain.rejection import Rejection


class WrongSeatCount(Rejection):
    code = "wrong-seat-count"


class UnfitTerms(Rejection):
    """Something else about a game's opening does not fit: its clock, demands, organisers, commitment or anchors."""

    code = "unfit-terms"


class NoSuchSeat(Rejection):
    code = "no-such-seat"


class SeatNotVacant(Rejection):
    code = "seat-not-vacant"


class SeatsVacant(Rejection):
    """No seat is ready before all seats are taken."""

    code = "seats-vacant"


class SeatNotHeld(Rejection):
    code = "seat-not-held"


class NotYourSeat(Rejection):
    code = "not-your-seat"


class SeatOfAnother(Rejection):
    """The seat is kept for a player who was drawn at this table, or for the holder of another key."""

    code = "seat-of-another"


class SeatingsExhausted(Rejection):
    """The player sat down in this game too often, or was sent away; an offer by name lets it sit down again."""

    code = "seatings-exhausted"


class AlreadySeated(Rejection):
    code = "already-seated"


class AlreadyReady(Rejection):
    code = "already-ready"


class AlreadyStarted(Rejection):
    code = "already-started"


class NotStarted(Rejection):
    code = "not-started"


class GameOver(Rejection):
    code = "game-over"


class GameTooLong(Rejection):
    """The log has as many lines as a game may have; it can only be aborted."""

    code = "game-too-long"


class SeatDeparted(Rejection):
    code = "seat-departed"


class SeatHandedOver(Rejection):
    """The stand-in plays for the seat; its player takes it back first."""

    code = "seat-handed-over"


class SeatNotHandedOver(Rejection):
    code = "seat-not-handed-over"


class ConsentRefused(Rejection):
    """The game is of a tournament, which its organisers end, or the seat consented too often."""

    code = "consent-refused"


class AlreadyConsented(Rejection):
    code = "already-consented"


class NotConsented(Rejection):
    code = "not-consented"


class GamePausedNow(Rejection):
    code = "game-paused"


class NotPaused(Rejection):
    code = "not-paused"


class DecisionNotOwed(Rejection):
    code = "decision-not-owed"


class WrongAnswer(Rejection):
    """The decision is owed, but not answered this way: sealed where it should be played, and the like."""

    code = "wrong-answer"


class SealsExhausted(Rejection):
    code = "seals-exhausted"


class RevealDoesNotFit(Rejection):
    code = "reveal-does-not-fit"


class RevealTooEarly(Rejection):
    code = "reveal-too-early"


class RevealTooLate(Rejection):
    code = "reveal-too-late"


class ClockRanOut(Rejection):
    code = "clock-ran-out"


class ClockStillRuns(Rejection):
    code = "clock-still-runs"


class NoClock(Rejection):
    code = "no-clock"


class ActionTooLarge(Rejection):
    code = "action-too-large"


class UnreadableAction(Rejection):
    """No JSON that a line can hold, or no action of this ruleset: a field is missing, unknown or of the wrong kind."""

    code = "unreadable-action"
