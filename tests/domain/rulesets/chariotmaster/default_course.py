"""The default circus: a line of 60 cm with a wall of 2 cm around it, a track of 20 cm, noses on the line."""

from domain.rulesets.chariotmaster.table.course import Arc, Piece, Straight, build_course, wall_obstacles
from domain.rulesets.chariotmaster.table.grid import build_grid
from domain.rulesets.chariotmaster.table.laps import measure
from tests.domain.rulesets.chariotmaster.cases import CHARIOT, CM, MM

OVAL: tuple[Piece, ...] = (
    Straight(length_mm=300),
    Arc(radius_mm=120, degrees=180, turn="left"),
    Straight(length_mm=600),
    Arc(radius_mm=120, degrees=180, turn="left"),
    Straight(length_mm=300),
)
# A trial course with a bend to the right, to be driven to the left all the same.
TRIAL: tuple[Piece, ...] = (
    Straight(length_mm=300),
    Arc(radius_mm=200, degrees=90, turn="left"),
    Arc(radius_mm=200, degrees=90, turn="right"),
    Arc(radius_mm=200, degrees=180, turn="left"),
    Straight(length_mm=900),
    Arc(radius_mm=200, degrees=90, turn="left"),
    Straight(length_mm=400),
    Arc(radius_mm=200, degrees=90, turn="left"),
    Straight(length_mm=200),
)
COURSE = build_course(OVAL, width_um=20 * CM)
WALLS = wall_obstacles(COURSE)
MIDDLE = measure(COURSE.middle)
GRID = build_grid(COURSE, CHARIOT, gap_um=5 * MM)
