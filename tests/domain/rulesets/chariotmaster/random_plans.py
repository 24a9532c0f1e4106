"""Random courses, from a seed: polygons with round corners, of which some are fit, and obstacles on them."""

from collections.abc import Iterator
from math import atan2, cos, degrees, radians, sin, tan
from random import Random

from msgspec.structs import replace

from domain.rulesets.chariotmaster.race.course_check import check_course
from domain.rulesets.chariotmaster.race.racetrack import build_arena
from domain.rulesets.chariotmaster.table.course import Arc, Piece, Straight, UnfitCourse, build_course
from domain.rulesets.chariotmaster.table.course_plan import CoursePlan, ObstaclePlan
from domain.rulesets.chariotmaster.table.laps import measure, place_at
from tests.domain.rulesets.chariotmaster.own_components import BOX

XY = tuple[float, float]


def is_fit(plan: CoursePlan) -> bool:
    try:
        check_course(build_arena(BOX, plan))
    except UnfitCourse:
        return False
    return True


def random_plans(random: Random) -> Iterator[CoursePlan]:
    """Yield courses of three to nine corners, without end."""
    while True:
        width = random.randrange(150, 300, 10)
        pieces = _round_off(_polygon(random), random, radius_mm=width // 2)
        if pieces is None:
            continue
        plan = CoursePlan(
            name="Random",
            width_mm=width,
            laps=random.choice((None, 1, 2)),
            wall_dice=random.choice((None, 0, 3, 6)),
            pieces=pieces,
        )
        yield replace(plan, obstacles=_obstacles(plan, random))


def _polygon(random: Random) -> list[XY]:
    """Return corners round a point; the first edge leads along the x axis."""
    count = random.randrange(3, 10)
    turns = sorted(random.uniform(0, 360) for _ in range(count))
    return [
        (random.uniform(500, 1_100) * cos(radians(turn)), random.uniform(400, 900) * sin(radians(turn)))
        for turn in turns
    ]


def _round_off(corners: list[XY], random: Random, *, radius_mm: int) -> tuple[Piece, ...] | None:
    """Turn edges to even degrees, let them meet again, and round their corners off; the line is on the first edge."""
    edges = list(zip(corners, corners[1:] + corners[:1], strict=True))
    raw = [degrees(atan2(end[1] - start[1], end[0] - start[0])) for start, end in edges]
    headings = [2 * round((heading - raw[0]) / 2) % 360 for heading in raw]
    # Turned by the first heading, so that the first edge leads along the x axis.
    spots = [_turned(((start[0] + end[0]) / 2, (start[1] + end[1]) / 2), -raw[0]) for start, end in edges]
    count = len(edges)
    turns = [(headings[(place + 1) % count] - headings[place] + 180) % 360 - 180 for place in range(count)]
    if sum(turns) != 360 or any(turn == 0 or abs(turn) > 160 for turn in turns):
        return None
    meets = [_meet(spots[p], headings[p], spots[(p + 1) % count], headings[(p + 1) % count]) for p in range(count)]
    lengths = [
        (meets[p][0] - meets[p - 1][0]) * cos(radians(headings[p]))
        + (meets[p][1] - meets[p - 1][1]) * sin(radians(headings[p]))
        for p in range(count)
    ]
    radii = [random.randrange(radius_mm - 3, radius_mm + 150) for _ in range(count)]
    tangents = [abs(radius * tan(radians(turn / 2))) for radius, turn in zip(radii, turns, strict=True)]
    straights = [lengths[p] - tangents[p] - tangents[p - 1] for p in range(count)]
    if min(straights) < 1:
        return None
    share = random.uniform(0.3, 0.7)
    pieces: list[Piece] = [_straight(straights[0] * (1 - share))]
    for place in range(count):
        arc = Arc(radius_mm=radii[place], degrees=abs(turns[place]), turn="left" if turns[place] > 0 else "right")
        pieces.append(arc)
        following = (place + 1) % count
        pieces.append(_straight(straights[following] * (share if following == 0 else 1)))
    return tuple(pieces)


def _obstacles(plan: CoursePlan, random: Random) -> tuple[ObstaclePlan, ...]:
    try:
        line = measure(build_course(plan.pieces, width_um=plan.width_mm * 1_000).middle)
    except UnfitCourse:
        return ()
    placed = []
    for _ in range(random.choice((0, 1, 3, 8))):
        place = place_at(line, random.randrange(200_000, max(line.length_um - 150_000, 200_001)))
        aside = random.uniform(-0.4, 0.4) * plan.width_mm
        left = radians(place.heading + 90)
        placed.append(
            ObstaclePlan(
                x_mm=round(place.point_um[0] / 1_000 + aside * cos(left)),
                y_mm=round(place.point_um[1] / 1_000 + aside * sin(left)),
                heading=random.randrange(360),
                length_mm=random.randrange(4, 60),
                width_mm=random.randrange(4, 40),
                height=random.choice(("low", "high")),
                dice=random.randrange(7),
                loses=random.choice(("nothing", "stamina", "structure", "health", "skill")),
            )
        )
    return tuple(placed)


def _straight(length_mm: float) -> Straight:
    whole_um = round(length_mm * 1_000)
    return Straight(length_mm=whole_um // 1_000, more_um=whole_um % 1_000)


def _turned(point: XY, by: float) -> XY:
    turn = radians(by)
    return point[0] * cos(turn) - point[1] * sin(turn), point[0] * sin(turn) + point[1] * cos(turn)


def _meet(one: XY, heading: float, other: XY, other_heading: float) -> XY:
    """Return where two lines meet that are not parallel."""
    ahead, other_ahead = radians(heading), radians(other_heading)
    across = cos(ahead) * sin(other_ahead) - sin(ahead) * cos(other_ahead)
    x, y = other[0] - one[0], other[1] - one[1]
    along = (x * sin(other_ahead) - y * cos(other_ahead)) / across
    return one[0] + along * cos(ahead), one[1] + along * sin(ahead)
