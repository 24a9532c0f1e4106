"""Rejections of a tournament, beside those it shares with a game (`domain/game/rejections.py`)."""

from domain.rejection import Rejection


class UnfitTournament(Rejection):
    """Something about the terms does not fit: tables, points, tie-breaks, organisers, commitment or anchors."""

    code = "unfit-tournament"


class TournamentOver(Rejection):
    code = "tournament-over"


class TournamentTooLong(Rejection):
    """The log has as many lines as a tournament may have; it can only be closed or aborted."""

    code = "tournament-too-long"


class EntriesAreClosed(Rejection):
    code = "entries-closed"


class TournamentFull(Rejection):
    code = "tournament-full"


class AlreadyEntered(Rejection):
    """A player enters once, also after withdrawing."""

    code = "already-entered"


class NotNextEntrant(Rejection):
    """Another player entered meanwhile: entrants are numbered without a gap."""

    code = "not-next-entrant"


class NoSuchEntrant(Rejection):
    code = "no-such-entrant"


class EntrantLeft(Rejection):
    """The entrant withdrew or was removed."""

    code = "entrant-left"


class NotNextRound(Rejection):
    code = "not-next-round"


class RoundGoesOn(Rejection):
    """A round was called and is not closed."""

    code = "round-goes-on"


class NoRoundsLeft(Rejection):
    code = "no-rounds-left"


class TooFewEntrants(Rejection):
    """Not one table could be seated."""

    code = "too-few-entrants"


class NoCheckIn(Rejection):
    """No check-in is open for this round."""

    code = "no-check-in"


class CheckInTooLate(Rejection):
    code = "check-in-too-late"


class CheckInGoesOn(Rejection):
    code = "check-in-goes-on"


class NotExpected(Rejection):
    """An entrant who is checked in already, or does not play in this round."""

    code = "not-expected"


class NoSuchTable(Rejection):
    code = "no-such-table"


class AttemptOver(Rejection):
    """The table was drawn again since: another game counts."""

    code = "attempt-over"


class TableSettled(Rejection):
    """The table counts already; only a ruling changes that."""

    code = "table-settled"


class UnfitRanking(Rejection):
    """Not a ranking of the seats of this table."""

    code = "unfit-ranking"


class SittingDownGoesOn(Rejection):
    """A late entrant may still come."""

    code = "sitting-down-goes-on"


class ReasonMissing(Rejection):
    code = "reason-missing"


class ReasonUnwanted(Rejection):
    """A ruling that needs no reason has none."""

    code = "reason-unwanted"


class RoundPast(Rejection):
    """The next round was called on these results: they can be ruled on, not played again."""

    code = "round-past"


class RulingsExhausted(Rejection):
    code = "rulings-exhausted"
