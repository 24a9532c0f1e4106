"""CH-85 to CH-87, CH-89: laps of each chariot, the counter that shows the leader's, and the end of the race."""

from domain.ids import Seat
from domain.rulesets.charioteer.board import Board, driver_of, race_order
from domain.rulesets.charioteer.components import Components
from domain.rulesets.charioteer.cornering import finish_progress
from domain.rulesets.charioteer.outcomes import LapCompleted, LapCounterTurned
from domain.rulesets.charioteer.track import laps_completed
from domain.rulesets.charioteer.writing import CharioteerScript


def complete_laps(components: Components, script: CharioteerScript, seat: Seat, *, came_from: int) -> None:
    """Tell each lap that ended on the way; Start lies short of the line, and crossing it first ends none."""
    before = laps_completed(components.track, came_from)
    after = laps_completed(components.track, driver_of(script.board, seat).progress)
    for lap in range(before + 1, after + 1):
        script.emit(LapCompleted(seat=seat, lap=lap))


def turn_lap_counter(components: Components, script: CharioteerScript) -> None:
    """CH-85: only after all have moved, to the lap the leader is in."""
    leader = race_order(script.board)[0]
    lap = min(laps_completed(components.track, leader.progress) + 1, script.board.options.laps)
    if lap > script.board.lap:
        script.emit(LapCounterTurned(lap=lap))


def has_finisher(components: Components, board: Board) -> bool:
    return race_order(board)[0].progress >= finish_progress(components, board)
