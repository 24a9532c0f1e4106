"""CM-140: a course as data: its pieces, its walls, its obstacles, from the finish line on.

Lengths and places are whole millimetres of the table: x along the first piece, y to its left, the line at (0, 0).
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.rulesets.chariotmaster.table.course import LENGTH_MM_MAX, PIECES_MAX, Piece
from domain.rulesets.chariotmaster.table.sines import FULL_TURN

# More would fill a circus.
OBSTACLES_MAX = 24
# Six chariots start side by side on 155 mm; on more than half a metre no chariot meets another.
WIDTH_MM_MAX = 600
PLAN_LAPS_MAX = 10

Title = Annotated[
    str,
    Meta(
        pattern="^[A-Za-z0-9][A-Za-z0-9 _'-]{0,39}$",
        description="1 to 40 letters, digits, spaces, apostrophes, hyphens and underscores; a letter or digit first",
    ),
]
SideMm = Annotated[int, Meta(ge=4, le=200)]
PlaceMm = Annotated[int, Meta(ge=-LENGTH_MM_MAX, le=LENGTH_MM_MAX)]
Dice = Annotated[int, Meta(ge=0, le=6)]


class ObstaclePlan(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """CM-141: an object on the track that never moves: its middle, and its size along and across its heading.

    `height`: *low* is at most half as high as a horse. `dice` is its collision value. A piece that runs into it `loses`
    a point of this kind, beside all that the dice do.
    """

    x_mm: PlaceMm
    y_mm: PlaceMm
    heading: Annotated[int, Meta(ge=0, lt=FULL_TURN)] = 0
    length_mm: SideMm
    width_mm: SideMm
    height: Literal["low", "high"]
    dice: Dice
    loses: Literal["nothing", "stamina", "structure", "health", "skill"] = "nothing"


class CoursePlan(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A closed course from the finish line. `laps` and `wall_dice` are those of the box where they are null."""

    name: Title
    width_mm: Annotated[int, Meta(ge=1, le=WIDTH_MM_MAX)]
    grid_gap_mm: Annotated[int, Meta(ge=1, le=50)] = 5
    laps: Annotated[int, Meta(ge=1, le=PLAN_LAPS_MAX)] | None = None
    wall_dice: Dice | None = None
    pieces: Annotated[tuple[Piece, ...], Meta(min_length=1, max_length=PIECES_MAX)]
    obstacles: Annotated[tuple[ObstaclePlan, ...], Meta(max_length=OBSTACLES_MAX)] = ()
