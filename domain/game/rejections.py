"""Why a game refuses. Each has one stable code, which the API hands out as the problem's type."""

from domain.log.rejections import NotAllowed
from domain.rejection import Forbidden, NotNow, Unprocessable


class WrongSeatCount(Unprocessable):
    """The ruleset is not played by so many seats."""

    code = "wrong-seat-count"


class UnfitTerms(Unprocessable):
    """Something else about a game's opening does not fit: its clock, demands, organisers, commitment or anchors."""

    code = "unfit-terms"


class NoSuchSeat(Unprocessable):
    """The game has no seat of this number."""

    code = "no-such-seat"


class SeatNotVacant(NotNow):
    """The seat is taken, or closed."""

    code = "seat-not-vacant"


class SeatsVacant(NotNow):
    """No seat is ready before all seats are taken."""

    code = "seats-vacant"


class SeatNotHeld(NotNow):
    """No player holds the seat."""

    code = "seat-not-held"


class NotYourSeat(NotAllowed):
    """Another player holds the seat, or none."""

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
    """The player has another seat of this game."""

    code = "already-seated"


class AlreadyReady(NotNow):
    """The seat is ready already."""

    code = "already-ready"


class AlreadyStarted(NotNow):
    """The game has started: seats are neither taken nor left any more."""

    code = "already-started"


class NotStarted(NotNow):
    """The game waits for its seats."""

    code = "not-started"


class GameOver(NotNow):
    """The game has ended."""

    code = "game-over"


class GameTooLong(NotNow):
    """The log has as many lines as a game may have; it can only be aborted."""

    code = "game-too-long"


class SeatDeparted(NotNow):
    """The player of the seat has resigned or was removed."""

    code = "seat-departed"


class SeatHandedOver(NotNow):
    """The stand-in plays for the seat; its player takes it back first."""

    code = "seat-handed-over"


class SeatNotHandedOver(NotNow):
    """No house bot plays for the seat."""

    code = "seat-not-handed-over"


class ConsentRefused(NotNow):
    """The game is of a tournament, which its organisers end, or the seat consented too often."""

    code = "consent-refused"


class AlreadyConsented(NotNow):
    """The seat has consented to that already."""

    code = "already-consented"


class NotConsented(NotNow):
    """The seat has given no such consent."""

    code = "not-consented"


class GamePausedNow(NotNow):
    """The clocks stand, and nothing is played until the pause ends."""

    code = "game-paused"


class NotPaused(NotNow):
    """The game is in no pause."""

    code = "not-paused"


class DecisionNotOwed(NotNow):
    """The game does not wait for this decision of the seat: it was answered, or has not come up."""

    code = "decision-not-owed"


class WrongAnswer(NotNow):
    """The decision is owed, but not answered this way: sealed where it should be played, and the like."""

    code = "wrong-answer"


class SealsExhausted(NotNow):
    """The seat sealed this decision too often."""

    code = "seals-exhausted"


class RevealDoesNotFit(Unprocessable):
    """The action and the salt do not give the seal that the log has."""

    code = "reveal-does-not-fit"


class RevealTooEarly(NotNow):
    """Not all seals of this decision are in."""

    code = "reveal-too-early"


class RevealTooLate(NotNow):
    """The action was revealed, or the time for it is over."""

    code = "reveal-too-late"


class ClockRanOut(NotNow):
    """The time for the decision is over; the server answers it."""

    code = "clock-ran-out"


class ClockStillRuns(NotNow):
    """The seat has time left."""

    code = "clock-still-runs"


class NoClock(NotNow):
    """The game has no clock."""

    code = "no-clock"


class ActionTooLarge(Unprocessable):
    """The action has more bytes than a line may hold."""

    code = "action-too-large"


class UnreadableAction(Unprocessable):
    """No JSON that a line can hold, or no action of this ruleset: a field is missing, unknown or of the wrong kind."""

    code = "unreadable-action"
