"""CM-111: a closed course of straights and arcs: its middle line and walls, as polygons with a vertex every 2 degrees.

So every stretch points in a whole degree. The first piece starts on the finish line, where all chariots cross it.
"""

from functools import lru_cache
from itertools import islice
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
# No table is longer than ten metres; 64 pieces are more than any circus had.
PIECES_MAX = 64
LENGTH_MM_MAX = 10_000
# All bends together: eight full turns, so that the 1,440 stretches of each wall are checked within a second.
DEGREES_MAX = 8 * FULL_TURN

# Obstacle keys of walls come before all others: the inner wall, on the left of the racers, then the outer one.
LEFT_WALL, RIGHT_WALL = -2, -1


class Straight(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="straight"):
    """A straight piece of track: so many millimetres, and some micrometres more where only they let the ends meet."""

    length_mm: Annotated[int, Meta(ge=0, le=LENGTH_MM_MAX)]
    more_um: Annotated[int, Meta(ge=0, lt=UM_PER_MM)] = 0

    @property
    def length_um(self) -> int:
        return self.length_mm * UM_PER_MM + self.more_um


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
    """No course can be driven on these data: at this piece or obstacle, by its index, near this point of the table."""

    def __init__(
        self,
        *,
        expected: str,
        found: str,
        piece: int | None = None,
        obstacle: int | None = None,
        point_um: Vector | None = None,
    ) -> None:
        self.expected = expected
        self.found = found
        self.piece = piece
        self.obstacle = obstacle
        self.at_mm = None if point_um is None else (nearest(point_um[0], UM_PER_MM), nearest(point_um[1], UM_PER_MM))
        super().__init__(f"{self.place}: expected {expected}, found {found}")

    @property
    def place(self) -> str:
        """Name the place for people: pieces and obstacles count from 1."""
        number = None if self.piece is None else f"piece {self.piece + 1}"
        number = number if self.obstacle is None else f"obstacle {self.obstacle + 1}"
        point = None if self.at_mm is None else f"at ({self.at_mm[0]}, {self.at_mm[1]}) mm"
        return " ".join(part for part in (number, point) if part) or "the course"


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
    degrees = sum(abs(_turn(piece)) for piece in pieces)
    if degrees > DEGREES_MAX:
        raise UnfitCourse(expected=f"at most {DEGREES_MAX}° of bends", found=f"{degrees}°")
    pens = _starts_of(pieces)
    for place, (piece, pen) in enumerate(zip(pieces, pens, strict=False)):
        point_um = _in_um(pen.point)
        if isinstance(piece, Arc) and 2 * piece.radius_mm * UM_PER_MM <= width_um:
            expected = f"a radius above half the width, {width_um // 2 // UM_PER_MM} mm"
            raise UnfitCourse(expected=expected, found=f"{piece.radius_mm} mm", piece=place, point_um=point_um)
        if isinstance(piece, Straight) and not piece.length_um:
            raise UnfitCourse(expected="some length", found="0 mm", piece=place, point_um=point_um)
    _require_closed(pens[0], pens[-1], sum(_turn(piece) for piece in pieces), last=len(pieces) - 1)
    left = parallel_line(pieces, left_um=width_um // 2)
    right = parallel_line(pieces, left_um=-(width_um // 2))
    _require_apart(pieces, (left, right))
    return Course(width_um=width_um, middle=parallel_line(pieces, left_um=0), left=left, right=right)


def _starts_of(pieces: tuple[Piece, ...]) -> tuple[_Pen, ...]:
    """Return where each piece begins on the middle line, and where the last one ends."""
    pens = [_Pen((0, 0), 0)]
    for piece in pieces:
        pen = pens[-1]
        end = _draw(pen, piece, 0)[-1].end
        pens.append(_Pen(end, (pen.heading + _turn(piece)) % FULL_TURN))
    return tuple(pens)


def stretches_of(piece: Piece) -> int:
    """Count the stretches of a piece on each line."""
    return piece.degrees // CHORD_DEGREES if isinstance(piece, Arc) else 1


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
    last = stretches[-1]
    return (*stretches[:-1], Stretch(start=last.start, end=start.point, heading=last.heading))


def _draw(pen: _Pen, piece: Piece, left_um: int) -> list[Stretch]:
    if isinstance(piece, Straight):
        ahead = direction(pen.heading)
        end = pen.point[0] + ahead[0] * piece.length_um, pen.point[1] + ahead[1] * piece.length_um
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


def _require_closed(start: _Pen, end: _Pen, degrees: int, *, last: int) -> None:
    point_um = _in_um(end.point)
    if degrees != FULL_TURN:
        expected = "arcs that turn 360° to the left in all"
        raise UnfitCourse(expected=expected, found=f"{degrees}°", piece=last, point_um=point_um)
    gaps_um = [abs(nearest(end.point[axis] - start.point[axis], FINE)) for axis in (0, 1)]
    if max(gaps_um) > _CLOSURE_UM:
        found = f"an end {gaps_um[0]} and {gaps_um[1]} µm away"
        raise UnfitCourse(expected="an end at (0, 0), on the line", found=found, piece=last, point_um=point_um)


def _require_apart(pieces: tuple[Piece, ...], walls: tuple[tuple[Stretch, ...], ...]) -> None:
    """Refuse a course that runs into itself, or touches itself. Only stretches near each other are compared."""
    owners = [place for place, piece in enumerate(pieces) for _ in range(stretches_of(piece))]
    # By the x axis; a stretch is compared with those that begin before it ends.
    spans = sorted(
        (*_span(stretch, 0), *_span(stretch, 1), wall, number)
        for wall, line in enumerate(walls)
        for number, stretch in enumerate(line)
    )
    for place, (_, high, low_y, high_y, wall, number) in enumerate(spans):
        first = walls[wall][number]
        for low, _, other_low_y, other_high_y, other_wall, other_number in islice(spans, place + 1, None):
            if low > high:
                break
            if other_low_y > high_y or other_high_y < low_y:
                continue
            if other_wall == wall and abs(number - other_number) in (1, len(owners) - 1):
                continue
            second = walls[other_wall][other_number]
            if _meet(first, second):
                # The shorter stretch tells the place: a straight is one as long as itself.
                met = sorted(
                    ((first, owners[number]), (second, owners[other_number])), key=lambda wall: _length(wall[0])
                )
                (stretch, piece), (_, other) = met
                point_um = _in_um(stretch.start)
                found = f"the wall of piece {other + 1} on it"
                raise UnfitCourse(expected="walls that keep apart", found=found, piece=piece, point_um=point_um)


def _span(stretch: Stretch, axis: int) -> tuple[int, int]:
    low, high = sorted((stretch.start[axis], stretch.end[axis]))
    return low, high


def _length(stretch: Stretch) -> int:
    return abs(stretch.end[0] - stretch.start[0]) + abs(stretch.end[1] - stretch.start[1])


def _meet(first: Stretch, second: Stretch) -> bool:
    return _parts(first, second) and _parts(second, first)


def _parts(line: Stretch, other: Stretch) -> bool:
    """Return whether the ends of one stretch lie on the two sides of another, or on it."""
    along = line.end[0] - line.start[0], line.end[1] - line.start[1]
    sides = [
        along[0] * (end[1] - line.start[1]) - along[1] * (end[0] - line.start[0]) for end in (other.start, other.end)
    ]
    return min(sides) <= 0 <= max(sides)


def _in_um(point: Vector) -> Vector:
    return nearest(point[0], FINE), nearest(point[1], FINE)


def wall_obstacles(course: Course) -> tuple[Obstacle, ...]:
    """Return the walls, stretch by stretch, as obstacles."""
    return tuple(
        Obstacle(key=(wall, place), heading=stretch.heading, polygon=build_segment(stretch.start, stretch.end))
        for wall, line in ((LEFT_WALL, course.left), (RIGHT_WALL, course.right))
        for place, stretch in enumerate(line)
    )
