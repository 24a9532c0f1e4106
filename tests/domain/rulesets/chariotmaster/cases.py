"""Repeatable random cases, the same on every version of Python, and the default bases they are made of."""

from domain.rulesets.chariotmaster.table.shapes import Pose, Shape, build_part, build_shape, polygons
from domain.rulesets.chariotmaster.table.travel import Obstacle
from tests.domain.rulesets.chariotmaster.slow_geometry import area_shared

CM = 10_000
MM = 1_000

HORSES = build_part("horses", length_um=2 * CM, width_um=2 * CM)
BODY = build_part("body", length_um=2 * CM, width_um=2 * CM)
CHARIOT = build_shape(HORSES, BODY)
TEAM = build_shape(HORSES)
WRECK = build_shape(build_part("wreck", length_um=2 * CM, width_um=2 * CM))
ON_FOOT = build_shape(build_part("driver", length_um=CM, width_um=CM))
DRAGGING = build_shape(HORSES, build_part("driver", length_um=CM, width_um=CM))
SHAPES = (CHARIOT, TEAM, WRECK, ON_FOOT, DRAGGING)


class Cases:
    """Numbers from a linear congruential generator (Knuth's MMIX constants); its high bits are good enough here."""

    def __init__(self, seed: int) -> None:
        self._state = seed

    def number(self, low: int, high: int) -> int:
        self._state = (self._state * 6364136223846793005 + 1442695040888963407) % 2**64
        return low + (self._state >> 24) % (high - low + 1)

    def shape(self) -> Shape:
        return SHAPES[self.number(0, len(SHAPES) - 1)]

    def pose(self, reach_um: int) -> Pose:
        x_um, y_um = self.number(-reach_um, reach_um), self.number(-reach_um, reach_um)
        return Pose(x_um=x_um, y_um=y_um, heading=self.number(0, 359))


def obstacles_of(number: int, shape: Shape, pose: Pose) -> tuple[Obstacle, ...]:
    return tuple(
        Obstacle(key=(number, place), heading=pose.heading, polygon=polygon)
        for place, polygon in enumerate(polygons(shape, pose))
    )


def crowd(cases: Cases, *, size: int, reach_um: int) -> list[tuple[Shape, Pose]]:
    """Set down bases at random, none on another."""
    stood: list[tuple[Shape, Pose]] = []
    while len(stood) < size:
        shape, pose = cases.shape(), cases.pose(reach_um)
        others = tuple(obstacle for number, base in enumerate(stood) for obstacle in obstacles_of(number, *base))
        if _is_clear(shape, pose, others):
            stood.append((shape, pose))
    return stood


def _is_clear(shape: Shape, pose: Pose, others: tuple[Obstacle, ...]) -> bool:
    return not any(
        area_shared(part.corners, other.polygon.corners) for part in polygons(shape, pose) for other in others
    )
