"""A moment of a race as a picture for the cards of links: its board from above, and the drivers in their order.

It has no letters, so that it needs no font: names and places stand in the text of the card. Colours and shapes are
those of the pages by day (services/web/page.css, board.css, board/chariot.js).
"""

from collections.abc import Mapping, Sequence
from math import cos, radians, sin

from msgspec import Struct

from services.web.link_picture.canvas import Canvas, Outline, Point, round_outline

# Twice the size that hosts show.
WIDTH, HEIGHT = 2400, 1260
# The row of drivers below the board.
ROW_HEIGHT = 190
GAP = 30
RADIUS = 62
# A card is a few hundred pixels wide: chariots are larger than their spaces.
LARGER = 1.4
GROUND, PANEL, INK = "faf6ee", "ffffff", "221c14"
FACTIONS = {
    "red": "b3261e",
    "blue": "1f54a8",
    "green": "22703a",
    "white": "f7f4ee",
    "yellow": "f0c530",
    "purple": "6b2f8f",
}
BY_SEAT = tuple(FACTIONS)
SAND, OUTER, START, LIMIT, RUT = "e4c48f", "c99a5b", "c9d8b4", "dd9a62", "c9a56a"
STANDS, STONE, STONE_EDGE, WATER = "8d7f68", "cfc4ae", "8b7d63", "7fabb5"
COAT, OTHER_COAT, POLE = "5d3a20", "8a5a33", "3b2817"
INFIELD, GOLD, BRICK = "d9cfa9", "d9a520", "b4512f"
PALETTE = (
    GROUND, PANEL, INK, *FACTIONS.values(), SAND, OUTER, START, LIMIT, RUT, STANDS, STONE, STONE_EDGE, WATER,
    COAT, OTHER_COAT, POLE, INFIELD, GOLD, BRICK,
)  # fmt: skip
# In a circle of radius 10, as lines: chevron, bars, cross, ring, peak and saltire.
MARKS: Mapping[str, tuple[Outline, ...]] = {
    "red": (((-6, 3.5), (0, -3.5), (6, 3.5)),),
    "blue": (((-5.5, -3), (5.5, -3)), ((-5.5, 3), (5.5, 3))),
    "green": (((0, -6), (0, 6)), ((-6, 0), (6, 0))),
    "white": ((*round_outline((0, 0), 5), (5, 0)),),
    "yellow": (((0, -5.5), (5.5, 4), (-5.5, 4), (0, -5.5)),),
    "purple": (((-4.5, -4.5), (4.5, 4.5)), ((4.5, -4.5), (-4.5, 4.5))),
}
DARK_INK = {"yellow", "white"}
HORSES = (-12.75, -4.25, 4.25, 12.75)
CAR: Outline = ((-24, -11), (-12, -11), (-4, -8), (-1, 0), (-4, 8), (-12, 11), (-24, 11))
# Digits in a box of 4 by 8.
DIGITS: tuple[Outline, ...] = (
    ((0, 0), (4, 0), (4, 8), (0, 8), (0, 0)),
    ((0.5, 1.5), (2.5, 0), (2.5, 8)),
    ((0, 1.5), (1, 0), (3, 0), (4, 1.5), (4, 3), (0, 8), (4, 8)),
    ((0, 0), (4, 0), (1.8, 3.2), (3.4, 3.8), (4, 5), (4, 6.5), (3, 8), (1, 8), (0, 7)),
    ((3, 8), (3, 0), (0, 5.5), (4, 5.5)),
    ((4, 0), (0.5, 0), (0.2, 3.5), (2.5, 3), (4, 4.5), (4, 6.5), (3, 8), (1, 8), (0, 7)),
    ((3.5, 0), (1.5, 1), (0, 4), (0, 6.5), (1, 8), (3, 8), (4, 6.5), (4, 5), (3, 3.8), (1, 3.8), (0, 5)),
)


class Placed(Struct, frozen=True, kw_only=True):
    """A chariot on its board; `heading` is in degrees, clockwise from the right, `scale` that of a team of 60 by 40."""

    faction: str
    at: Point
    heading: float
    scale: float


class Scene(Struct, frozen=True, kw_only=True):
    """A board in units of its own: `box` is left, top, width and height, `grounds` are filled one over the other."""

    box: tuple[float, float, float, float]
    grounds: Sequence[tuple[str, Sequence[Outline]]]
    chariots: Sequence[Placed]
    # The factions of each seat by their places, the first ones first.
    order: Sequence[tuple[int, Sequence[str]]]


def paint(scene: Scene) -> bytes:
    """Return the PNG of a scene."""
    canvas = Canvas(WIDTH, HEIGHT, PALETTE)
    left, top, width, height = scene.box
    room = HEIGHT - ROW_HEIGHT - GAP
    share = min((WIDTH - 2 * GAP) / width, room / height)
    aside, below = (WIDTH - width * share) / 2, GAP + (room - height * share) / 2

    def to_pixels(point: Point) -> Point:
        return aside + (point[0] - left) * share, below + (point[1] - top) * share

    for colour, outlines in scene.grounds:
        canvas.fill(colour, *([to_pixels(point) for point in outline] for outline in outlines))
    discs = [
        (chariot.faction, _paint_chariot(canvas, chariot, to_pixels(chariot.at), chariot.scale * share * LARGER))
        for chariot in scene.chariots
    ]
    # Where chariots are side by side, no horse covers a driver.
    for (faction, at), chariot in zip(discs, scene.chariots, strict=True):
        paint_disc(canvas, faction, at, 10 * chariot.scale * share * LARGER)
    _paint_order(canvas, scene.order)
    return canvas.encode()


def _paint_chariot(canvas: Canvas, chariot: Placed, at: Point, scale: float) -> Point:
    """Draw a team and its car, and return the place of the driver."""
    turned = radians(chariot.heading)

    def place(outline: Outline) -> Outline:
        return [
            (at[0] + scale * (x * cos(turned) - y * sin(turned)), at[1] + scale * (x * sin(turned) + y * cos(turned)))
            for x, y in outline
        ]

    canvas.stroke(POLE, place(((-6, 0), (14, 0))), 2 * scale)
    for number, across in enumerate(HORSES):
        coat = OTHER_COAT if number % 2 else COAT
        canvas.fill(coat, place(round_outline((12, across), 12, 3)))
        canvas.stroke(coat, place(((22, across), (30, across))), 3 * scale)
    canvas.stroke(INK, place(((-14, -14), (-14, 14))), 2 * scale)
    for side in (-15, 15):
        canvas.stroke(INK, place(((-20, side), (-8, side))), 4 * scale)
    canvas.fill(FACTIONS[chariot.faction], place(CAR))
    (driver,) = place(((-13, 0),))
    return driver


def paint_disc(canvas: Canvas, faction: str, at: Point, radius: float) -> None:
    """Draw the disc of a faction with its mark, upright."""
    size = radius / 10
    canvas.circle(INK, at, radius * 1.32)
    canvas.circle(PANEL, at, radius * 1.2)
    canvas.circle(FACTIONS[faction], at, radius)
    for line in MARKS[faction]:
        ink = INK if faction in DARK_INK else PANEL
        canvas.stroke(ink, [(at[0] + x * size, at[1] + y * size) for x, y in line], 2.8 * size)


def _paint_order(canvas: Canvas, order: Sequence[tuple[int, Sequence[str]]]) -> None:
    """Draw each place with its discs, in a row below the board."""
    middle = HEIGHT - ROW_HEIGHT / 2
    widths = [90 + len(factions) * RADIUS * 2.9 for _, factions in order]
    x = (WIDTH - sum(widths) - GAP * 2 * (len(order) - 1)) / 2
    for (place, factions), width in zip(order, widths, strict=True):
        for number, digit in enumerate(str(place)):
            figure = DIGITS[int(digit) % len(DIGITS)]
            canvas.stroke(INK, [(x + number * 45 + px * 9, middle - 36 + py * 9) for px, py in figure], 11)
        for number, faction in enumerate(factions):
            paint_disc(canvas, faction, (x + 90 + RADIUS * (1.4 + 2.9 * number), middle), RADIUS)
        x += width + GAP * 2
