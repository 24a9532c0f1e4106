"""Deciding: a command and the folded tournament in, lines or a named rejection out. Nothing is changed or read."""

from typing import assert_never

from domain.log.actors import ByPlayer, name_actor
from domain.log.entry import Author
from domain.log.events import OpeningWitnessed
from domain.log.fields import check_fields
from domain.log.rejections import NotAllowed
from domain.tournament.admission import Input
from domain.tournament.commands import (
    AbortTournament,
    CallRound,
    CheckIn,
    CloseCheckIn,
    CloseEntries,
    CloseTournament,
    Enter,
    RemoveEntrant,
    ReplaceResult,
    ReplayTable,
    RulePoints,
    TakeResult,
    TellNoShow,
    TournamentCommand,
    VoidGame,
    Withdraw,
    WitnessOpening,
)
from domain.tournament.enact import Decided, enact
from domain.tournament.events import (
    CheckInClosed,
    EntrantCheckedIn,
    EntrantEntered,
    EntrantRemoved,
    EntrantWithdrawn,
    EntriesClosed,
    GameVoided,
    InputEvent,
    NoShowTold,
    PointsRuled,
    ResultReplaced,
    ResultTaken,
    RoundCalled,
    TableReplayed,
    TournamentAborted,
    TournamentClosed,
)
from domain.tournament.state import Tournament


def decide(tournament: Tournament, command: TournamentCommand) -> Decided:
    """Decide one command on a settled tournament, or raise the Rejection that says why not."""
    assert tournament.last is None, "decided on a tournament in the middle of a command"
    check_fields(command)
    author = Author(by=name_actor(command.actor), command=command.id, sig=command.sig)
    return enact(tournament, Input(event=event_of(command), author=author, at_ms=command.at_ms))


def event_of(command: TournamentCommand) -> InputEvent:
    """Return the event that a command asks for: what a client signs."""
    match command:
        case WitnessOpening(proof=proof):
            return OpeningWitnessed(proof=proof)
        case Enter(entrant=entrant, anchor=anchor, links=links, key=key):
            if not isinstance(command.actor, ByPlayer):
                raise NotAllowed(expected="a player", found=name_actor(command.actor))
            return EntrantEntered(entrant=entrant, player=command.actor.player, anchor=anchor, links=links, key=key)
        case Withdraw(entrant=entrant):
            return EntrantWithdrawn(entrant=entrant)
        case CloseEntries():
            return EntriesClosed()
        case CallRound(round=round_):
            return RoundCalled(round=round_)
        case CheckIn(entrant=entrant, round=round_, nonce=nonce):
            return EntrantCheckedIn(entrant=entrant, round=round_, nonce=nonce)
        case CloseCheckIn(round=round_):
            return CheckInClosed(round=round_)
        case CloseTournament(reason=reason):
            return TournamentClosed(reason=reason)
        case AbortTournament(reason=reason):
            return TournamentAborted(reason=reason)
        case RulePoints(entrant=entrant, round=round_, points=points, reason=reason):
            return PointsRuled(entrant=entrant, round=round_, points=points, reason=reason)
        case RemoveEntrant(entrant=entrant, reason=reason):
            return EntrantRemoved(entrant=entrant, reason=reason)
        case TakeResult() | TellNoShow() | ReplaceResult() | VoidGame() | ReplayTable():
            return _event_of_table(command)
        case _:
            assert_never(command)


def _event_of_table(command: TakeResult | TellNoShow | ReplaceResult | VoidGame | ReplayTable) -> InputEvent:
    round_, table, attempt = command.round, command.table, command.attempt
    match command:
        case TakeResult(version=version, hash=line_hash, ranking=ranking):
            return ResultTaken(
                round=round_, table=table, attempt=attempt, version=version, hash=line_hash, ranking=ranking
            )
        case TellNoShow(entrants=entrants, reason=reason):
            return NoShowTold(round=round_, table=table, attempt=attempt, entrants=entrants, reason=reason)
        case ReplaceResult(ranking=ranking, reason=reason):
            return ResultReplaced(round=round_, table=table, attempt=attempt, ranking=ranking, reason=reason)
        case VoidGame(reason=reason):
            return GameVoided(round=round_, table=table, attempt=attempt, reason=reason)
        case ReplayTable(reason=reason):
            return TableReplayed(round=round_, table=table, attempt=attempt, reason=reason)
        case _:
            assert_never(command)
