"""The start: the first chooser, and the grid behind the line (CR-12, CR-63)."""

from collections.abc import Collection, Sequence

from domain.ids import Seat
from domain.rulesets.chariot_race.board import Board, Chariot
from domain.rulesets.chariot_race.components import LANE_NAMES
from domain.rulesets.chariot_race.outcomes import ChariotPlaced, FirstChooserDrawn, StartOrderDrawn
from domain.rulesets.chariot_race.wreck import RaceScript


def set_up(script: RaceScript) -> None:
    """Draw the seat that chooses the first chariot, where chariots are chosen."""
    board = script.board
    if board.options.chariots != "basic":
        script.emit(FirstChooserDrawn(seat=_draw(script, "first_chooser", board.seats)))


def is_lined_up(board: Board) -> bool:
    return not any(chariot.status == "waiting" for chariot in board.chariots)


def line_up(script: RaceScript) -> None:
    """Draw the start order of the basic game; second chariots take the next places in reverse order (CR-63)."""
    waiting = [chariot for chariot in script.board.chariots if chariot.status == "waiting"]
    seats = _draw_order(script, {chariot.seat for chariot in waiting})
    script.emit(StartOrderDrawn(seats=seats))
    by_seat = {seat: [chariot for chariot in waiting if chariot.seat == seat] for seat in seats}
    first = [by_seat[seat][0] for seat in seats]
    second = [by_seat[seat][1] for seat in reversed(seats) if len(by_seat[seat]) > 1]
    for place, chariot in enumerate((*first, *second), start=1):
        put_on_grid(script, chariot, place)


def put_on_grid(script: RaceScript, chariot: Chariot, place: int) -> None:
    board = script.board
    marked = board.components.grid[place - 1]
    lane = LANE_NAMES.index(marked.lane)
    script.emit(
        ChariotPlaced(
            seat=chariot.seat,
            chariot=chariot.colour,
            place=place,
            space=board.track.names[board.track.space(lane=lane, step=-marked.row)],
            front=board.track.front(lane=lane, step=-marked.row),
        )
    )


def _draw_order(script: RaceScript, seats: Collection[Seat]) -> tuple[Seat, ...]:
    remaining = sorted(seats)
    drawn: list[Seat] = []
    while remaining:
        drawn.append(_draw(script, "start_order", remaining))
        remaining.remove(drawn[-1])
    return tuple(drawn)


def _draw(script: RaceScript, name: str, seats: Sequence[Seat]) -> Seat:
    # XG-02: one die over the seats that remain, and no roll for the last of them.
    if len(seats) == 1:
        return seats[0]
    [face] = script.roll(name, dice=1, sides=len(seats))
    return seats[face - 1]
