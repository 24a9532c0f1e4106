"""A chariot as all seats see it: all its points, tokens, conditions and pieces. Nothing of a chariot is hidden."""

from msgspec import Struct

from domain.ids import Seat
from domain.rulesets.chariotmaster.box.building import Fitting
from domain.rulesets.chariotmaster.box.component_file import TokenName
from domain.rulesets.chariotmaster.race.board import Board, Chariot, DriverStatus, Grasp, is_under_control
from domain.rulesets.chariotmaster.rounds.mug import is_on_table


class PointsView(Struct, frozen=True, kw_only=True):
    """Points left, of how many at the start, and the number that earlier rolls add when there are none left."""

    left: int
    start: int
    modifier: int


class ChariotView(Struct, frozen=True, kw_only=True):
    """A chariot, whole or in pieces. Conditions "until the end of its next turn" are counted in ends of its turns."""

    chariot: int
    seat: Seat
    race: str | None
    equipment: tuple[str, ...]
    fitting: Fitting
    stamina: PointsView
    structure: PointsView
    health: PointsView
    skill: PointsView
    tokens: tuple[TokenName, ...]
    last_token: TokenName | None
    modifies: int
    horses: int
    dead_horses: int
    has_body: bool
    driver: DriverStatus
    has_reins: bool
    has_whip: bool
    has_knife: bool
    is_under_control: bool
    is_exhausted: bool
    has_damaged_wheel: bool
    is_halted: bool
    grasp: Grasp | None
    unconscious_for: int
    out_of_control_for: int
    fallen_for: int
    is_on_table: bool
    is_racing: bool
    progress_um: int
    laps_completed: int
    place: int | None


def show_chariot(board: Board, number: int, chariot: Chariot, *, is_racing: bool) -> ChariotView:
    """Show a chariot; whether it still races depends on the others too."""
    fitting = chariot.fitting
    return ChariotView(
        chariot=number,
        seat=chariot.seat,
        race=chariot.race,
        equipment=chariot.equipment,
        fitting=fitting,
        stamina=PointsView(left=chariot.stamina, start=fitting.stamina, modifier=chariot.stamina_modifier),
        structure=PointsView(left=chariot.structure, start=fitting.structure, modifier=chariot.structure_modifier),
        health=PointsView(left=chariot.health, start=fitting.health, modifier=chariot.health_modifier),
        skill=PointsView(left=chariot.skill, start=fitting.skill, modifier=chariot.skill_modifier),
        tokens=chariot.tokens,
        last_token=chariot.last_token,
        modifies=chariot.modifies,
        horses=chariot.horses,
        dead_horses=chariot.dead_horses,
        has_body=chariot.has_body,
        driver=chariot.driver,
        has_reins=chariot.has_reins,
        has_whip=chariot.has_whip,
        has_knife=chariot.has_knife,
        is_under_control=is_under_control(chariot),
        is_exhausted=chariot.is_exhausted,
        has_damaged_wheel=chariot.has_damaged_wheel,
        is_halted=chariot.is_halted,
        grasp=chariot.grasp,
        unconscious_for=chariot.unconscious_for,
        out_of_control_for=chariot.out_of_control_for,
        fallen_for=chariot.fallen_for,
        is_on_table=is_on_table(chariot),
        is_racing=is_racing,
        progress_um=chariot.progress_um,
        laps_completed=chariot.laps_completed,
        place=board.finished.index(number) + 1 if number in board.finished else None,
    )
