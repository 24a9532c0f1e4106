"""CM-111: a closed course of straights and arcs: its middle line and walls, as polygons with a vertex every 2 degrees.

So every stretch points in a whole degree. The first piece starts on the finish line, where all chariots cross it.
"""

from functools import lru_cache
from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.rulesets.chariotmaster.table.geometry import build_segment
from domain.rulesets.chariotmaster.table.sines import FINE, FULL_TURN, QUARTER_TURN, Vector, direction, nearest
from domain.rulesets.chariotmaster.table.travel import Obstacle

# Pieces are whole millimetres, as all lengths that people choose.
UM_PER_MM = 1_000
# An arc is drawn with a vertex every so many degrees.
CHORD_DEGREES = 2
# The ends of the course may miss each other by the rounding of the sines, not by more: a hundredth of a millimetre.
_CLOSURE_UM = 10
# No table is longer than ten metres; 64 pieces are more than any circus had, and their walls are checked in a second.
PIECES_MAX = 64
LENGTH_MM_MAX = 10_000

# Obstacle keys of walls come before all others: the inner wall, on the left of the racers, then the outer one.
LEFT_WALL, RIGHT_WALL = -2, -1


class Straight(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="straight"):
    """A straight piece of track."""

    length_mm: Annotated[int, Meta(gt=0, le=LENGTH_MM_MAX)]


class Arc(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="arc"):
    """A curve: the radius is that of the middle line."""

    radius_mm: Annotated[int, Meta(gt=0, le=LENGTH_MM_MAX)]
    degrees: Annotated[int, Meta(gt=0, le=FULL_TURN, multiple_of=CHORD_DEGREES)]
    turn: Literal["left", "right"]


Piece = Straight | Arc


class Stretch(Struct, frozen=True, kw_only=True):
    """One straight bit of a line: from a vertex (in fine units) to the next, pointing in a whole degree."""

    start: Vector
    end: Vector
    heading: int


class Course(Struct, frozen=True, kw_only=True):
    """The lines of a course. `left` and `right` are the walls; all three have the same number of stretches."""

    width_um: int
    middle: tuple[Stretch, ...]
    left: tuple[Stretch, ...]
    right: tuple[Stretch, ...]


class UnfitCourse(ValueError):
    """The pieces do not make a course."""

    def __init__(self, *, expected: str, found: str) -> None:
        self.expected = expected
        self.found = found
        super().__init__(f"expected {expected}, found {found}")


class _Pen(Struct, frozen=True):
    """Where a line has come to, in fine units, and where it points."""

    point: Vector
    heading: int


# The courses of a box are laid for its check, its arenas and its bots.
@lru_cache(maxsize=64)
def build_course(pieces: tuple[Piece, ...], *, width_um: int) -> Course:
    """Lay the pieces one behind the other from the finish line, along the x axis first; refuse an open course."""
    if not 1 <= len(pieces) <= PIECES_MAX:
        raise UnfitCourse(expected=f"1 to {PIECES_MAX} pieces", found=str(len(pieces)))
    for piece in pieces:
        if isinstance(piece, Arc) and 2 * piece.radius_mm * UM_PER_MM <= width_um:
            raise UnfitCourse(expected=f"radii above half the width, {width_um // 2} µm", found=f"{piece.radius_mm} mm")
    left = parallel_line(pieces, left_um=width_um // 2)
    right = parallel_line(pieces, left_um=-(width_um // 2))
    _require_apart(left + right)
    return Course(width_um=width_um, middle=parallel_line(pieces, left_um=0), left=left, right=right)


def parallel_line(pieces: tuple[Piece, ...], *, left_um: int) -> tuple[Stretch, ...]:
    """Draw the closed line that runs so far to the left of the middle line (to the right if negative)."""
    ahead = direction(QUARTER_TURN)
    start = _Pen((ahead[0] * left_um, ahead[1] * left_um), 0)
    pen, stretches = start, []
    for piece in pieces:
        for stretch in _draw(pen, piece, left_um):
            stretches.append(stretch)
            pen = _Pen(stretch.end, pen.heading)
        pen = _Pen(pen.point, (pen.heading + _turn(piece)) % FULL_TURN)
    _require_closed(start, pen, sum(_turn(piece) for piece in pieces))
    last = stretches[-1]
    return (*stretches[:-1], Stretch(start=last.start, end=start.point, heading=last.heading))


def _draw(pen: _Pen, piece: Piece, left_um: int) -> list[Stretch]:
    if isinstance(piece, Straight):
        ahead, length_um = direction(pen.heading), piece.length_mm * UM_PER_MM
        end = pen.point[0] + ahead[0] * length_um, pen.point[1] + ahead[1] * length_um
        return [Stretch(start=pen.point, end=end, heading=pen.heading)]
    side = 1 if piece.turn == "left" else -1
    # The centre is `radius` to the inside of the middle line, so this line's own radius is less by its offset there.
    radius_um = piece.radius_mm * UM_PER_MM - side * left_um
    centre = _aside(pen.point, pen.heading, side * radius_um)
    stretches, start = [], pen.point
    for degrees in range(CHORD_DEGREES, piece.degrees + 1, CHORD_DEGREES):
        end = _aside(centre, pen.heading + side * degrees, -side * radius_um)
        heading = (pen.heading + side * (degrees - CHORD_DEGREES // 2)) % FULL_TURN
        stretches.append(Stretch(start=start, end=end, heading=heading))
        start = end
    return stretches


def _aside(point: Vector, heading: int, left_um: int) -> Vector:
    normal = direction(heading + QUARTER_TURN)
    return point[0] + normal[0] * left_um, point[1] + normal[1] * left_um


def _turn(piece: Piece) -> int:
    match piece:
        case Straight():
            return 0
        case Arc(degrees=degrees, turn="left"):
            return degrees
        case Arc(degrees=degrees):
            return -degrees


def _require_closed(start: _Pen, end: _Pen, degrees: int) -> None:
    if degrees != FULL_TURN:
        raise UnfitCourse(expected="arcs that turn 360° to the left in all", found=f"{degrees}°")
    gaps_um = [abs(nearest(end.point[axis] - start.point[axis], FINE)) for axis in (0, 1)]
    if max(gaps_um) > _CLOSURE_UM:
        raise UnfitCourse(expected="ends that meet", found=f"ends {gaps_um[0]} and {gaps_um[1]} µm apart")


def _require_apart(stretches: tuple[Stretch, ...]) -> None:
    """Refuse a course that runs into itself. Only stretches that overlap along the x axis are compared."""
    spans = sorted((*sorted((each.start[0], each.end[0])), place) for place, each in enumerate(stretches))
    for number, (_, high, place) in enumerate(spans):
        first = stretches[place]
        for low, _, other in spans[number + 1 :]:
            if low > high:
                break
            if _cross(first, stretches[other]):
                found = f"a crossing near ({nearest(first.start[0], FINE)}, {nearest(first.start[1], FINE)}) µm"
                raise UnfitCourse(expected="walls that do not cross", found=found)


def _cross(first: Stretch, second: Stretch) -> bool:
    return _parts(first, second) and _parts(second, first)


def _parts(line: Stretch, other: Stretch) -> bool:
    """Return whether the ends of one stretch lie on the two sides of another."""
    along = line.end[0] - line.start[0], line.end[1] - line.start[1]
    sides = [
        along[0] * (end[1] - line.start[1]) - along[1] * (end[0] - line.start[0]) for end in (other.start, other.end)
    ]
    return min(sides) < 0 < max(sides)


def wall_obstacles(course: Course) -> tuple[Obstacle, ...]:
    """Return the walls, stretch by stretch, as obstacles."""
    return tuple(
        Obstacle(key=(wall, place), heading=stretch.heading, polygon=build_segment(stretch.start, stretch.end))
        for wall, line in ((LEFT_WALL, course.left), (RIGHT_WALL, course.right))
        for place, stretch in enumerate(line)
    )
