"""The default circus: a line of 60 cm with a wall of 2 cm around it, a track of 20 cm, noses on the line."""

from domain.rulesets.chariotmaster.course import Arc, Piece, Straight, build_course, wall_obstacles
from domain.rulesets.chariotmaster.grid import build_grid
from domain.rulesets.chariotmaster.laps import measure
from tests.domain.rulesets.chariotmaster.cases import CHARIOT, CM, MM

OVAL: tuple[Piece, ...] = (
    Straight(length_um=30 * CM),
    Arc(radius_um=12 * CM, degrees=180, turn="left"),
    Straight(length_um=60 * CM),
    Arc(radius_um=12 * CM, degrees=180, turn="left"),
    Straight(length_um=30 * CM),
)
# A trial course with a bend to the right, to be driven to the left all the same.
TRIAL: tuple[Piece, ...] = (
    Straight(length_um=30 * CM),
    Arc(radius_um=20 * CM, degrees=90, turn="left"),
    Arc(radius_um=20 * CM, degrees=90, turn="right"),
    Arc(radius_um=20 * CM, degrees=180, turn="left"),
    Straight(length_um=90 * CM),
    Arc(radius_um=20 * CM, degrees=90, turn="left"),
    Straight(length_um=40 * CM),
    Arc(radius_um=20 * CM, degrees=90, turn="left"),
    Straight(length_um=20 * CM),
)
COURSE = build_course(OVAL, width_um=20 * CM)
WALLS = wall_obstacles(COURSE)
MIDDLE = measure(COURSE.middle)
GRID = build_grid(COURSE, CHARIOT, gap_um=5 * MM)
