"""CH-71 to CH-74: steps after the move, as many as there are, none of which may carry the chariot past a rival."""

from typing import Literal

from domain.rulesets.charioteer.board import Board, Driver, driver_of, race_order
from domain.rulesets.charioteer.components import Components
from domain.rulesets.charioteer.moving import Stride, is_cornering, next_progress, rivals_by_space, rivals_inside
from domain.rulesets.charioteer.outcomes import ChariotMoved, WhipUsed
from domain.rulesets.charioteer.reckoning import Tally
from domain.rulesets.charioteer.track import space_at
from domain.rulesets.charioteer.writing import CharioteerScript


def use_whips(components: Components, script: CharioteerScript, moved: ChariotMoved, counted: Tally) -> None:
    """Whip from where the move ended. Whether it helps at all is asked once, however many whips there are."""
    if counted.whips == 0:
        return
    steps_max = whip_steps_max(components, script.board, whips=counted.whips)
    driver = driver_of(script.board, moved.seat)
    useless = _why_useless(script.board, moved)
    if useless is not None:
        entered: tuple[int, ...] = ()
        progress, ended_by = driver.progress, useless
    else:
        stride = Stride(points=steps_max, is_black=is_cornering(counted.symbol))
        entered, progress = _steps(components, script.board, driver, stride)
        ended_by = "spent" if len(entered) == steps_max else "rival_ahead"
    script.emit(
        WhipUsed(
            seat=moved.seat,
            whips=counted.whips,
            steps_max=steps_max,
            entered=entered,
            ended_by=ended_by,
            progress=progress,
        )
    )


def whip_steps_max(components: Components, board: Board, *, whips: int) -> int:
    counted = whips if board.options.several_whips == "each" else min(whips, 1)
    return counted * components.numbers.whip_steps


def _why_useless(
    board: Board, moved: ChariotMoved
) -> Literal["first_turn", "has_passed", "is_leading", "spent", "rival_ahead"] | None:
    """CH-38, CH-72, CO-19: of no use on turn 1, to a chariot that passed a rival, and to the leader after the move."""
    if board.turn == 1:
        return "first_turn"
    if moved.passed:
        return "has_passed"
    return "is_leading" if race_order(board)[0].seat == moved.seat else None


def _steps(components: Components, board: Board, driver: Driver, stride: Stride) -> tuple[tuple[int, ...], int]:
    """Step until the steps are spent or the next one would pass a rival, one on a skipped outer space included."""
    spaces = rivals_by_space(components, board, driver.seat)
    blocked = bool(rivals_inside(board, components, driver.seat))
    progress = driver.progress
    entered: list[int] = []
    while len(entered) < stride.points and not blocked:
        ahead = next_progress(components, board, progress, is_black=stride.is_black)
        if any(space_at(components.track, skipped) in spaces for skipped in range(progress + 1, ahead)):
            break
        progress = ahead
        entered.append(space_at(components.track, progress))
        blocked = entered[-1] in spaces
    return tuple(entered), progress
