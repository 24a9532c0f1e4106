"""Who is to be paired, and everything that pairing may look at. Nothing else about an entrant counts."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from typing import Final, Literal

from msgspec import Struct

# The number of an entrant, in order of entering.
Entrant = int
# Two of a field draw the same lot seldom enough that their numbers may decide between them.
LOT_SIDES = 1_000_000
# Two entrants, the lower number first, and how often they have met.
Meetings = Mapping[tuple[Entrant, Entrant], int]
WishKind = Literal["apart", "apart_if_possible", "together", "together_if_possible", "none"]
# A large family, or a club.
WISHED_MAX = 16
# Twice the members of a large club by pairs; a draw of two thousand weighs so many in a second.
WISHED_PAIRS_MAX = 512
# The penalty of one pair. A draw weighs whole rounds, so that each exceeds all of the next that a round can have:
# 2,048 entrants at tables of twelve are 11,264 pairs.
ALWAYS: Final = 10**14
MEETING: Final = 10**7
IF_POSSIBLE: Final = 1
_WEIGHTS: Mapping[WishKind, int] = {
    "apart": ALWAYS,
    "together": ALWAYS,
    "apart_if_possible": IF_POSSIBLE,
    "together_if_possible": IF_POSSIBLE,
}


class Contender(Struct, frozen=True, kw_only=True):
    """`lot` is drawn for this round, in public; the lower one comes first where all else is equal.

    `lateness` adds up where it sat: the later in the order of its tables, the more.
    """

    entrant: Entrant
    points: int
    lot: int
    byes: int = 0
    lateness: int = 0


class Repeat(Struct, frozen=True, kw_only=True):
    """Two who meet again, and how often they have met before."""

    entrants: tuple[int, int]
    times: int


def pair_of(one: Entrant, other: Entrant) -> tuple[Entrant, Entrant]:
    """Name two entrants the one way they are named."""
    return (one, other) if one < other else (other, one)


def by_score(contender: Contender) -> tuple[int, int, Entrant]:
    """Order by points, then by lot."""
    return (-contender.points, contender.lot, contender.entrant)


class Wish(Struct, frozen=True, kw_only=True):
    """`entrants` ascend; the ruling in this line made it."""

    entrants: tuple[Entrant, ...]
    kind: WishKind
    line: int

    @property
    def is_apart(self) -> bool:
        return self.kind.startswith("apart")


def weigh_apart(meetings: Meetings, wishes: Iterable[Wish]) -> dict[tuple[Entrant, Entrant], int]:
    """Weigh each pair that should not sit at one table: by the wishes, and by how often the two have met."""
    wishes = tuple(wishes)
    weights = {pair: times * MEETING if wishes else times for pair, times in meetings.items()}
    for pair, weight in _list_pairs(wishes, is_apart=True):
        weights[pair] = weights.get(pair, 0) + weight
    return weights


def weigh_together(wishes: Iterable[Wish]) -> dict[tuple[Entrant, Entrant], int]:
    """Weigh each pair that should sit at one table."""
    weights: dict[tuple[Entrant, Entrant], int] = {}
    for pair, weight in _list_pairs(wishes, is_apart=False):
        weights[pair] = weights.get(pair, 0) + weight
    return weights


def list_unkept(
    tables: Iterable[tuple[Entrant, ...]], wishes: Iterable[Wish]
) -> Iterator[tuple[Wish, Entrant, Entrant]]:
    """List the pairs whose wish a seating does not keep. Who sits nowhere keeps every wish."""
    at = {entrant: number for number, table in enumerate(tables) for entrant in table}
    for wish in wishes:
        for one, other in combinations(wish.entrants, 2):
            if one in at and other in at and (at[one] == at[other]) == wish.is_apart:
                yield wish, one, other


def _list_pairs(wishes: Iterable[Wish], *, is_apart: bool) -> Iterator[tuple[tuple[Entrant, Entrant], int]]:
    for wish in wishes:
        if wish.is_apart == is_apart:
            yield from ((pair_of(one, other), _WEIGHTS[wish.kind]) for one, other in combinations(wish.entrants, 2))
