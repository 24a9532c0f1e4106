"""Rejections of a tournament, beside those it shares with a game (`domain/game/rejections.py`)."""

from domain.rejection import NotNow, Unprocessable


class UnfitTournament(Unprocessable):
    """Something about the terms does not fit: tables, points, tie-breaks, organisers, commitment or anchors."""

    code = "unfit-tournament"


class TournamentOver(NotNow):
    """The tournament has ended."""

    code = "tournament-over"


class TournamentTooLong(NotNow):
    """The log has as many lines as a tournament may have; it can only be closed or aborted."""

    code = "tournament-too-long"


class EntriesAreClosed(NotNow):
    """The organiser has closed the entries."""

    code = "entries-closed"


class CodeUnfit(NotNow):
    """The tournament is entered with a code, and this is none of its own, or another has used it."""

    code = "code-unfit"


class TournamentFull(NotNow):
    """The tournament has as many entrants as its terms allow."""

    code = "tournament-full"


class AlreadyEntered(NotNow):
    """A player enters once, also after withdrawing."""

    code = "already-entered"


class NotNextEntrant(NotNow):
    """Another player entered meanwhile: entrants are numbered without a gap."""

    code = "not-next-entrant"


class NoSuchEntrant(Unprocessable):
    """The tournament has no entrant of this number."""

    code = "no-such-entrant"


class TeamFull(NotNow):
    """The team has as many members as it may have."""

    code = "team-full"


class EntrantLeft(NotNow):
    """The entrant withdrew or was removed."""

    code = "entrant-left"


class EntrantStays(NotNow):
    """The entrant has not left, so that there is nothing to take back."""

    code = "entrant-stays"


class NothingHanded(NotNow):
    """No organiser has handed the entry on, or another took it."""

    code = "nothing-handed"


class InvitationUnfit(NotNow):
    """The secret is not the one of the link that an organiser gave."""

    code = "invitation-unfit"


class NoSuchHelper(Unprocessable):
    """No helper of this number was invited, or it was dismissed."""

    code = "no-such-helper"


class AlreadyHelping(NotNow):
    """The invitation was taken, or its taker helps already."""

    code = "already-helping"


class CommentatorPlays(NotNow):
    """A commentator plays at no table of the tournament, and an entrant comments on none."""

    code = "commentator-plays"


class HelpersExhausted(NotNow):
    """The tournament has as many helpers as one may have."""

    code = "helpers-exhausted"


class CallsExhausted(NotNow):
    """The entrant called for an organiser too often."""

    code = "calls-exhausted"


class NoSuchCall(Unprocessable):
    """The line is no call, or it is answered."""

    code = "no-such-call"


class NotNextRound(NotNow):
    """Another round is the next one."""

    code = "not-next-round"


class RoundGoesOn(NotNow):
    """A round was called and is not closed."""

    code = "round-goes-on"


class NoRoundsLeft(NotNow):
    """All rounds of the format were called."""

    code = "no-rounds-left"


class TooFewEntrants(NotNow):
    """Not one table could be seated."""

    code = "too-few-entrants"


class NoCheckIn(NotNow):
    """No check-in is open for this round."""

    code = "no-check-in"


class CheckInTooLate(NotNow):
    """The check-in of the round is over."""

    code = "check-in-too-late"


class CheckInGoesOn(NotNow):
    """The check-in of the round is open."""

    code = "check-in-goes-on"


class NotExpected(NotNow):
    """An entrant who is checked in already, or does not play in this round."""

    code = "not-expected"


class NoSuchTable(Unprocessable):
    """The round has no table of this number."""

    code = "no-such-table"


class AttemptOver(NotNow):
    """The table was drawn again since: another game counts."""

    code = "attempt-over"


class GameNotOpen(NotNow):
    """An entrant can be absent only from a game that was opened and has not begun."""

    code = "game-not-open"


class TableSettled(NotNow):
    """The table counts already; only a ruling changes that."""

    code = "table-settled"


class UnfitRanking(Unprocessable):
    """Not a ranking of the seats of this table."""

    code = "unfit-ranking"


class SittingDownGoesOn(NotNow):
    """A late entrant may still come."""

    code = "sitting-down-goes-on"


class ReasonMissing(Unprocessable):
    """A ruling states its reason."""

    code = "reason-missing"


class ReasonUnwanted(Unprocessable):
    """A ruling that needs no reason has none."""

    code = "reason-unwanted"


class RoundPast(NotNow):
    """The next round was called on these results: they can be ruled on, not played again."""

    code = "round-past"


class RuledMeanwhile(NotNow):
    """Another organiser or helper has ruled on the same since the sender looked."""

    code = "ruled-meanwhile"


class RoundHalted(NotNow):
    """The round is paused, or is not."""

    code = "round-halted"


class RulingsExhausted(NotNow):
    """The tournament has as many rulings as one may have."""

    code = "rulings-exhausted"
