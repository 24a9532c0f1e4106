"""CM-06: chariots as they are built, and the draw for the grid, from the innermost place of the front row outwards.

No player gets a second place in the front row while the others' first ones would run out.
"""

from domain.ids import Seat
from domain.rulesets.chariotmaster.box.building import Build, Fitting, fit_out, start_stamina
from domain.rulesets.chariotmaster.race.board import Board, Chariot
from domain.rulesets.chariotmaster.race.cascade import AnyScript
from domain.rulesets.chariotmaster.race.mug_outcomes import ChariotPlaced
from domain.rulesets.chariotmaster.race.racetrack import Arena

FRONT, SECOND = 0, 1


def build_fitting(arena: Arena, build: Build, *, laps: int) -> Fitting:
    """Return the points and abilities that a build gives a chariot in a race of so many laps."""
    stamina = start_stamina(arena.box, lap_um=arena.middle.length_um, laps=laps)
    return fit_out(arena.box, build, stamina=stamina)


def build_chariot(arena: Arena, build: Build, *, seat: Seat, laps: int) -> Chariot:
    """CM-04: return a chariot with all its points, not on the table yet."""
    fitting = build_fitting(arena, build, laps=laps)
    return Chariot(
        seat=seat,
        equipment=build.equipment,
        fitting=fitting,
        stamina=fitting.stamina,
        structure=fitting.structure,
        health=fitting.health,
        skill=fitting.skill,
        modifies=fitting.modifies,
    )


def draw_grid(script: AnyScript, arena: Arena, *, second_row_stamina: int) -> None:
    """CM-06: draw chariot after chariot and give each its place; the last one needs no draw."""
    while True:
        waiting = [
            number
            for number, chariot in enumerate(script.board.chariots)
            if chariot.team_pose is None and chariot.seat not in script.board.withdrawn
        ]
        if not waiting:
            return
        drawn = script.roll("grid", dice=1, sides=len(waiting))[0] - 1 if len(waiting) > 1 else 0
        chariot = waiting[drawn]
        row = choose_row(arena, script.board, script.board.chariots[chariot].seat)
        place = len(_standing(arena, script.board, row))
        script.emit(
            ChariotPlaced(
                chariot=chariot,
                row=row,
                place=place,
                pose=arena.grid[row][place],
                extra_stamina=second_row_stamina if row == SECOND else 0,
            )
        )


def choose_row(arena: Arena, board: Board, seat: Seat) -> int:
    """CM-06: return the row in which the next chariot of a seat starts."""
    front = _standing(arena, board, FRONT)
    free = len(arena.grid[FRONT]) - len(front)
    seats_in_front = {chariot.seat for chariot in front}
    still_without = {chariot.seat for chariot in board.chariots} - seats_in_front - set(board.withdrawn)
    if not free or (seat in seats_in_front and free <= len(still_without)):
        return SECOND
    return FRONT


def _standing(arena: Arena, board: Board, row: int) -> list[Chariot]:
    return [chariot for chariot in board.chariots if chariot.team_pose in arena.grid[row]]
