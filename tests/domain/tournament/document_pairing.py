"""The pairing of a round once more, straight from docs/proof.md section 14: slow, and nothing of the project in it."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

Table = tuple[int, ...]
Cost = tuple[int, int]


class GivenUp(Exception):
    """The search for a draw without meetings has had its steps."""


class DocumentPairing:
    """`points` are those of the places in order, `meetings` of pairs of places, the lower first."""

    def __init__(self, points: Sequence[int], meetings: Mapping[tuple[int, int], int]) -> None:
        self.points = points
        self.meetings = meetings
        self.steps = 0

    def draw(self, sizes: Sequence[int]) -> list[Table]:
        """Take the four steps."""
        starts = [sum(sizes[:number]) for number in range(len(sizes))]
        tables = [tuple(range(start, start + size)) for start, size in zip(starts, sizes, strict=True)]
        if not self.cost(*tables)[0]:
            return tables
        if len(self.points) <= 12:
            every = self.list_all(tuple(range(len(self.points))), list(sizes))
            return min([tables, *every], key=lambda each: self.cost(*each))
        for _ in range(20_000):
            found = self.exchange(tables)
            if found is None:
                break
            tables = found
        if self.cost(*tables)[0] and len(self.points) <= 128:
            return self.find_strangers(list(sizes)) or tables
        return tables

    def cost(self, *tables: Table) -> Cost:
        pairs = [tuple(sorted(pair)) for table in tables for pair in combinations(table, 2)]
        points = [[self.points[entrant] for entrant in table] for table in tables]
        return sum(self.meetings.get((one, other), 0) for one, other in pairs), sum(
            (max(point) - min(point)) ** 2 for point in points
        )

    def list_all(self, left: Table, sizes: list[int]) -> Iterator[list[Table]]:
        if not left:
            yield []
            return
        for size in sorted(set(sizes), reverse=True):
            rest = sizes.copy()
            rest.remove(size)
            for others in combinations(left[1:], size - 1):
                for further in self.list_all(tuple(each for each in left[1:] if each not in others), rest):
                    yield [(left[0], *others), *further]

    def exchange(self, tables: list[Table]) -> list[Table] | None:
        for one in [number for number, table in enumerate(tables) if self.cost(table)[0]]:
            for other in sorted(set(range(len(tables))) - {one}, key=lambda index: (abs(index - one), index)):
                swaps = list_swaps(tables[one], tables[other])
                best = min(swaps, key=lambda swap: self.cost(*swap))
                if self.cost(*best) < self.cost(tables[one], tables[other]):
                    tables = tables.copy()
                    tables[one], tables[other] = best
                    return tables
        return None

    def find_strangers(self, sizes: list[int]) -> list[Table] | None:
        try:
            return self.fill(list(range(1, len(self.points))), [], (0,), sizes)
        except GivenUp:
            return None

    def fill(self, left: list[int], done: list[Table], table: Table, sizes: list[int]) -> list[Table] | None:
        if len(table) == sizes[len(done)]:
            done = [*done, table]
            return self.fill(left[1:], done, (left[0],), sizes) if left else done
        for entrant in left:
            self.steps += 1
            if self.cost((*table, entrant))[0]:
                continue
            if self.steps > 400_000:
                raise GivenUp
            found = self.fill([other for other in left if other != entrant], done, (*table, entrant), sizes)
            if found is not None:
                return found
        return None


def list_swaps(one: Table, other: Table) -> list[tuple[Table, Table]]:
    return [
        ((*one[:given], other[taken], *one[given + 1 :]), (*other[:taken], one[given], *other[taken + 1 :]))
        for given in range(len(one))
        for taken in range(len(other))
    ]
