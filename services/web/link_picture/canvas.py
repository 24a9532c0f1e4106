"""A raster of few colours, filled by polygons, and its PNG: pictures of boards need no library of pictures.

Edges are not smoothed: a picture is drawn in twice the size in which the cards of links show it.
"""

import struct
import zlib
from collections.abc import Iterable, Sequence
from itertools import chain, pairwise
from math import ceil, cos, hypot, pi, sin

Point = tuple[float, float]
Outline = Sequence[Point]

SIGNATURE = b"\x89PNG\r\n\x1a\n"
# One byte a pixel, an index into the palette.
BIT_DEPTH, PALETTE_COLOURS = 8, 3
CORNERS_OF_CIRCLE = 24
FASTEST = 1


class Canvas:
    """`palette` are colours such as "b3261e"; the first one is the ground. Points are pixels from the upper left."""

    def __init__(self, width: int, height: int, palette: Sequence[str]) -> None:
        self.width = width
        self._indexes = {colour: index for index, colour in enumerate(palette)}
        self._rows = [bytearray(width) for _ in range(height)]

    def fill(self, colour: str, *outlines: Outline) -> None:
        """Fill between closed outlines; a point within two of them is outside."""
        crossings: dict[int, list[float]] = {}
        for outline in outlines:
            for (x, y), (to_x, to_y) in pairwise(chain(outline, outline[:1])):
                self._cross(crossings, (x, y), (to_x, to_y))
        index = self._indexes[colour]
        for at, found in crossings.items():
            row = self._rows[at]
            found.sort()
            for left, right in zip(found[::2], found[1::2], strict=True):
                start, end = max(0, ceil(left - 0.5)), min(self.width, ceil(right - 0.5))
                if start < end:
                    row[start:end] = bytes((index,)) * (end - start)

    def _cross(self, crossings: dict[int, list[float]], one: Point, other: Point) -> None:
        """Find where an edge crosses the middles of rows."""
        (x, y), (to_x, to_y) = (one, other) if one[1] < other[1] else (other, one)
        slope = (to_x - x) / (to_y - y) if to_y > y else 0.0
        for row in range(max(0, ceil(y - 0.5)), min(len(self._rows), ceil(to_y - 0.5))):
            crossings.setdefault(row, []).append(x + (row + 0.5 - y) * slope)

    def circle(self, colour: str, centre: Point, radius: float) -> None:
        self.fill(colour, round_outline(centre, radius))

    def stroke(self, colour: str, points: Iterable[Point], thickness: float) -> None:
        """Draw a line with round corners and ends."""
        for (x, y), (to_x, to_y) in pairwise(points):
            length = hypot(to_x - x, to_y - y)
            if length:
                across, along = (to_y - y) / length * thickness / 2, (to_x - x) / length * thickness / 2
                self.fill(
                    colour,
                    (
                        (x + across, y - along),
                        (to_x + across, to_y - along),
                        (to_x - across, to_y + along),
                        (x - across, y + along),
                    ),
                )
            self.circle(colour, (x, y), thickness / 2)
            self.circle(colour, (to_x, to_y), thickness / 2)

    def encode(self) -> bytes:
        """Return the PNG (ISO/IEC 15948); no row is filtered, as fields of one colour pack well as they are."""
        header = struct.pack(">IIBBBBB", self.width, len(self._rows), BIT_DEPTH, PALETTE_COLOURS, 0, 0, 0)
        palette = b"".join(bytes.fromhex(colour) for colour in self._indexes)
        pixels = zlib.compress(b"".join(b"\0" + row for row in self._rows), FASTEST)
        parts = ((b"IHDR", header), (b"PLTE", palette), (b"IDAT", pixels), (b"IEND", b""))
        return SIGNATURE + b"".join(
            struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
            for kind, body in parts
        )


def round_outline(centre: Point, radius: float, across: float | None = None) -> Outline:
    """Return an ellipse as corners; a circle without `across`, its other radius."""
    steps = [2 * pi * corner / CORNERS_OF_CIRCLE for corner in range(CORNERS_OF_CIRCLE)]
    other = radius if across is None else across
    return [(centre[0] + radius * cos(step), centre[1] + other * sin(step)) for step in steps]
