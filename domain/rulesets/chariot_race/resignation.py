"""Resignation: at once between one's turns, at the end of the turn inside one (XG-07)."""

from domain.ids import Seat
from domain.rulesets.chariot_race.board import chariot_of
from domain.rulesets.chariot_race.outcomes import SeatWithdrawn, WithdrawalAnnounced
from domain.rulesets.chariot_race.wreck import RaceScript


def resign(script: RaceScript, seat: Seat) -> None:
    """Announce or withdraw. Decisions that the seat still owes in its turn are answered by default."""
    board = script.board
    assert seat not in board.withdrawn + board.leaving, "a seat resigns once"
    if board.turn is not None and chariot_of(board, board.turn.chariot).seat == seat:
        script.emit(WithdrawalAnnounced(seat=seat))
    else:
        withdraw(script, seat)


def withdraw(script: RaceScript, seat: Seat) -> None:
    """Take the seat's chariots off the track."""
    chariots = tuple(
        chariot.colour
        for chariot in script.board.chariots
        if chariot.seat == seat and chariot.status in ("racing", "waiting")
    )
    script.emit(SeatWithdrawn(seat=seat, chariots=chariots))
