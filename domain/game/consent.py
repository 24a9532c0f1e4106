"""Consent of the players at a table: to end their game without a result, or to pause its clocks for a while.

House bots, seats that have left and players who are absent are not asked.
"""

from typing import assert_never

import msgspec
from msgspec import UnsetType

from domain.game.clock import waits_for_seat
from domain.game.events import Aim, ConsentGiven, ConsentWithdrawn, PauseEnded
from domain.game.rejections import (
    AlreadyConsented,
    ClockStillRuns,
    ConsentRefused,
    GamePausedNow,
    NoClock,
    NotConsented,
    NotPaused,
)
from domain.game.seating import require_playing
from domain.game.stand_in import check_player_plays
from domain.game.state import Game, Held, Owed, held_seat, with_seat
from domain.house import is_house
from domain.ids import Seat
from domain.log.record import format_at

# An evening for each player, wherever they live.
ABSENT_MS = 24 * 3_600_000
# A week away, and the others need not wait any longer.
PAUSE_MS_MAX = 7 * 24 * 3_600_000
# Second thoughts of a seat, but no unbounded log of them.
CONSENTS_MAX = 32

_replace = msgspec.structs.replace


def list_needed(game: Game, at_ms: int) -> tuple[Seat, ...]:
    """List the seats whose players are asked for their consent."""
    return tuple(seat for seat in _list_players(game) if not _is_absent(game, seat, at_ms))


def list_absent(game: Game, at_ms: int) -> tuple[Seat, ...]:
    """List the seats whose players are not asked, as they are absent."""
    return tuple(seat for seat in _list_players(game) if _is_absent(game, seat, at_ms))


def list_agreed(game: Game, aim: Aim) -> tuple[Seat, ...]:
    """List the seats whose players have agreed."""
    return tuple(seat for seat in _list_players(game) if aim in held_seat(game, seat).consents)


def admit_consent(game: Game, given: ConsentGiven, at_ms: int) -> None:
    """Check that the seat's player may agree to this; a second time only where that completes the consent."""
    held = require_playing(game, given.seat)
    check_player_plays(held, given.seat)
    _check_aim(game, given.to)
    if held.consents_count >= CONSENTS_MAX:
        raise ConsentRefused(expected=f"a seat that gave less than {CONSENTS_MAX} consents", found=f"seat {given.seat}")
    if given.to in held.consents and not _is_complete(game, given.to, at_ms):
        raise AlreadyConsented(expected="a seat that has not agreed yet", found=f"seat {given.seat}, which has")


def admit_withdrawal(game: Game, withdrawn: ConsentWithdrawn) -> None:
    """Check that the seat has agreed."""
    if withdrawn.to not in require_playing(game, withdrawn.seat).consents:
        raise NotConsented(expected="a seat that has agreed", found=f"seat {withdrawn.seat}, which has not")


def admit_pause_ending(game: Game, ended: PauseEnded, at_ms: int, *, by_clock: bool) -> None:
    """Check that there is a pause, and that its end may come now.

    Any seat that plays may end one by consent, the server that of a table; the clock does after the longest time.
    """
    if game.paused_ms is None:
        raise NotPaused(expected="a game that is paused", found="one that goes on")
    if ended.seat is not None:
        if not isinstance(game.opened.table, UnsetType):
            raise ConsentRefused(expected="an end of the pause by an organiser", found=f"one by seat {ended.seat}")
        require_playing(game, ended.seat)
    elif by_clock and (end_ms := find_pause_end_ms(game)) is not None and at_ms <= end_ms:
        raise ClockStillRuns(expected=f"an end after {format_at(end_ms)}", found=f"one at {format_at(at_ms)}")


def find_pause_end_ms(game: Game) -> int | None:
    """Return the last instant of a pause; None where the game is not paused, or with the round of its table."""
    is_of_table = not isinstance(game.opened.table, UnsetType)
    return None if game.paused_ms is None or is_of_table else game.paused_ms + PAUSE_MS_MAX


def consent(game: Game, given: ConsentGiven) -> Game:
    """Return the game after a seat has agreed: `agreed` with it once all have."""
    held = held_seat(game, given.seat)
    consents = tuple(sorted({*held.consents, given.to}))
    held = _replace(held, consents=consents, consents_count=held.consents_count + 1, away_ms=None)
    game = with_seat(game, given.seat, held)
    is_complete = _is_complete(game, given.to, game.at_ms)
    return _replace(game, agreed=given.to if is_complete else None)


def withdraw(game: Game, withdrawn: ConsentWithdrawn) -> Game:
    """Return the game after a seat has changed its mind."""
    return with_seat(game, withdrawn.seat, drop_consent(held_seat(game, withdrawn.seat), withdrawn.to))


def drop_consent(held: Held, aim: Aim) -> Held:
    """Return a seat without its consent, if it has given it."""
    return _replace(held, consents=tuple(each for each in held.consents if each != aim))


def pause(game: Game) -> Game:
    """Return the game without running clocks, and without the consents to that."""
    seats = tuple(drop_consent(seat, "pause") if isinstance(seat, Held) else seat for seat in game.seats)
    return _replace(game, seats=seats, paused_ms=game.at_ms, agreed=None)


def end_pause(game: Game) -> Game:
    """Return the game after a pause, whose time counts in no decision: every running clock begins later by it."""
    assert game.paused_ms is not None, "ended a pause that was not"
    pause_ms = game.at_ms - game.paused_ms
    owed = tuple(_replace(due, since_ms=min(due.since_ms + pause_ms, game.at_ms)) for due in game.owed)
    seats = tuple(
        _replace(seat, charged_to_ms=seat.charged_to_ms + pause_ms) if isinstance(seat, Held) else seat
        for seat in game.seats
    )
    # An absence in the pause cost no time; one before it was given back before its end, if at all.
    return _replace(game, owed=owed, seats=seats, paused_ms=None, given_back_to_ms=game.at_ms)


def _check_aim(game: Game, aim: Aim) -> None:
    if not isinstance(game.opened.table, UnsetType):
        raise ConsentRefused(expected="a game of no tournament", found="a table of one, which its organisers rule on")
    match aim:
        case "end":
            return
        case "pause":
            check_may_pause(game)
        case _:
            assert_never(aim)


def check_may_pause(game: Game) -> None:
    """Check that clocks run."""
    if game.opened.clock is None:
        raise NoClock(expected="a game with a clock", found="a game without one")
    if game.paused_ms is not None:
        raise GamePausedNow(expected="a game that goes on", found="one that is paused")


def _is_complete(game: Game, aim: Aim, at_ms: int) -> bool:
    return all(aim in held_seat(game, seat).consents for seat in list_needed(game, at_ms))


def _list_players(game: Game) -> list[Seat]:
    """List the seats of players that have not left, without those of the house."""
    held = [(Seat(place), each) for place, each in enumerate(game.seats) if isinstance(each, Held)]
    return [seat for seat, each in held if not each.has_departed and not is_house(each.player)]


def _is_absent(game: Game, seat: Seat, at_ms: int) -> bool:
    """Return whether a seat has let its clocks run out, or kept a game without a clock waiting, for too long."""
    since_ms = held_seat(game, seat).away_ms
    if game.opened.clock is None:
        since_ms = min((owed.since_ms for owed in game.owed if _is_seen_to_wait(game, seat, owed)), default=None)
    return since_ms is not None and at_ms - since_ms > ABSENT_MS


def _is_seen_to_wait(game: Game, seat: Seat, owed: Owed) -> bool:
    """Return whether the log shows that a decision waits for a seat: it does not show in whose custody a seal is."""
    if owed.decision.kind == "opening" and "own_custody" not in game.opened.demands:
        return False
    return owed.decision.seat == seat and waits_for_seat(game, owed)
