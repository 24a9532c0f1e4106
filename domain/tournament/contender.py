"""Who is to be paired, and everything that pairing may look at. Nothing else about an entrant counts."""

from collections.abc import Mapping

from msgspec import Struct

# The number of an entrant, in order of entering.
Entrant = int
# Two of a field draw the same lot seldom enough that their numbers may decide between them.
LOT_SIDES = 1_000_000
# Two entrants, the lower number first, and how often they have met.
Meetings = Mapping[tuple[Entrant, Entrant], int]


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
