"""Why a game refuses. Each has one stable code, which the API hands out as the problem's type."""

from domain.log.rejections import NotAllowed
from domain.rejection import Forbidden, NotNow, Unprocessable


class WrongSeatCount(Unprocessable):
    code = "wrong-seat-count"


class UnfitTerms(Unprocessable):
    """Something else about a game's opening does not fit: its clock, demands, organisers, commitment or anchors."""

    code = "unfit-terms"


class NoSuchSeat(Unprocessable):
    code = "no-such-seat"


class SeatNotVacant(NotNow):
    code = "seat-not-vacant"


class SeatsVacant(NotNow):
    """No seat is ready before all seats are taken."""

    code = "seats-vacant"


class SeatNotHeld(NotNow):
    code = "seat-not-held"


class NotYourSeat(NotAllowed):
    code = "not-your-seat"


class SeatOfAnother(Forbidden):
    """The seat is kept for a player who was drawn at this table, or for the holder of another key."""

    code = "seat-of-another"


class OfferStands(NotNow):
    """The seat is vacant and offered so already; a line that changes nothing is not written."""

    code = "offer-stands"


class OffersExhausted(NotNow):
    """The seat was offered to players by name too often."""

    code = "offers-exhausted"


class SeatingsExhausted(NotNow):
    """The player sat down in this game too often, or was sent away; an offer by name lets it sit down again."""

    code = "seatings-exhausted"


class AlreadySeated(NotNow):
    code = "already-seated"


class AlreadyReady(NotNow):
    code = "already-ready"


class AlreadyStarted(NotNow):
    code = "already-started"


class NotStarted(NotNow):
    code = "not-started"


class GameOver(NotNow):
    code = "game-over"


class GameTooLong(NotNow):
    """The log has as many lines as a game may have; it can only be aborted."""

    code = "game-too-long"


class SeatDeparted(NotNow):
    code = "seat-departed"


class SeatHandedOver(NotNow):
    """The stand-in plays for the seat; its player takes it back first."""

    code = "seat-handed-over"


class SeatNotHandedOver(NotNow):
    code = "seat-not-handed-over"


class ConsentRefused(NotNow):
    """The game is of a tournament, which its organisers end, or the seat consented too often."""

    code = "consent-refused"


class AlreadyConsented(NotNow):
    code = "already-consented"


class NotConsented(NotNow):
    code = "not-consented"


class GamePausedNow(NotNow):
    code = "game-paused"


class NotPaused(NotNow):
    code = "not-paused"


class DecisionNotOwed(NotNow):
    code = "decision-not-owed"


class WrongAnswer(NotNow):
    """The decision is owed, but not answered this way: sealed where it should be played, and the like."""

    code = "wrong-answer"


class SealsExhausted(NotNow):
    code = "seals-exhausted"


class RevealDoesNotFit(Unprocessable):
    code = "reveal-does-not-fit"


class RevealTooEarly(NotNow):
    code = "reveal-too-early"


class RevealTooLate(NotNow):
    code = "reveal-too-late"


class ClockRanOut(NotNow):
    code = "clock-ran-out"


class ClockStillRuns(NotNow):
    code = "clock-still-runs"


class NoClock(NotNow):
    code = "no-clock"


class ActionTooLarge(Unprocessable):
    code = "action-too-large"


class UnreadableAction(Unprocessable):
    """No JSON that a line can hold, or no action of this ruleset: a field is missing, unknown or of the wrong kind."""

    code = "unreadable-action"
