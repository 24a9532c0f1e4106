"""CH-96, XG-07: a seat leaves between chariot turns, at once; its cards on the table are cleared with those of all."""

from domain.ids import Seat
from domain.ruleset.teams import are_mates
from domain.rulesets.charioteer.board import racing
from domain.rulesets.charioteer.end_of_turn import end_race
from domain.rulesets.charioteer.outcomes import ChariotWithdrawn
from domain.rulesets.charioteer.writing import CharioteerScript


def withdraw(script: CharioteerScript, seat: Seat) -> None:
    """Take the chariot away; the last seat or team left wins."""
    if script.board.phase == "over":
        # Several leave at once, and the race may have ended with the one before: no seat leaves a race that is over.
        return
    script.emit(ChariotWithdrawn(seat=seat))
    left = racing(script.board)
    if len(left) == 1:
        end_race(script, "last_seat")
    elif all(are_mates(script.board.options.teams, left[0].seat, driver.seat) for driver in left):
        end_race(script, "last_team")
