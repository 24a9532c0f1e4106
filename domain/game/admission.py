"""Whether an input may be added to a game's log: decided from the log alone, so that anyone can decide it again.

`admit` raises the rejection or returns nothing; it changes nothing.
"""

import re
from typing import assert_never

from msgspec import Struct

from domain.canonical import encode
from domain.game.absence import admit_giving_back
from domain.game.answering import admit_expiry, admit_play, admit_reveal, admit_seal
from domain.game.events import (
    INPUT_TAGS,
    ActionPlayed,
    ActionRevealed,
    ActionSealed,
    ClockExpired,
    ClockExtended,
    GameAborted,
    GameOpened,
    InputEvent,
    SeatLeft,
    SeatReadied,
    SeatRemoved,
    SeatResigned,
    SeatTaken,
)
from domain.game.rejections import (
    AlreadyStarted,
    GameOver,
    GameTooLong,
    NoClock,
    NotStarted,
    RevealTooLate,
    SeatDeparted,
)
from domain.game.seating import (
    admit_leaving,
    admit_readiness,
    admit_removal,
    admit_taking,
    check_seat_exists,
    require_held,
)
from domain.game.state import Game, Held, Revealed, is_over, list_unshown
from domain.ids import CommandId
from domain.log.entry import Author
from domain.log.events import OpeningWitnessed
from domain.log.fields import check_fields
from domain.log.rejections import AlreadyWitnessed, CommandIdReused, NotAllowed, SignatureDoesNotFit, UnfitEvent
from domain.log.signing import Claim, check_signature
from domain.log.witnessing import check_opening_proof

# Several times the longest race. Beyond it nobody plays, and what is kept, sent and verified of a game stays small.
LINES_MAX = 32_768

_BEFORE_START = (OpeningWitnessed, SeatTaken, SeatLeft, SeatReadied)
_AFTER_START = (ActionSealed, ActionRevealed, ActionPlayed, ClockExpired, ClockExtended, SeatResigned)
_ORGANISER = re.compile("organiser:(.*)")


class Input(Struct, frozen=True, kw_only=True):
    """An event from outside, on its way into the log."""

    event: InputEvent
    by: str
    at_ms: int
    command: CommandId | None
    sig: str | None


def admit(game: Game, put: Input) -> None:
    """Check everything that must hold before the input may stand in the log."""
    _check_sender(game, put)
    _check_signature(game, put)
    _admit_event(game, put)


def admit_unsigned(game: Game, put: Input) -> None:
    """Check all but the signature, which costs more than everything else and which an audit checks by itself."""
    _check_sender(game, put)
    _admit_event(game, put)


def _check_sender(game: Game, put: Input) -> None:
    check_fields(put.event)
    _check_phase(game, put.event)
    _check_author(game, put)
    _check_command(game, put)


def _admit_event(game: Game, put: Input) -> None:
    _check_nothing_between_reveals(game, put)
    match put.event:
        case GameOpened():
            raise AlreadyStarted(expected="a game that is not open yet", found=f"game {game.id}")
        case OpeningWitnessed(proof=proof):
            _admit_witness(game, proof)
        case SeatTaken() as taken:
            admit_taking(game, taken)
        case SeatLeft(seat=seat):
            admit_leaving(game, seat)
        case SeatReadied() as readied:
            admit_readiness(game, readied)
        case ActionSealed() as sealed:
            admit_seal(game, sealed, put.at_ms)
        case ActionRevealed() as revealed:
            admit_reveal(game, revealed, put.at_ms, by_server=_is_reveal_by_server(put))
        case ActionPlayed() as played:
            admit_play(game, played, put.at_ms)
        case ClockExpired() as expired:
            admit_expiry(game, expired, put.at_ms)
        case ClockExtended() as extended:
            _admit_extension(game, extended, put)
        case SeatRemoved(seat=seat):
            admit_removal(game, seat)
        case SeatResigned(seat=seat):
            _check_not_departed(game, require_held(game, seat), seat)
        case GameAborted():
            pass
        case _:
            assert_never(put.event)


def _check_phase(game: Game, event: InputEvent) -> None:
    if is_over(game):
        raise GameOver(expected="a game that goes on", found=f"one that is {game.status}")
    if game.version >= LINES_MAX and not isinstance(event, GameAborted):
        raise GameTooLong(expected=f"an abort, as a game has at most {LINES_MAX} lines", found=INPUT_TAGS[type(event)])
    if isinstance(event, _BEFORE_START) and game.status != "open":
        raise AlreadyStarted(expected="a game before its start", found="one that is running")
    if isinstance(event, _AFTER_START) and game.status != "running":
        raise NotStarted(expected="a game that is running", found="one before its start")


def _check_author(game: Game, put: Input) -> None:
    match put.event:
        case OpeningWitnessed():
            allowed: tuple[str, ...] = ("server",)
        case ClockExpired():
            allowed = ("clock",)
        case ClockExtended():
            allowed = (*(f"organiser:{each}" for each in game.opened.organisers), "clock")
        case SeatRemoved():
            allowed = tuple(f"organiser:{each}" for each in game.opened.organisers)
        case GameAborted():
            allowed = (*(f"organiser:{each}" for each in game.opened.organisers), "operator")
        case ActionRevealed(seat=seat):
            allowed = (f"seat:{seat}", "server")
        case GameOpened():
            allowed = ()
        case _:
            allowed = (f"seat:{put.event.seat}",)
    if put.by not in allowed:
        raise NotAllowed(expected=" or ".join(allowed) or "nobody", found=put.by)


def _check_command(game: Game, put: Input) -> None:
    if (put.command is None) != _is_reveal_by_server(put):
        needed = "no command id" if put.command is not None else "a command id"
        raise UnfitEvent(expected=f"{needed}: all but the server's reveals are asked for", found=str(put.command))
    if put.command in game.commands:
        raise CommandIdReused(expected="an id that names no other command of this game", found=str(put.command))


def _check_nothing_between_reveals(game: Game, put: Input) -> None:
    # The server reveals all it has in custody in one append; whatever is logged in between, it chose to let in.
    shown = [game.choices.get(each.decision.id) for each in game.owed if each.decision.kind == "opening"]
    is_begun = any(isinstance(choice, Revealed) and choice.by_server for choice in shown)
    if is_begun and list_unshown(game) and not _is_reveal_by_server(put):
        raise RevealTooLate(expected="the other reveals of the server", found=INPUT_TAGS[type(put.event)])


def _is_reveal_by_server(put: Input) -> bool:
    return isinstance(put.event, ActionRevealed) and put.by == "server"


def _check_signature(game: Game, put: Input) -> None:
    author = Author(by=put.by, command=put.command, sig=put.sig)
    claim = Claim(event=put.event, type=INPUT_TAGS[type(put.event)], stream=game.id)
    try:
        check_signature(claim, author, key=_signing_key(game, put))
    except SignatureDoesNotFit as error:
        if not isinstance(put.event, ActionPlayed | ActionRevealed):
            raise
        # A client may have signed its own spelling.
        canonical = encode(put.event.action).decode()
        raise SignatureDoesNotFit(
            expected=f"{error.expected}, with the canonical action {canonical}", found=error.found
        ) from None


def _signing_key(game: Game, put: Input) -> str | None:
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
    check_opening_proof(proof, leaf_key=game.opened.leaf_key, stream=game.id, opening_hash=game.opening_hash)


def _admit_extension(game: Game, extended: ClockExtended, put: Input) -> None:
    if game.opened.clock is None:
        raise NoClock(expected="a game with a clock", found="a game without one")
    if not extended.seats or list(extended.seats) != sorted(set(extended.seats)):
        raise UnfitEvent(expected="at least one seat, ascending, none twice", found=str(list(extended.seats)))
    for seat in extended.seats:
        _check_not_departed(game, require_held(game, seat), seat)
    if put.by == "clock":
        admit_giving_back(game, extended, put.at_ms)


def _check_not_departed(game: Game, held: Held, seat: int) -> None:
    if held.has_departed:
        raise SeatDeparted(expected=f"a seat that plays in {game.id}", found=f"seat {seat}, which has left")
