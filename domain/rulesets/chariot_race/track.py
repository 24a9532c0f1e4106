"""The track as whole numbers: where each space ends, and which lie aside of it or near it. No floats.

A place is a lane and a step: steps count on over the laps, step 0 is the first space after the line, and the grid has
negative ones. A space is a step without its lap, numbered through all lanes from the inside.
"""

from functools import lru_cache
from typing import Literal

from msgspec import Struct

from domain.rulesets.chariot_race.components import LANE_NAMES, Components, Heap
from domain.rulesets.chariot_race.options import Side

# "outer-7" is the seventh space after the line in the outer lane.
SpaceName = str
# The letter by which a path names the lane of a space that is entered.
LANE_LETTERS = "".join(name[0] for name in LANE_NAMES)


class Stretch(Struct, frozen=True, kw_only=True):
    """A part of the lap as it would be drawn: from one unit to another, straight or bent by half a circle."""

    kind: Literal["straight", "corner"]
    start_units: int
    end_units: int


class Aside(Struct, frozen=True):
    """Where a lane change leads: the lane, and the step counted from the first step of the same lap."""

    lane: int
    step: int


class Track(Struct, frozen=True, kw_only=True):
    """Tables by lane and index in the lap (`fronts`, `aside`), and by space (all others)."""

    lap_units: int
    stretches: tuple[Stretch, ...]
    sizes: tuple[int, ...]
    bases: tuple[int, ...]
    fronts: tuple[tuple[int, ...], ...]
    aside: tuple[tuple[tuple[Aside, ...], ...], ...]
    names: tuple[SpaceName, ...]
    limits: tuple[int, ...]  # 0 where a space is not numbered
    heaps: tuple[bool, ...]
    marked: tuple[int, ...]  # the spaces with a number or a heap
    neighbours: tuple[tuple[int, ...], ...]
    spaces: dict[SpaceName, int]

    def space(self, *, lane: int, step: int) -> int:
        return self.bases[lane] + step % self.sizes[lane]

    def front(self, *, lane: int, step: int) -> int:
        """Measure the progress of a place: its front border in units from the line at the start."""
        lap, index = divmod(step, self.sizes[lane])
        return lap * self.lap_units + self.fronts[lane][index]

    def step(self, space: int, *, front: int) -> int:
        """Find the step of a space whose front border stands at this progress."""
        lane = self.lane(space)
        lap = (front - self.fronts[lane][space - self.bases[lane]]) // self.lap_units
        return lap * self.sizes[lane] + space - self.bases[lane]

    def lane(self, space: int) -> int:
        return sum(space >= base for base in self.bases) - 1

    def laps(self, front: int) -> int:
        """Count the laps behind a chariot that stands at this progress; on the line is not beyond it."""
        return max(0, (front - 1) // self.lap_units)

    def distances(self, space: int, *, farthest: int) -> dict[int, int]:
        """Find every space up to so many steps away in any direction, nearest first."""
        found = {space: 0}
        edge = [space]
        for distance in range(1, farthest + 1):
            edge = [near for here in edge for near in self.neighbours[here] if near not in found]
            found |= dict.fromkeys(edge, distance)
        del found[space]
        return found


def build_track(components: Components, *, first: Side, second: Side) -> Track:
    """Put two halves together; the straights are the same on both sides, side B has stone heaps."""
    lengths = tuple(_lengths(components, lane) for lane in range(len(LANE_NAMES)))
    fronts = tuple(_sums(row) for row in lengths)
    sizes = tuple(len(row) for row in lengths)
    bases = tuple(sum(sizes[:lane]) for lane in range(len(sizes)))
    names = tuple(f"{name}-{index + 1}" for name, size in zip(LANE_NAMES, sizes, strict=True) for index in range(size))
    heaps = _heaps(components, components.heaps.first, half=0) if first == "B" else ()
    heaps += _heaps(components, components.heaps.second, half=1) if second == "B" else ()
    numbered = _numbered(components)
    return Track(
        lap_units=fronts[0][-1],
        stretches=_stretches(components),
        sizes=sizes,
        bases=bases,
        fronts=fronts,
        aside=tuple(tuple(_aside(fronts, lane, front) for front in fronts[lane]) for lane in range(len(fronts))),
        names=names,
        limits=tuple(numbered.get(name, 0) for name in names),
        heaps=tuple(name in heaps for name in names),
        marked=tuple(space for space, name in enumerate(names) if name in numbered or name in heaps),
        neighbours=_neighbours(fronts, lengths),
        spaces={name: space for space, name in enumerate(names)},
    )


def _lengths(components: Components, lane: int) -> tuple[int, ...]:
    straight = (components.straight.space_units,) * components.straight.spaces
    part = components.lanes[lane]
    corner = (part.corner_space_units,) * part.corner_spaces
    return (*straight, *corner, *straight) * 2


def _sums(lengths: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sum(lengths[: index + 1]) for index in range(len(lengths)))


def _stretches(components: Components) -> tuple[Stretch, ...]:
    straight = components.straight.spaces * components.straight.space_units
    corner = components.lanes[0].corner_spaces * components.lanes[0].corner_space_units
    found: list[Stretch] = []
    end = 0
    for kind, units in (("straight", straight), ("corner", corner), ("straight", straight)) * 2:
        found.append(Stretch(kind="corner" if kind == "corner" else "straight", start_units=end, end_units=end + units))
        end += units
    return tuple(found)


def _numbered(components: Components) -> dict[SpaceName, int]:
    straight = components.straight.spaces
    found: dict[SpaceName, int] = {}
    for lane in components.lanes:
        half = 2 * straight + lane.corner_spaces
        for place in components.corner.numbered:
            for start in (0, half):
                found[f"{lane.name}-{start + straight + place}"] = lane.corner_limit
    return found


def _heaps(components: Components, heaps: tuple[Heap, ...], *, half: int) -> tuple[SpaceName, ...]:
    straight = components.straight.spaces
    found: list[SpaceName] = []
    for heap in heaps:
        corner = components.lanes[LANE_NAMES.index(heap.lane)].corner_spaces
        start = half * (2 * straight + corner) + (straight + corner) * (heap.straight == "after_corner")
        found.append(f"{heap.lane}-{start + heap.space}")
    return tuple(found)


def _aside(fronts: tuple[tuple[int, ...], ...], lane: int, front: int) -> tuple[Aside, ...]:
    # CR-29: the first space of the adjacent lane whose front border is strictly ahead, in the next lap if need be.
    return tuple(
        Aside(other, sum(end <= front for end in fronts[other]))
        for other in (lane - 1, lane + 1)
        if 0 <= other < len(fronts)
    )


# The four tracks of a box differ in their heaps alone.
@lru_cache(maxsize=8)
def _neighbours(
    fronts: tuple[tuple[int, ...], ...], lengths: tuple[tuple[int, ...], ...]
) -> tuple[tuple[int, ...], ...]:
    places = [(lane, index) for lane, row in enumerate(fronts) for index in range(len(row))]
    return tuple(
        tuple(
            space
            for space, there in enumerate(places)
            if there != here and _are_near(fronts, lengths, here=here, there=there)
        )
        for here in places
    )


def _are_near(
    fronts: tuple[tuple[int, ...], ...],
    lengths: tuple[tuple[int, ...], ...],
    *,
    here: tuple[int, int],
    there: tuple[int, int],
) -> bool:
    # RO-18: the next and the previous space of the lane, and in an adjacent lane each that overlaps or touches.
    if abs(here[0] - there[0]) > 1:
        return False
    lap = fronts[0][-1]
    ahead = (fronts[there[0]][there[1]] - fronts[here[0]][here[1]]) % lap
    return ahead <= lengths[there[0]][there[1]] or lap - ahead <= lengths[here[0]][here[1]]
