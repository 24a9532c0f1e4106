"""Whether an input may be added to a tournament's log: decided from the log alone, so that any verifier can decide it.

`admit` raises the rejection or returns nothing; it changes nothing.
"""

from typing import assert_never

from msgspec import Struct

from domain.log.entry import Input
from domain.log.events import OpeningWitnessed
from domain.log.rejections import AlreadyWitnessed
from domain.log.state import is_over
from domain.log.witnessing import check_opening_proof
from domain.tournament.entering import (
    admit_check_in,
    admit_check_in_closing,
    admit_entry,
    admit_leaving,
    require_entrant,
)
from domain.tournament.events import (
    TAGS,
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
    TournamentOpened,
    find_ruling,
)
from domain.tournament.rejections import (
    EntriesAreClosed,
    NoRoundsLeft,
    NotNextRound,
    ReasonMissing,
    ReasonUnwanted,
    RoundGoesOn,
    RulingsExhausted,
    TooFewEntrants,
    TournamentOver,
    TournamentTooLong,
)
from domain.tournament.scores import is_complete, list_expected
from domain.tournament.settling import (
    admit_no_show,
    admit_points,
    admit_replacement,
    admit_replay,
    admit_result,
    admit_void,
)
from domain.tournament.state import Tournament, find_round

# Two thousand entrants in ten rounds of tables of three come to some 45,000. The last input's outcomes are on top.
LINES_MAX = 60_000
# More than one for every table of a day: an organiser who rules more often has another problem.
RULINGS_MAX = 1_024


def check_phase(tournament: Tournament, event: Struct) -> None:
    """Check that the tournament goes on, and that its log has room for the input."""
    if is_over(tournament):
        raise TournamentOver(expected="a tournament that goes on", found=f"one that is {tournament.status}")
    if tournament.version >= LINES_MAX and not isinstance(event, TournamentClosed | TournamentAborted):
        expected = f"an end, as a tournament has at most {LINES_MAX} lines"
        raise TournamentTooLong(expected=expected, found=TAGS[type(event)])
    if find_ruling(event) is not None and len(tournament.rulings) >= RULINGS_MAX:
        raise RulingsExhausted(expected=f"at most {RULINGS_MAX} rulings", found="one more")


def list_authors(tournament: Tournament, event: Struct) -> tuple[str, ...]:
    """List from whom an input may come, as a line's `by` says it."""
    organisers = tuple(f"organiser:{organiser}" for organiser in tournament.opened.organisers)
    match event:
        case TournamentOpened():
            return ()
        case OpeningWitnessed() | ResultTaken():
            return ("server",)
        case EntrantEntered(player=player):
            return (f"player:{player}",)
        case EntrantWithdrawn(entrant=entrant) | EntrantCheckedIn(entrant=entrant):
            return (f"player:{require_entrant(tournament, entrant).player}",)
        case CheckInClosed():
            return (*organisers, "clock")
        case NoShowTold():
            return (*organisers, "server")
        case TournamentAborted():
            return (*organisers, "operator")
        case _:
            return organisers


def find_key(tournament: Tournament, put: Input) -> str | None:
    """Find the key that the author of an input registered."""
    kind, _, name = put.by.partition(":")
    if kind == "organiser":
        return next((key for each, key in tournament.opened.organisers.items() if each == name), None)
    match put.event:
        case EntrantEntered(key=key):
            return key
        case EntrantWithdrawn(entrant=entrant) | EntrantCheckedIn(entrant=entrant):
            return tournament.entries[entrant].key
        case _:
            return None


def admit_event(tournament: Tournament, put: Input) -> None:
    """Check an input whose author may send it."""
    event = put.event
    assert isinstance(event, InputEvent), f"{event} is no input of a tournament"
    match event:
        case TournamentOpened() | TournamentAborted():
            pass
        case OpeningWitnessed(proof=proof):
            _admit_witness(tournament, proof)
        case EntrantEntered() as entered:
            admit_entry(tournament, entered)
        case EntrantWithdrawn(entrant=entrant) | EntrantRemoved(entrant=entrant):
            admit_leaving(tournament, entrant)
        case EntriesClosed():
            if tournament.are_entries_closed:
                raise EntriesAreClosed(expected="entries that are open", found="closed ones")
        case RoundCalled(round=number):
            _admit_call(tournament, number)
        case EntrantCheckedIn() as checked_in:
            admit_check_in(tournament, checked_in, put.at_ms)
        case CheckInClosed(round=number):
            admit_check_in_closing(tournament, number, put.at_ms)
        case ResultTaken() as taken:
            admit_result(tournament, taken)
        case NoShowTold() as told:
            admit_no_show(tournament, told, put.at_ms, is_by_server=put.by == "server")
        case ResultReplaced() as replaced:
            admit_replacement(tournament, replaced)
        case PointsRuled() as ruled:
            admit_points(tournament, ruled)
        case GameVoided() as voided:
            admit_void(tournament, voided)
        case TableReplayed() as replayed:
            admit_replay(tournament, replayed)
        case TournamentClosed(reason=reason):
            _admit_closing(tournament, reason)
        case _:
            assert_never(event)


def _admit_witness(tournament: Tournament, proof: str) -> None:
    if tournament.is_witnessed or tournament.entries:
        found = "a second proof" if tournament.is_witnessed else "an entrant"
        raise AlreadyWitnessed(expected="one proof, before anybody enters", found=found)
    check_opening_proof(tournament, proof)


def _admit_call(tournament: Tournament, number: int) -> None:
    _check_between_rounds(tournament)
    if number != len(tournament.rounds) + 1:
        raise NotNextRound(expected=f"round {len(tournament.rounds) + 1}", found=f"round {number}")
    if is_complete(tournament):
        raise NoRoundsLeft(expected="a format with rounds left", found=f"one that ended after {number - 1}")
    expected = len(list_expected(tournament))
    if expected < tournament.opened.tables.min:
        raise TooFewEntrants(expected=f"{tournament.opened.tables.min} for one table", found=f"{expected}")


def _admit_closing(tournament: Tournament, reason: str | None) -> None:
    _check_between_rounds(tournament)
    if is_complete(tournament):
        if reason is not None:
            raise ReasonUnwanted(expected="no reason, as all rounds were played", found="one")
    elif reason is None:
        raise ReasonMissing(expected="a reason, as not all rounds were played", found="none")


def _check_between_rounds(tournament: Tournament) -> None:
    round_ = find_round(tournament)
    if round_ is not None:
        raise RoundGoesOn(expected="every round to be closed", found=f"round {round_.number}, which goes on")
