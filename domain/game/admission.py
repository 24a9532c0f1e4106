"""Whether an input may be added to a game's log: decided from the log alone, so that any verifier can decide it again.

`admit` raises the rejection or returns nothing; it changes nothing.
"""

import re
from collections.abc import Collection, Iterable
from typing import assert_never

from msgspec import UNSET, Struct

from domain.game.absence import admit_giving_back
from domain.game.answering import admit_expiry, admit_play, admit_reveal, admit_seal
from domain.game.consent import admit_consent, admit_pause_ending, admit_withdrawal, check_may_pause
from domain.game.events import (
    INPUT_TAGS,
    ActionPlayed,
    ActionRevealed,
    ActionSealed,
    ClockExpired,
    ClockExtended,
    ConsentGiven,
    ConsentWithdrawn,
    GameAborted,
    GameOpened,
    InputEvent,
    PauseEnded,
    SeatLeft,
    SeatOffered,
    SeatReadied,
    SeatReclaimed,
    SeatRemoved,
    SeatResigned,
    SeatTaken,
    TablePaused,
)
from domain.game.offers import admit_offer
from domain.game.rejections import (
    AlreadyStarted,
    GameOver,
    GamePausedNow,
    GameTooLong,
    NoClock,
    NotStarted,
    RevealTooLate,
)
from domain.game.seating import (
    admit_leaving,
    admit_readiness,
    admit_removal,
    admit_taking,
    check_seat_exists,
    require_playing,
)
from domain.game.stand_in import BY_HOUSE, admit_reclaim, list_handed
from domain.game.state import Game, Held, Revealed, list_unshown
from domain.ids import OrganiserId, Seat
from domain.log.entry import Input
from domain.log.events import OpeningWitnessed
from domain.log.rejections import AlreadyWitnessed, UnfitEvent
from domain.log.state import is_over
from domain.log.witnessing import check_opening_proof

# Several times the longest race. Beyond it no game is played, and storing, sending and verifying a game stays cheap.
LINES_MAX = 32_768

# A seat is asked for at any time: the refusal states that the seat is taken, not whether the game began.
_BEFORE_START = (OpeningWitnessed, SeatOffered, SeatLeft, SeatReadied)
_ANSWERS = (ActionSealed, ActionRevealed, ActionPlayed, ClockExpired)
_BY_CONSENT = (ConsentGiven, ConsentWithdrawn, PauseEnded)
_AFTER_START = (*_ANSWERS, *_BY_CONSENT, ClockExtended, TablePaused, SeatResigned, SeatReclaimed)
_ORGANISER = re.compile("organiser:(.*)")


def admit_event(game: Game, put: Input) -> None:
    """Check an input whose author may send it."""
    event = put.event
    assert isinstance(event, InputEvent), f"{event} is no input of a game"
    _check_nothing_between_reveals(game, put)
    if game.paused_ms is not None and isinstance(event, _ANSWERS) and is_of_command(put):
        raise GamePausedNow(expected="the pause to end first", found=INPUT_TAGS[type(event)])
    match event:
        case GameOpened():
            raise AlreadyStarted(expected="a game that is not open yet", found=f"game {game.id}")
        case OpeningWitnessed(proof=proof):
            _admit_witness(game, proof)
        case SeatOffered() as offered:
            check_seat_exists(game, offered.seat)
            admit_offer(game, offered)
        case SeatTaken() as taken:
            admit_taking(game, taken)
        case SeatLeft(seat=seat):
            admit_leaving(game, seat)
        case SeatReadied() as readied:
            admit_readiness(game, readied)
        case ActionSealed() as sealed:
            admit_seal(game, sealed, put.at_ms, by_house=put.by == BY_HOUSE)
        case ActionRevealed() as revealed:
            admit_reveal(game, revealed, put.at_ms, by_server=not is_of_command(put))
        case ActionPlayed() as played:
            admit_play(game, played, put.at_ms, by_house=put.by == BY_HOUSE)
        case ClockExpired() as expired:
            admit_expiry(game, expired, put.at_ms)
        case ClockExtended() as extended:
            _admit_extension(game, extended, put)
        case SeatRemoved(seat=seat):
            admit_removal(game, seat)
        case SeatResigned(seat=seat):
            require_playing(game, seat)
        case SeatReclaimed(seat=seat):
            admit_reclaim(game, seat)
        case ConsentGiven() as given:
            admit_consent(game, given, put.at_ms)
        case ConsentWithdrawn() as withdrawn:
            admit_withdrawal(game, withdrawn)
        case PauseEnded() as ended:
            admit_pause_ending(game, ended, put.at_ms, by_clock=put.by == "clock")
        case TablePaused():
            check_may_pause(game)
        case GameAborted():
            _admit_abort(game, put)
        case _:
            assert_never(event)


def check_phase(game: Game, event: Struct) -> None:
    """Check that the game is where such an input may come, and that its log has room for it."""
    if is_over(game):
        raise GameOver(expected="a game that goes on", found=f"one that is {game.status}")
    if game.version >= LINES_MAX and not isinstance(event, GameAborted):
        raise GameTooLong(expected=f"an abort, as a game has at most {LINES_MAX} lines", found=INPUT_TAGS[type(event)])
    if isinstance(event, _BEFORE_START) and game.status != "open":
        raise AlreadyStarted(expected="a game before its start", found="one that is running")
    if isinstance(event, _AFTER_START) and game.status != "running":
        raise NotStarted(expected="a game that is running", found="one before its start")


def list_authors(game: Game, event: Struct) -> tuple[str, ...]:
    assert isinstance(event, InputEvent), f"{event} is no input of a game"
    return list_authors_of(event, game.opened, opener=game.opened_by, handed=list_handed(game))


def list_authors_by_terms(game: Game, event: Struct) -> tuple[str, ...]:
    """List the authors while every seat is played by its player."""
    assert isinstance(event, InputEvent), f"{event} is no input of a game"
    return list_authors_of(event, game.opened, opener=game.opened_by, handed=())


def list_authors_of(
    event: InputEvent, opened: GameOpened | None, *, opener: str, handed: Collection[Seat]
) -> tuple[str, ...]:
    """List from whom an input may come, as a line's `by` states it: by these terms, with seats handed over."""
    ids = () if opened is None else opened.organisers
    # The server ends the game of a table that waits for it no more.
    is_of_table = opened is not None and opened.table is not UNSET
    organisers = _name_organisers(ids)
    match event:
        case OpeningWitnessed():
            return ("server",)
        case SeatOffered():
            return (opener, *organisers)
        case ClockExpired():
            return ("clock",)
        case ClockExtended():
            return (*organisers, "clock")
        case SeatRemoved():
            return organisers
        case GameAborted():
            return (opener, *organisers, "operator", *(("server",) if is_of_table else ()))
        case ActionRevealed(seat=seat):
            return ("server",) if seat in handed else (f"seat:{seat}", "server")
        case ActionSealed(seat=seat) | ActionPlayed(seat=seat):
            return (BY_HOUSE if seat in handed else f"seat:{seat}",)
        case PauseEnded(seat=None):
            return ("server",) if is_of_table else ("clock",)
        case TablePaused():
            return ("server",) if is_of_table else ()
        case SeatTaken() | SeatLeft() | SeatReadied() | SeatResigned() | SeatReclaimed():
            return (f"seat:{event.seat}",)
        case ConsentGiven() | ConsentWithdrawn() | PauseEnded():
            return (f"seat:{event.seat}",)
        case GameOpened():
            return ()
        case _:
            assert_never(event)


def _name_organisers(ids: Iterable[OrganiserId]) -> tuple[str, ...]:
    return tuple(f"organiser:{organiser}" for organiser in ids)


def is_of_command(put: Input) -> bool:
    """Return whether an input is a command's: all but the server's reveals are."""
    return not (isinstance(put.event, ActionRevealed) and put.by == "server")


def _check_nothing_between_reveals(game: Game, put: Input) -> None:
    # The server reveals all it has in custody in one append; any line in between, it chose to let in.
    shown = [game.choices.get(owed.decision.id) for owed in game.owed if owed.decision.kind == "opening"]
    is_begun = any(isinstance(choice, Revealed) and choice.by_server for choice in shown)
    if is_begun and list_unshown(game) and is_of_command(put):
        raise RevealTooLate(expected="the other reveals of the server", found=INPUT_TAGS[type(put.event)])


def find_key(game: Game, put: Input) -> str | None:
    """Find the key that the author of an input registered."""
    organiser = _ORGANISER.fullmatch(put.by)
    if organiser is not None:
        return next((key for each, key in game.opened.organisers.items() if each == organiser[1]), None)
    if not put.by.startswith("seat:"):
        return None
    if isinstance(put.event, SeatTaken):
        return put.event.key
    seat = int(put.by.removeprefix("seat:"))
    check_seat_exists(game, seat)
    status = game.seats[seat]
    return status.key if isinstance(status, Held) else None


def _admit_witness(game: Game, proof: str) -> None:
    if game.is_witnessed:
        raise AlreadyWitnessed(expected="an opening nobody has witnessed yet", found="a second proof")
    if any(isinstance(status, Held) for status in game.seats):
        raise AlreadyWitnessed(expected="a proof before the first seat is taken", found="a seat that is taken")
    check_opening_proof(game, proof)


def _admit_abort(game: Game, put: Input) -> None:
    # A running game may have a result that its opener does not like.
    is_opener_alone = put.by == game.opened_by and put.by not in _name_organisers(game.opened.organisers)
    if is_opener_alone and game.status != "open":
        raise AlreadyStarted(expected="a game before its start, or an organiser of it", found="one that is running")


def _admit_extension(game: Game, extended: ClockExtended, put: Input) -> None:
    if game.opened.clock is None:
        raise NoClock(expected="a game with a clock", found="a game without one")
    if not extended.seats or list(extended.seats) != sorted(set(extended.seats)):
        raise UnfitEvent(expected="at least one seat, ascending, none twice", found=str(list(extended.seats)))
    for seat in extended.seats:
        require_playing(game, seat)
    if put.by == "clock":
        admit_giving_back(game, extended, put.at_ms)
