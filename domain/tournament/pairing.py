"""Who meets whom in a round: a function of scores, meetings and public lots, so that anyone can do it again.

Fewest repeated meetings first, then tables of equal score, then the order of lots. Small fields are searched whole; in
large ones tables that repeat a meeting exchange people with others, the nearest first, for as long as that helps.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from msgspec import Struct

from domain.tournament.contender import Contender, Meetings, by_score, count_repeats, pair_of
from domain.tournament.sizes import TableSizes, divide

# Up to so many, every way of seating them is looked at: 15,400 for four tables of three, some tenths of a second.
WHOLE_SEARCH_MAX = 12
# Each exchange lowers what is wrong, so this ends by itself; the bound is for a field in which it takes absurdly long.
EXCHANGES_MAX = 20_000

# Looking for a round without any repeat stops after so many tries, about a second; a deeper one needs a deeper stack.
STRANGER_STEPS_MAX = 400_000
STRANGERS_MAX = 128

Table = tuple[Contender, ...]
# What is wrong with a table, worst first; less is better, and tables add up.
Cost = tuple[int, int]


class Repeat(Struct, frozen=True, kw_only=True):
    """Two who meet again, and how often they have met before."""

    entrants: tuple[int, int]
    times: int


class PairedTable(Struct, frozen=True, kw_only=True):
    """Entrants in the order of their seats, and who meets again."""

    entrants: tuple[int, ...]
    repeats: tuple[Repeat, ...]


class Paired(Struct, frozen=True, kw_only=True):
    tables: tuple[PairedTable, ...]
    byes: tuple[int, ...]


def pair_round(field: Sequence[Contender], meetings: Meetings, sizes: TableSizes) -> Paired:
    """Pair a round by score."""
    division = divide(len(field), sizes)
    byes = choose_byes(field, division.byes)
    playing = sorted((each for each in field if each.entrant not in byes), key=by_score)
    tables = _cut(playing, division.tables)
    if any(count_repeats(table, meetings) for table in tables):
        cost = _costing(meetings)
        if len(playing) <= WHOLE_SEARCH_MAX:
            tables = _search_whole(tables, cost)
        else:
            tables = _exchange(tables, cost)
            if any(cost(table)[0] for table in tables):
                tables = _find_strangers(playing, division.tables, meetings) or tables
    return Paired(tables=tuple(_describe(table, meetings) for table in tables), byes=byes)


def choose_byes(field: Sequence[Contender], count: int) -> tuple[int, ...]:
    """Choose who sits out: whoever did so least often, then the lowest score, then the highest lot."""
    order = sorted(field, key=lambda each: (each.byes, each.points, -each.lot, each.entrant))
    return tuple(sorted(each.entrant for each in order[:count]))


def seat_table(table: Sequence[Contender]) -> Table:
    """Order a table: whoever sat late so far sits early now."""
    return tuple(sorted(table, key=lambda each: (-each.lateness, each.lot, each.entrant)))


def _cut(playing: Sequence[Contender], sizes: Sequence[int]) -> tuple[Table, ...]:
    tables, start = [], 0
    for size in sizes:
        tables.append(tuple(playing[start : start + size]))
        start += size
    return tuple(tables)


def _costing(meetings: Meetings) -> Callable[[Sequence[Contender]], Cost]:
    def cost(table: Sequence[Contender]) -> Cost:
        points = [each.points for each in table]
        return count_repeats(table, meetings), (max(points) - min(points)) ** 2

    return cost


def _search_whole(tables: tuple[Table, ...], cost: Callable[[Sequence[Contender]], Cost]) -> tuple[Table, ...]:
    """Return the first of the best ways of seating everybody, in the order of scores and lots."""
    best: list[tuple[Cost, tuple[Table, ...]]] = [(_add(*map(cost, tables)), tables)]

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
                unseated = tuple(each for each in rest if each not in others)
                seat(unseated, sizes[:place] + sizes[place + 1 :], (*chosen, table), _add(so_far, cost(table)))

    everybody = tuple(each for table in tables for each in table)
    seat(everybody, tuple(map(len, tables)), (), (0, 0))
    return best[0][1]


def _exchange(tables: tuple[Table, ...], cost: Callable[[Sequence[Contender]], Cost]) -> tuple[Table, ...]:
    """Let tables with something wrong exchange people, as long as that lowers what is wrong."""
    now = list(tables)
    costs = [cost(table) for table in now]
    for _ in range(EXCHANGES_MAX):
        found = next((swap for place in _troubled(costs) for swap in _helpful(now, costs, place, cost)), None)
        if found is None:
            break
        for place, table in found:
            now[place], costs[place] = table, cost(table)
    return tuple(now)


def _find_strangers(playing: Sequence[Contender], sizes: Sequence[int], meetings: Meetings) -> tuple[Table, ...] | None:
    """Return a seating without any repeat, the first in the order of scores and lots; None if none is found in time."""
    steps = 0

    def seat(left: tuple[Contender, ...], table: Table, sizes: tuple[int, ...]) -> tuple[Table, ...] | None:
        nonlocal steps
        if len(table) == sizes[0]:
            if not left:
                return (table,)
            further = seat(left[1:], left[:1], sizes[1:])
            return None if further is None else (table, *further)
        for place, each in enumerate(left):
            steps += 1
            if steps > STRANGER_STEPS_MAX:
                return None
            if any(meetings.get(pair_of(each.entrant, other.entrant)) for other in table):
                continue
            found = seat(left[:place] + left[place + 1 :], (*table, each), sizes)
            if found is not None:
                return found
        return None

    # One more table on the stack for each seat: beyond this the exchanges have found one, or nobody will.
    if len(playing) > STRANGERS_MAX:
        return None
    return seat(tuple(playing[1:]), tuple(playing[:1]), tuple(sizes))


def _troubled(costs: Sequence[Cost]) -> list[int]:
    return [place for place, (repeats, _) in enumerate(costs) if repeats]


def _helpful(
    tables: Sequence[Table], costs: Sequence[Cost], place: int, cost: Callable[[Sequence[Contender]], Cost]
) -> Iterator[tuple[tuple[int, Table], tuple[int, Table]]]:
    """List exchanges of one table with others, nearest first, that lower the cost of both together."""
    others = sorted((each for each in range(len(tables)) if each != place), key=lambda each: (abs(each - place), each))
    for other in others:
        before = _add(costs[place], costs[other])
        best = min(
            ((_add(cost(one), cost(two)), one, two) for one, two in _swaps(tables[place], tables[other])),
            key=lambda each: each[0],
        )
        if best[0] < before:
            yield (place, best[1]), (other, best[2])


def _swaps(one: Table, other: Table) -> Iterator[tuple[Table, Table]]:
    for given in range(len(one)):
        for taken in range(len(other)):
            yield (
                (*one[:given], other[taken], *one[given + 1 :]),
                (*other[:taken], one[given], *other[taken + 1 :]),
            )


def _add(*costs: Cost) -> Cost:
    return sum(repeats for repeats, _ in costs), sum(spread for _, spread in costs)


def _describe(table: Sequence[Contender], meetings: Meetings) -> PairedTable:
    seated = seat_table(table)
    entrants = tuple(each.entrant for each in seated)
    pairs = sorted(pair_of(one, other) for one, other in combinations(entrants, 2))
    return PairedTable(
        entrants=entrants,
        repeats=tuple(Repeat(entrants=pair, times=meetings[pair]) for pair in pairs if meetings.get(pair)),
    )
