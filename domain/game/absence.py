"""The server's absence: time in which no caller could act is given back, to all alike, and no instant of it twice.

The clock gives it back by itself, so the most it may give follows from the log: never more than the game has waited.
"""

from collections.abc import Iterable

from msgspec import Struct

from domain.game.events import CLOCK_MS_MAX, ClockExtended
from domain.game.state import Game, Held
from domain.ids import Seat
from domain.log.rejections import UnfitEvent


class Absence(Struct, frozen=True, kw_only=True):
    """From the last instant at which a timekeeper worked to the first at which one did so again."""

    from_ms: int
    to_ms: int


def list_playing(game: Game) -> tuple[Seat, ...]:
    """List the seats to whom an absence is given back: all that have not left, whether or not their clock runs."""
    return tuple(
        Seat(place) for place, status in enumerate(game.seats) if isinstance(status, Held) and not status.has_departed
    )


def find_waiting_since_ms(game: Game) -> int | None:
    """Return from when on time may be given back; None where no clock runs at all."""
    if game.opened.clock is None or not game.owed:
        return None
    return max(min(owed.since_ms for owed in game.owed), game.given_back_to_ms)


def count_lost_ms(game: Game, absences: Iterable[Absence], at_ms: int) -> int:
    """Count how much of the absences the game has waited through until now and not got back yet."""
    lost_ms = 0
    since_ms = find_waiting_since_ms(game)
    if since_ms is not None:
        lost_ms = sum(
            max(0, _before_pause_ms(game, absence.to_ms) - max(absence.from_ms, since_ms)) for absence in absences
        )
    return min(lost_ms, _count_waited_ms(game, at_ms), CLOCK_MS_MAX)


def admit_giving_back(game: Game, extended: ClockExtended, at_ms: int) -> None:
    """Check an extension by the clock itself: as much for every seat, and no more than the game has waited."""
    playing = list_playing(game)
    if extended.seats != playing:
        raise UnfitEvent(expected=f"all that play, {list(playing)}", found=str(list(extended.seats)))
    waited_ms = _count_waited_ms(game, at_ms)
    if extended.ms > waited_ms:
        raise UnfitEvent(expected=f"at most the {waited_ms} ms that the game has waited", found=f"{extended.ms} ms")


def _count_waited_ms(game: Game, at_ms: int) -> int:
    since_ms = find_waiting_since_ms(game)
    return 0 if since_ms is None else max(0, _before_pause_ms(game, at_ms) - since_ms)


def _before_pause_ms(game: Game, at_ms: int) -> int:
    return at_ms if game.paused_ms is None else min(at_ms, game.paused_ms)
