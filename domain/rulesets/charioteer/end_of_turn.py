"""CH-80 to CH-81, CH-85 to CH-89, XG-08: laps; and when all have moved, the race ends or the next turn is prepared."""

from typing import Literal

from domain.ids import Seat
from domain.rulesets.charioteer.board import Board, driver_of, race_order, racing
from domain.rulesets.charioteer.components import Components
from domain.rulesets.charioteer.drawing import deal_crowd_card, refill_hand
from domain.rulesets.charioteer.moving import finish_progress
from domain.rulesets.charioteer.outcomes import CrowdCardsSlid, LapCompleted, LapCounterTurned, RaceEnded, TableCleared
from domain.rulesets.charioteer.setup import begin_turn
from domain.rulesets.charioteer.track import laps_completed
from domain.rulesets.charioteer.writing import CharioteerScript


def finish_turn(components: Components, script: CharioteerScript) -> None:
    """After the last turn nothing is cleared, drawn or rolled."""
    if has_finisher(components, script.board):
        end_race(script, "line_crossed")
        return
    turn_lap_counter(components, script)
    if script.board.turn >= script.board.options.turns_max:
        end_race(script, "turns_max")
        return
    prepare_next_turn(components, script)


def prepare_next_turn(components: Components, script: CharioteerScript) -> None:
    """Clear the table, refill seat by seat, slide the crowd cards, roll: the order decides the piles of reshuffles."""
    turn = script.board.turn
    script.emit(TableCleared(turn=turn))
    for driver in racing(script.board):
        refill_hand(components, script, driver.seat)
    script.emit(CrowdCardsSlid(discarded=script.board.crowd[0].draw))
    deal_crowd_card(components, script)
    begin_turn(components, script, turn=turn + 1)


def end_race(script: CharioteerScript, reason: Literal["line_crossed", "turns_max", "last_seat", "last_team"]) -> None:
    script.emit(RaceEnded(reason=reason, order=final_order(script.board)))


def final_order(board: Board) -> tuple[Seat, ...]:
    """CH-90, XG-07: race order, then the seats that resigned, the last of them first. Always total."""
    resigned = sorted((driver for driver in board.drivers if not driver.is_racing), key=lambda one: -one.resigned)
    return tuple(driver.seat for driver in (*race_order(board), *resigned))


def complete_laps(components: Components, script: CharioteerScript, seat: Seat, *, came_from: int) -> None:
    """Emit each lap that ended on the way; Start lies short of the line, and crossing it first ends none."""
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
