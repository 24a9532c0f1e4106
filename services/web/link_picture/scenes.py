"""The board of each ruleset as a scene, by the geometry in its view. A ruleset without one has no picture in cards.

The shapes are those of its board in the pages (services/web/rulesets/).
"""

from collections.abc import Callable, Mapping, Sequence
from math import atan2, ceil, cos, degrees, pi, radians, sin
from typing import Any

from services.web.link_picture.canvas import Outline, Point, round_outline
from services.web.link_picture.circus import (
    BRICK,
    BY_SEAT,
    GOLD,
    INFIELD,
    INK,
    LIMIT,
    OUTER,
    RUT,
    SAND,
    STANDS,
    START,
    STONE,
    WATER,
    Placed,
    Scene,
)

# How deep the stands are around a track, in units of its board.
STANDS_DEPTH = 44
ARC_STEPS = 24
# Shares of a space's width between which chariots stand.
LANES = {"regular": (0.06, 0.94), "outer": (0.42, 0.96)}
ROOM, ACROSS, SCALE_MAX = 210, 34, 1.5
# Of Chariot Race: the width of a lane, the radius inside of its corners, and the length of a unit.
LANE_WIDTH, INSIDE_RADIUS, UNIT_LENGTH, ARC_UNITS = 64, 84, 2.4, 6
CHARIOT_RACE_SCALE = 1.3
# Of Chariotmaster: wrecks have numbers from here, drivers on foot from 100; a team of 60 units is 40 mm long.
ON_FOOT_FROM, UM_PER_MM, TABLE_STANDS, TABLE_SCALE = 100, 1_000, 26, 0.75
TURNS_AROUND_SPINA = 2

Grounds = list[tuple[str, Sequence[Outline]]]


def build_scene(name: str, view: Mapping[str, Any], ranking: Sequence[Mapping[str, Any]]) -> Scene | None:
    """Return the scene of a ruleset's public view with its `ranking`, or none for a ruleset without a picture."""
    build = BUILDERS.get(name)
    if build is None:
        return None
    box, grounds, chariots, factions = build(view)
    order = [(placing["place"], factions.get(placing["seat"], ())) for placing in ranking]
    return Scene(box=box, grounds=grounds, chariots=chariots, order=sorted(order, key=lambda placing: placing[0]))


Built = tuple[tuple[float, float, float, float], Grounds, list[Placed], Mapping[int, Sequence[str]]]


def _build_charioteer(view: Mapping[str, Any]) -> Built:
    track = view["track"]
    width, height = track["width"], track["height"]
    deep = STANDS_DEPTH
    box = (-deep, -deep, width + 2 * deep, height + 2 * deep)
    spaces = track["spaces"]
    lane = abs(spaces[0]["corners"][0][1] - spaces[0]["corners"][3][1])
    grounds = _stadium_grounds((0, 0, width, height), lane, deep)
    for index, space in enumerate(spaces):
        colour = START if index == track["start"] else OUTER if space["kind"] == "outer" else SAND
        grounds.append((RUT, [space["corners"]]))
        grounds.append((colour, [_shrink(space["corners"])]))
    racing = [driver for driver in view["drivers"] if driver["is_racing"]]
    chariots = []
    for driver in racing:
        crowd = sum(other["space"] == driver["space"] for other in racing)
        share = (len(driver["beside"]) + 0.5) / crowd if crowd > 1 else (driver["seat"] + 0.5) / len(view["drivers"])
        at, heading = _point_on(spaces[driver["space"]], share)
        scale = min(SCALE_MAX, ROOM / (crowd * ACROSS))
        chariots.append(Placed(faction=_by_seat(driver["seat"]), at=at, heading=heading, scale=scale))
    return box, grounds, chariots, {driver["seat"]: (_by_seat(driver["seat"]),) for driver in view["drivers"]}


def _point_on(space: Mapping[str, Any], share: float) -> tuple[Point, float]:
    """Return a place of a space by its share from the inside, and the heading there."""
    inside_behind, inside_ahead, outside_ahead, outside_behind = space["corners"]
    start, end = LANES[space["kind"]]
    across = inside_ahead[0] - inside_behind[0] + outside_ahead[0] - outside_behind[0]
    down = inside_ahead[1] - inside_behind[1] + outside_ahead[1] - outside_behind[1]
    inside = [(one + other) / 2 for one, other in zip(inside_behind, inside_ahead, strict=True)]
    outside = [(one + other) / 2 for one, other in zip(outside_behind, outside_ahead, strict=True)]
    at = start + (end - start) * share
    x, y = (one + (other - one) * at for one, other in zip(inside, outside, strict=True))
    return (x, y), degrees(atan2(down, across))


def _build_chariot_race(view: Mapping[str, Any]) -> Built:
    track = view["track"]
    oval = _Oval(track)
    lanes = track["lanes"]
    ring = oval.edge(0, track["lap_units"], len(lanes))
    left, right = min(x for x, _ in ring), max(x for x, _ in ring)
    top, bottom = min(y for _, y in ring), max(y for _, y in ring)
    deep = STANDS_DEPTH
    box = (left - deep, top - deep, right - left + 2 * deep, bottom - top + 2 * deep)
    grounds = _stadium_grounds((left, top, right - left, bottom - top), len(lanes) * LANE_WIDTH, deep)
    places: dict[str, tuple[Point, float]] = {}
    for across, lane in enumerate(lanes):
        for space in lane["spaces"]:
            start, end = space["start_units"], space["end_units"]
            outline = [*oval.edge(start, end, across), *reversed(oval.edge(start, end, across + 1))]
            grounds.append((RUT, [outline]))
            grounds.append((LIMIT if space.get("limit") else SAND, [_shrink(outline)]))
            middle = (start + end) / 2
            behind, ahead = (oval.point(middle + step, across + 0.5) for step in (-1, 1))
            heading = degrees(atan2(ahead[1] - behind[1], ahead[0] - behind[0]))
            places[space["name"]] = oval.point(middle, across + 0.5), heading
    line = [oval.point(0, across) for across in (0, len(lanes))]
    grounds.append((INK, [[(line[0][0] - 4, line[0][1]), (line[1][0] - 4, line[1][1]), (line[1][0] + 4, line[1][1]),
                           (line[0][0] + 4, line[0][1])]]))  # fmt: skip
    coloured = [chariot for chariot in view["chariots"] if chariot.get("colour")]
    chariots = [
        Placed(faction=each["colour"], at=places[each["space"]][0], heading=places[each["space"]][1],
               scale=CHARIOT_RACE_SCALE)
        for each in coloured if each.get("space")
    ]  # fmt: skip
    factions: dict[int, list[str]] = {}
    for each in coloured:
        factions.setdefault(each["seat"], []).append(each["colour"])
    return box, grounds, chariots, factions


class _Oval:
    """Units of a lap as points: straights and half circles, with lanes side by side from the inside."""

    def __init__(self, track: Mapping[str, Any]) -> None:
        self._lap = track["lap_units"]
        self._pieces: list[tuple[Mapping[str, Any], tuple[float, float, float]]] = []
        place = (0.0, 0.0, 0.0)
        for stretch in track["stretches"]:
            self._pieces.append((stretch, place))
            place = _go_on(place, stretch, stretch["end_units"])

    def point(self, units: float, across: float) -> Point:
        at = units % self._lap
        stretch, start = next(piece for piece in self._pieces if at < piece[0]["end_units"])
        x, y, heading = _go_on(start, stretch, at)
        return x - sin(heading) * across * LANE_WIDTH, y + cos(heading) * across * LANE_WIDTH

    def edge(self, start: float, end: float, across: float) -> list[Point]:
        steps = max(1, ceil((end - start) / ARC_UNITS))
        return [self.point(start + (end - start) * step / steps, across) for step in range(steps + 1)]


def _go_on(place: tuple[float, float, float], stretch: Mapping[str, Any], units: float) -> tuple[float, float, float]:
    x, y, heading = place
    length = units - stretch["start_units"]
    if stretch["kind"] == "straight":
        return x + cos(heading) * length * UNIT_LENGTH, y + sin(heading) * length * UNIT_LENGTH, heading
    turned = heading - pi * length / (stretch["end_units"] - stretch["start_units"])
    middle = x + sin(heading) * INSIDE_RADIUS, y - cos(heading) * INSIDE_RADIUS
    return middle[0] - sin(turned) * INSIDE_RADIUS, middle[1] + cos(turned) * INSIDE_RADIUS, turned


def _build_chariotmaster(view: Mapping[str, Any]) -> Built:
    course = view["course"]
    outer, inner = (_wall(course, share) for share in (1.0, 0.0))
    xs, ys = [x for x, _ in outer], [y for _, y in outer]
    deep = TABLE_STANDS
    box = (min(xs) - deep, min(ys) - deep, max(xs) - min(xs) + 2 * deep, max(ys) - min(ys) + 2 * deep)
    grounds: Grounds = [(STANDS, [_widen(outer, deep)]), (SAND, [outer]), (STONE, [inner])]
    # Only the spina between two turns has room for monuments.
    if sum(piece["kind"] != "straight" for piece in course["pieces"]) == TURNS_AROUND_SPINA:
        wall = [min(x for x, _ in inner), min(y for _, y in inner)]
        size = max(x for x, _ in inner) - wall[0], max(y for _, y in inner) - wall[1]
        grounds += _monuments((wall[0] + size[1], wall[1] + size[1] / 5, size[0] - 2 * size[1], size[1] * 0.6))
    one, other = (_to_mm(point) for point in course["finish_line"])
    grounds.append((INK, [[(one[0] - 2, one[1]), (other[0] - 2, other[1]), (other[0] + 2, other[1]),
                           (one[0] + 2, one[1])]]))  # fmt: skip
    grounds += [(OUTER, [_turn(item)]) for item in course["objects"]]
    seats = {chariot["chariot"]: chariot["seat"] for chariot in view["chariots"]}
    chariots = [
        Placed(
            faction=_by_seat(seats[piece["chariot"]]),
            at=_to_mm(piece["pose"]),
            heading=-piece["pose"]["heading"],
            scale=TABLE_SCALE,
        )
        for piece in view["pieces"]
        if piece["piece"] < ON_FOOT_FROM
    ]
    return box, grounds, chariots, {seat: (_by_seat(seat),) for seat in seats.values()}


def _wall(course: Mapping[str, Any], share: float) -> Outline:
    """Return the closed way along the track that is so far across, from the inner wall to the outer one."""
    points: list[Point] = []
    for piece in course["pieces"]:
        inner, outer = (_to_mm(piece["starts"][wall]) for wall in ("inner_wall", "outer_wall"))
        x, y = (one + (other - one) * share for one, other in zip(inner, outer, strict=True))
        points.append((x, y))
        if piece["kind"] == "straight":
            continue
        side = 1 if piece["turn"] == "left" else -1
        middle, heading = _to_mm(piece["starts"]["middle"]), -radians(piece["starts"]["heading"])
        radius = piece["radius_um"] / UM_PER_MM
        centre = middle[0] + side * radius * sin(heading), middle[1] - side * radius * cos(heading)
        for step in range(1, ARC_STEPS):
            turned = -side * radians(piece["degrees"]) * step / ARC_STEPS
            dx, dy = x - centre[0], y - centre[1]
            points.append(
                (centre[0] + dx * cos(turned) - dy * sin(turned), centre[1] + dx * sin(turned) + dy * cos(turned))
            )
    return points


def _turn(item: Mapping[str, Any]) -> Outline:
    """Return the corners of an obstacle in its pose."""
    x, y = _to_mm(item["pose"])
    turned = -radians(item["pose"]["heading"])
    ahead, aside = item["length_um"] / UM_PER_MM / 2, item["width_um"] / UM_PER_MM / 2
    corners = ((ahead, aside), (-ahead, aside), (-ahead, -aside), (ahead, -aside))
    return [
        (x + along * cos(turned) - across * sin(turned), y + along * sin(turned) + across * cos(turned))
        for along, across in corners
    ]


def _to_mm(point: Mapping[str, Any]) -> Point:
    """Turn the table over: its y axis points up."""
    return point["x_um"] / UM_PER_MM, -point["y_um"] / UM_PER_MM


def _stadium_grounds(box: tuple[float, float, float, float], width: float, deep: float) -> Grounds:
    left, top, wide, high = box
    infield = (left + width, top + width, wide - 2 * width, high - 2 * width)
    length, thick = infield[2] * 0.62, infield[3] * 0.3
    spina = (left + wide / 2 - length / 2, top + high / 2 - thick / 2, length, thick)
    water = (spina[0] + thick * 0.9, spina[1] + thick * 0.28, length - thick * 1.8, thick * 0.44)
    outer = (left - deep, top - deep, wide + 2 * deep, high + 2 * deep)
    return [
        (STANDS, [_stadium(outer)]),
        (SAND, [_stadium(box)]),
        (INFIELD, [_stadium(infield)]),
        (STONE, [_stadium(spina)]),
        (WATER, [_stadium(water)]),
        *_monuments(spina),
    ]


def _monuments(spina: tuple[float, float, float, float]) -> Grounds:
    """Return the obelisk in the middle of a spina and the three cones at each of its ends."""
    left, top, length, thick = spina
    x, y, half, radius = left + length / 2, top + thick / 2, thick * 0.3, thick * 0.2
    obelisk = (BRICK, [[(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]])
    cones = [
        (GOLD, [round_outline((end + side * (thick * 0.35 + across * radius), y + down * radius), radius)])
        for end, side in ((left, -1), (left + length, 1))
        for across, down in ((0, -1.15), (1.5, 0), (0, 1.15))
    ]
    return [obelisk, *cones]


def _stadium(box: tuple[float, float, float, float]) -> Outline:
    """Return two straights and two half circles in a box."""
    left, top, width, height = box
    radius = height / 2
    steps = [pi * step / ARC_STEPS for step in range(ARC_STEPS + 1)]
    right = [(left + width - radius + radius * sin(step), top + radius - radius * cos(step)) for step in steps]
    return [*right, *((left + radius - radius * sin(step), top + radius + radius * cos(step)) for step in steps)]


def _shrink(outline: Sequence[Sequence[float]]) -> Outline:
    """Leave an edge of the ground around a space."""
    x, y = (sum(point[axis] for point in outline) / len(outline) for axis in (0, 1))
    return [(px + (x - px) * 0.04, py + (y - py) * 0.04) for px, py in outline]


def _widen(outline: Outline, deep: float) -> Outline:
    """Push the corners of a wall outwards from its middle."""
    x = (min(px for px, _ in outline) + max(px for px, _ in outline)) / 2
    y = (min(py for _, py in outline) + max(py for _, py in outline)) / 2
    half = max(px for px, _ in outline) - x, max(py for _, py in outline) - y
    return [(x + (px - x) * (1 + deep / half[0]), y + (py - y) * (1 + deep / half[1])) for px, py in outline]


def _by_seat(seat: int) -> str:
    return BY_SEAT[seat % len(BY_SEAT)]


BUILDERS: Mapping[str, Callable[[Mapping[str, Any]], Built]] = {
    "charioteer": _build_charioteer,
    "chariot-race": _build_chariot_race,
    "chariotmaster": _build_chariotmaster,
}
