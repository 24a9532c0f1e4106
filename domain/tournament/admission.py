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
from domain.tournament import entering, events, looks, rejections, roles, settling, teams, words
from domain.tournament.role_events import HelperJoined, TableFollowed
from domain.tournament.ruling_events import RulingEvent
from domain.tournament.rulings import RULINGS
from domain.tournament.scores import is_complete, list_expected
from domain.tournament.state import Tournament, find_round
from domain.tournament.word_events import Announced, CallAnswered, OrganiserCalled

# Two thousand entrants in ten rounds of tables of three come to some 45,000. The last input's outcomes are on top.
LINES_MAX = 60_000
# More than one for every table of a day: an organiser who rules more often has another problem.
RULINGS_MAX = 1_024


def check_phase(tournament: Tournament, event: Struct) -> None:
    """Check that the tournament goes on, and that its log has room for the input."""
    if is_over(tournament):
        raise rejections.TournamentOver(expected="a tournament that goes on", found=f"one that is {tournament.status}")
    if tournament.version >= LINES_MAX and not isinstance(event, events.TournamentClosed | events.TournamentAborted):
        expected = f"an end, as a tournament has at most {LINES_MAX} lines"
        raise rejections.TournamentTooLong(expected=expected, found=events.TAGS[type(event)])
    if events.find_ruling(event) is not None and len(tournament.rulings) >= RULINGS_MAX:
        raise rejections.RulingsExhausted(expected=f"at most {RULINGS_MAX} rulings", found="one more")


def list_authors(tournament: Tournament, event: Struct) -> tuple[str, ...]:
    """List from whom an input may come, as a line's `by` states it."""
    organisers = (
        *(f"organiser:{organiser}" for organiser in tournament.opened.organisers),
        *roles.list_helpers(tournament, event),
    )
    match event:
        case events.TournamentOpened():
            return ()
        case OpeningWitnessed() | events.ResultTaken():
            return ("server",)
        case events.EntrantEntered(player=player) | events.EntryTaken(player=player) | HelperJoined(player=player):
            return (f"player:{player}",)
        case (
            events.EntrantWithdrawn(entrant=entrant)
            | events.EntrantCheckedIn(entrant=entrant)
            | events.RoundSkipped(entrant=entrant)
            | OrganiserCalled(entrant=entrant)
        ):
            return (f"player:{entering.require_entrant(tournament, entrant).player}",)
        case events.CheckInClosed():
            return (*organisers, "clock")
        case events.NoShowTold():
            return (*organisers, "server")
        case events.TournamentAborted():
            return (*organisers, "operator")
        case _:
            return organisers


def find_key(tournament: Tournament, put: Input) -> str | None:
    """Find the key that the author of an input registered."""
    kind, _, name = put.by.partition(":")
    if kind == "organiser":
        return next((key for each, key in tournament.opened.organisers.items() if each == name), None)
    if kind == "helper":
        return tournament.helpers[int(name)].key
    match put.event:
        case events.EntrantEntered(key=key) | events.EntryTaken(key=key) | HelperJoined(key=key):
            return key
        case (
            events.EntrantWithdrawn(entrant=entrant)
            | events.EntrantCheckedIn(entrant=entrant)
            | events.RoundSkipped(entrant=entrant)
            | OrganiserCalled(entrant=entrant)
        ):
            return tournament.entries[entrant].key
        case _:
            return None


def admit_event(tournament: Tournament, put: Input) -> None:
    """Check an input whose author may send it."""
    event = put.event
    assert isinstance(event, events.InputEvent), f"{event} is no input of a tournament"
    match event:
        case events.TournamentOpened() | events.TournamentAborted():
            pass
        case OpeningWitnessed(proof=proof):
            _admit_witness(tournament, proof)
        case events.EntrantEntered() as entered:
            entering.admit_entry(tournament, entered)
            looks.require_no_commentator(tournament, entered.player)
            teams.admit_choice(tournament, entered.team)
        case events.EntrantWithdrawn(entrant=entrant):
            entering.admit_leaving(tournament, entrant)
        case events.EntriesClosed():
            if tournament.are_entries_closed:
                raise rejections.EntriesAreClosed(expected="entries that are open", found="closed ones")
        case events.RoundCalled(round=number):
            _admit_call(tournament, number)
        case events.EntrantCheckedIn() as checked_in:
            entering.admit_check_in(tournament, checked_in, put.at_ms)
        case events.CheckInClosed(round=number):
            entering.admit_check_in_closing(tournament, number, put.at_ms)
        case events.ResultTaken() as taken:
            settling.admit_result(tournament, taken)
        case events.NoShowTold() as told:
            settling.admit_no_show(tournament, told, put.at_ms, is_by_server=put.by == "server")
        case RulingEvent() as ruling:
            RULINGS[type(ruling)].admit(tournament, ruling)
        case events.EntryTaken() as taken:
            entering.admit_taking(tournament, taken)
            looks.require_no_commentator(tournament, taken.player)
        case events.RoundSkipped() as skipped:
            entering.admit_skip(tournament, skipped)
        case HelperJoined() as joined:
            roles.admit_joining(tournament, joined)
            if tournament.helpers[joined.helper].role == "commentator":
                looks.require_no_player(tournament, joined.player)
        case TableFollowed() as followed:
            looks.admit_look(tournament, followed, put.by)
        case Announced() as announced:
            words.admit_announcement(tournament, announced)
        case OrganiserCalled() as called:
            words.admit_call(tournament, called)
        case CallAnswered() as answered:
            words.admit_answer(tournament, answered)
        case events.TournamentClosed(reason=reason):
            _admit_closing(tournament, reason)
        case _:
            assert_never(event)


def _admit_witness(tournament: Tournament, proof: str) -> None:
    if tournament.is_witnessed or tournament.entries:
        found = "a second proof" if tournament.is_witnessed else "an entrant"
        raise AlreadyWitnessed(expected="one proof, before the first entry", found=found)
    check_opening_proof(tournament, proof)


def _admit_call(tournament: Tournament, number: int) -> None:
    _check_between_rounds(tournament)
    if number != len(tournament.rounds) + 1:
        raise rejections.NotNextRound(expected=f"round {len(tournament.rounds) + 1}", found=f"round {number}")
    if is_complete(tournament):
        raise rejections.NoRoundsLeft(expected="a format with rounds left", found=f"one that ended after {number - 1}")
    expected = len(list_expected(tournament))
    if expected < tournament.opened.tables.min:
        raise rejections.TooFewEntrants(expected=f"{tournament.opened.tables.min} for one table", found=f"{expected}")


def _admit_closing(tournament: Tournament, reason: str | None) -> None:
    _check_between_rounds(tournament)
    if is_complete(tournament):
        if reason is not None:
            raise rejections.ReasonUnwanted(expected="no reason, as all rounds were played", found="one")
    elif reason is None:
        raise rejections.ReasonMissing(expected="a reason, as not all rounds were played", found="none")


def _check_between_rounds(tournament: Tournament) -> None:
    round_ = find_round(tournament)
    if round_ is not None:
        raise rejections.RoundGoesOn(expected="every round to be closed", found=f"round {round_.number}, which goes on")
