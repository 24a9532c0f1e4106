"""Ways of seating a sorted field at tables of given sizes, by places in the order of scores and lots.

Fewest repeated meetings first, then tables of equal score. Each way is a function of the field: the first of the best.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from operator import itemgetter

from domain.tournament.contender import Contender, Meetings, pair_of

# Up to so many, every way of seating them is looked at: 15,400 for four tables of three, some tenths of a second.
WHOLE_SEARCH_MAX = 12
# Each exchange lowers the penalty, so this ends by itself; the bound is for a field in which it takes absurdly long.
EXCHANGES_MAX = 20_000
# Looking for a round without any repeat stops after so many entrants were tried, in less than a second; a larger field
# needs a deeper stack, and exchanges find such a round there.
STRANGER_STEPS_MAX = 400_000
STRANGERS_MAX = 128

# Places in the sorted field.
Table = tuple[int, ...]
# The penalty of a table, worst first: that of its pairs, then the square of the spread of points. Tables add up.
Cost = tuple[int, int]
# Two tables by their numbers, and the new seating of each.
Swap = tuple[tuple[int, Table], tuple[int, Table]]


class Seatings:
    """The measures of seatings: points, and the penalties of pairs, by places in the sorted field.

    `apart` weighs each pair that should not sit at one table, `together` each that should.
    """

    def __init__(self, playing: Sequence[Contender], apart: Meetings, together: Meetings) -> None:
        self._points = [contender.points for contender in playing]
        # Meetings alone fit bytes, which the draw of a large field is faster with.
        is_small = max(apart.values(), default=0) < 256  # noqa: PLR2004  as many as a byte can distinguish
        self._met: list[bytearray | list[int]]
        self._met = [bytearray(len(playing)) if is_small else [0] * len(playing) for _ in playing]
        places = {contender.entrant: place for place, contender in enumerate(playing)}
        for (one, other), weight in apart.items():
            if one in places and other in places:
                self._met[places[one]][places[other]] = self._met[places[other]][places[one]] = weight
        # By place, the places of those who should sit with it.
        self._partners: dict[int, dict[int, int]] = {}
        for (one, other), weight in together.items():
            if one in places and other in places:
                self._partners.setdefault(places[one], {})[places[other]] = weight
                self._partners.setdefault(places[other], {})[places[one]] = weight
        self._costs: dict[Table, Cost] = {}

    def seat(self, sizes: Sequence[int]) -> tuple[Table, ...]:
        """Seat neighbours together where that repeats no meeting, else search for the fewest repeats."""
        tables = _cut(sizes)
        if not any(self._cost(table)[0] for table in tables):
            return tables
        if len(self._points) <= WHOLE_SEARCH_MAX:
            return self._search_whole(tables)
        tables = self._exchange(tables)
        if any(self._cost(table)[0] for table in tables) and len(self._points) <= STRANGERS_MAX and not self._partners:
            return self._find_strangers(sizes) or tables
        return tables

    def _cost(self, table: Table) -> Cost:
        known = self._costs.get(table)
        if known is None:
            points = [self._points[entrant] for entrant in table]
            repeats = sum(self._met[one][other] for one, other in combinations(table, 2))
            known = self._costs[table] = repeats + self._split(table), (max(points) - min(points)) ** 2
        return known

    def _split(self, table: Table) -> int:
        """Weigh the pairs that should sit together and of whom just one sits here."""
        partners = self._partners
        return sum(
            weight
            for entrant in table
            if entrant in partners
            for other, weight in partners[entrant].items()
            if other not in table
        )

    def _weigh(self, entrant: int, table: Table) -> int:
        """Weigh the partners of one who sit at a table."""
        partners = self._partners.get(entrant)
        return sum(partners.get(other, 0) for other in table) if partners else 0

    def _search_whole(self, tables: tuple[Table, ...]) -> tuple[Table, ...]:
        """Return the first of the best seatings of all, in the order of scores and lots."""
        best: list[tuple[Cost, tuple[Table, ...]]] = [(_add(*map(self._cost, tables)), tables)]

        def seat(left: Table, sizes: tuple[int, ...], chosen: tuple[Table, ...], so_far: Cost) -> None:
            """Seat the first who is left at a table of each size that is left, with all that fit there."""
            if so_far >= best[0][0]:
                return
            if not left:
                best[0] = so_far, chosen
                return
            first, rest = left[0], left[1:]
            for size in sorted(set(sizes), reverse=True):
                place = sizes.index(size)
                for others in combinations(rest, size - 1):
                    table = (first, *others)
                    unseated = tuple(entrant for entrant in rest if entrant not in others)
                    further = _add(so_far, self._cost(table))
                    seat(unseated, sizes[:place] + sizes[place + 1 :], (*chosen, table), further)

        seat(tuple(range(len(self._points))), tuple(map(len, tables)), (), (0, 0))
        return best[0][1]

    def _exchange(self, tables: tuple[Table, ...]) -> tuple[Table, ...]:
        """Let tables with repeats exchange entrants with others, the nearest first, while that lowers the penalty."""
        now = list(tables)
        # After how many exchanges a table was last changed, and two tables were last seen to gain nothing.
        changed = [0] * len(now)
        fruitless: dict[tuple[int, int], int] = {}

        def find(exchanges: int) -> Swap | None:
            for one in (number for number, table in enumerate(now) if self._cost(table)[0]):
                for other in _nearest(one, len(now)):
                    pair = pair_of(one, other)
                    if fruitless.get(pair, -1) >= max(changed[one], changed[other]):
                        continue
                    found = self._best_swap(now[one], now[other])
                    if found is not None:
                        return (one, found[0]), (other, found[1])
                    fruitless[pair] = exchanges
            return None

        for exchanges in range(EXCHANGES_MAX):
            found = find(exchanges)
            if found is None:
                break
            for number, table in found:
                now[number], changed[number] = table, exchanges + 1
        return tuple(now)

    def _best_swap(self, one: Table, other: Table) -> tuple[Table, Table] | None:
        """Return the two tables after the exchange of two entrants that lowers their cost the most, if any does."""
        met = self._met
        before = best = _add(self._cost(one), self._cost(other))
        swap: tuple[int, int] | None = None
        at_one, at_other = itemgetter(*one), itemgetter(*other)
        # By how much repeats change where one entrant goes to the other table, before it is known who comes for it.
        leaving = [sum(at_other(met[entrant])) - sum(at_one(met[entrant])) for entrant in one]
        coming = [sum(at_one(met[entrant])) - sum(at_other(met[entrant])) for entrant in other]
        if self._partners:
            leaving = [
                weight + 2 * (self._weigh(entrant, one) - self._weigh(entrant, other))
                for weight, entrant in zip(leaving, one, strict=True)
            ]
            coming = [
                weight + 2 * (self._weigh(entrant, other) - self._weigh(entrant, one))
                for weight, entrant in zip(coming, other, strict=True)
            ]
        for given, leaver in enumerate(one):
            for taken, comer in enumerate(other):
                repeats = before[0] + leaving[given] + coming[taken] - 2 * met[leaver][comer]
                if self._partners:
                    # Two who part or come together change the cost of both tables.
                    repeats += 4 * self._partners.get(leaver, {}).get(comer, 0)
                if repeats > best[0]:
                    continue
                cost = repeats, self._spread(one, given, comer) + self._spread(other, taken, leaver)
                if cost < best:
                    best, swap = cost, (given, taken)
        if swap is None:
            return None
        given, taken = swap
        return _replaced(one, given, other[taken]), _replaced(other, taken, one[given])

    def _spread(self, table: Table, place: int, comer: int) -> int:
        points = [self._points[each] for each in _replaced(table, place, comer)]
        return (max(points) - min(points)) ** 2

    def _find_strangers(self, sizes: Sequence[int]) -> tuple[Table, ...] | None:
        """Return a seating in which no pair has a penalty, the first in the order of scores and lots, or None.

        Sets of places are the bits of a number; who is passed over counts as tried.
        """
        known = [sum(1 << other for other, times in enumerate(row) if times) for row in self._met]
        steps = 0

        def seat(left: int, table: Table, strangers: int, number: int) -> tuple[Table, ...] | None:
            """Fill a table with those `left` who are strangers to all at it, then the tables after it."""
            nonlocal steps
            if len(table) == sizes[number]:
                if not left:
                    return (table,)
                first = _lowest(left)
                further = seat(left & ~(1 << first), (first,), ~known[first], number + 1)
                return None if further is None else (table, *further)
            tried, open_ = 0, left & strangers
            while open_:
                each = _lowest(open_)
                open_ &= open_ - 1
                passed = (left & ((2 << each) - 1)).bit_count()
                steps, tried = steps + passed - tried, passed
                if steps > STRANGER_STEPS_MAX:
                    return None
                found = seat(left & ~(1 << each), (*table, each), strangers & ~known[each], number)
                if found is not None:
                    return found
            steps += left.bit_count() - tried
            return None

        everybody = (1 << len(known)) - 1
        return seat(everybody & ~1, (0,), ~known[0], 0)


def _cut(sizes: Sequence[int]) -> tuple[Table, ...]:
    tables, start = [], 0
    for size in sizes:
        tables.append(tuple(range(start, start + size)))
        start += size
    return tuple(tables)


def _nearest(place: int, count: int) -> Iterator[int]:
    for distance in range(1, count):
        for other in (place - distance, place + distance):
            if 0 <= other < count:
                yield other


def _replaced(table: Table, place: int, comer: int) -> Table:
    return (*table[:place], comer, *table[place + 1 :])


def _lowest(places: int) -> int:
    return (places & -places).bit_length() - 1


def _add(*costs: Cost) -> Cost:
    return sum(repeats for repeats, _ in costs), sum(spread for _, spread in costs)
