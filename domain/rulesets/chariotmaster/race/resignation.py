"""Resigning: at once between chariot turns, at the end of the turn inside one; wrecks stay on the track."""

from domain.ids import Seat
from domain.ruleset.teams import are_mates
from domain.rulesets.chariotmaster.race.cascade import AnyScript
from domain.rulesets.chariotmaster.race.race_outcomes import RaceEnded, SeatWithdrawn, WithdrawalAnnounced


def resign(script: AnyScript, seat: Seat) -> None:
    """XG-07: announce a seat's leaving, or let it leave."""
    if script.board.ended is not None:
        # Several leave at once, and the race ended with the one before: a seat cannot leave a race that is over.
        return
    assert seat not in script.board.withdrawn + script.board.leaving, "a seat resigns once"
    if script.board.active is not None:
        script.emit(WithdrawalAnnounced(seat=seat))
    else:
        withdraw(script, seat)


def let_leave(script: AnyScript) -> None:
    """CM-139: let the seats leave that resigned in the chariot turn that is over now."""
    while script.board.leaving and script.board.ended is None:
        withdraw(script, script.board.leaving[0])


def withdraw(script: AnyScript, seat: Seat) -> None:
    """CM-139: take everything that moves of a seat off the table; the last seat or team that is left wins."""
    chariots = tuple(number for number, chariot in enumerate(script.board.chariots) if chariot.seat == seat)
    script.emit(SeatWithdrawn(seat=seat, chariots=chariots))
    left = [left for left in script.board.seats if left not in script.board.withdrawn]
    if len(left) == 1:
        script.emit(RaceEnded(reason="one_seat_left"))
    elif all(are_mates(script.board.options.teams, left[0], mate) for mate in left):
        script.emit(RaceEnded(reason="one_team_left"))
