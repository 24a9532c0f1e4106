"""Points for places: from a table of data, whole numbers, shared places sharing the points they cover.

    {"2": [60, 0], "3": [60, 30, 0], "4": [60, 40, 20, 0]}  places 1, 2, 2 of three earn 60, 15, 15

Scores of tables of different sizes compare because the data states so: by default the first earns 60, the last nothing.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated

from msgspec import Meta, Struct

from domain.ruleset.decision import Placing

POINTS_MAX = 1_000_000
# Divided by one to five without a rest, so that every place of a table of up to six has whole points.
FULL_POINTS = 60

Points = Annotated[int, Meta(ge=0, le=POINTS_MAX)]
# By the size of the table, as text; the points of its places, the first place first.
PointsBySize = Mapping[str, Sequence[Points]]


class Scored(Struct, frozen=True, kw_only=True):
    """One entrant's count of one table."""

    entrant: int
    place: int
    points: int


def default_points(size: int) -> tuple[int, ...]:
    return tuple(FULL_POINTS * (size - place) // (size - 1) for place in range(1, size + 1))


def score_table(entrants: Sequence[int], ranking: Sequence[Placing], points: PointsBySize) -> tuple[Scored, ...]:
    """Score a table from the ranking of its game, in the order of its seats."""
    earned = points[str(len(entrants))]
    places: dict[int, int] = {placing.seat: placing.place for placing in ranking}
    # A race without a winner may leave the first place empty: seats that share a place cover as many, from it.
    shared = {place: [seat for seat in places if places[seat] == place] for place in places.values()}
    return tuple(
        Scored(
            entrant=entrant, place=places[seat], points=share_places(earned, places[seat], len(shared[places[seat]]))
        )
        for seat, entrant in enumerate(entrants)
        if seat in places
    )


def share_places(earned: Sequence[int], place: int, count: int) -> int:
    """Share the points of so many places, from this one on, among as many, rounded down."""
    covered = [earned[at] for at in range(place - 1, min(place - 1 + count, len(earned)))]
    return sum(covered) // count
