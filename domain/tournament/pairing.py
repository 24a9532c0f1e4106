"""Pairing of a round: a function of scores, meetings and public lots, so that any verifier can do it again.

Fewest repeated meetings first, then tables of equal score, then the order of lots (`seatings.py`).
"""

from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations

from msgspec import Struct

from domain.tournament.contender import (
    Contender,
    Entrant,
    Meetings,
    Repeat,
    Wish,
    by_score,
    pair_of,
    weigh_apart,
    weigh_together,
)
from domain.tournament.seatings import Seatings
from domain.tournament.sizes import TableSizes, divide


class PairedTable(Struct, frozen=True, kw_only=True):
    """Entrants in the order of their seats, and who meets again."""

    entrants: tuple[int, ...]
    repeats: tuple[Repeat, ...]


class Paired(Struct, frozen=True, kw_only=True):
    tables: tuple[PairedTable, ...]
    byes: tuple[int, ...]


def pair_round(
    field: Sequence[Contender], meetings: Meetings, sizes: TableSizes, wishes: Sequence[Wish] = ()
) -> Paired:
    """Pair a round by score; `wishes` are heeded before meetings, or after them where they are `if possible`."""
    division = divide(len(field), sizes)
    byes = choose_byes(field, division.byes)
    playing = sorted((contender for contender in field if contender.entrant not in byes), key=by_score)
    together = weigh_together(wishes)
    playing = gather(playing, together)
    seatings = Seatings(playing, weigh_apart(meetings, wishes), together)
    tables = seatings.seat(division.tables) if division.tables else ()
    return Paired(tables=tuple(_describe([playing[place] for place in table], meetings) for table in tables), byes=byes)


def gather(playing: Sequence[Contender], together: Meetings) -> list[Contender]:
    """Let those who should sit together stand behind the first of them, so that a cut seldom parts them."""
    places = {contender.entrant: place for place, contender in enumerate(playing)}
    partners: defaultdict[int, set[int]] = defaultdict(set)
    for one, other in together:
        if one in places and other in places:
            partners[places[one]].add(places[other])
            partners[places[other]].add(places[one])
    gathered: dict[int, Contender] = {}
    for first in range(len(playing)):
        group = [first]
        while group:
            place = group.pop(0)
            if place not in gathered:
                gathered[place] = playing[place]
                group += sorted(partners.pop(place, ()))
    return list(gathered.values())


def choose_byes(field: Sequence[Contender], count: int) -> tuple[int, ...]:
    """Choose who sits out: the fewest byes so far, then the lowest score, then the highest lot."""
    order = sorted(field, key=lambda entrant: (entrant.byes, entrant.points, -entrant.lot, entrant.entrant))
    return tuple(sorted(contender.entrant for contender in order[:count]))


def seat_table(table: Sequence[Contender]) -> tuple[Contender, ...]:
    """Order a table: entrants who sat late so far sit early now."""
    return tuple(sorted(table, key=lambda entrant: (-entrant.lateness, entrant.lot, entrant.entrant)))


def _describe(table: Sequence[Contender], meetings: Meetings) -> PairedTable:
    seated = seat_table(table)
    entrants = tuple(contender.entrant for contender in seated)
    return PairedTable(entrants=entrants, repeats=list_repeats(entrants, meetings))


def list_repeats(entrants: Sequence[Entrant], meetings: Meetings) -> tuple[Repeat, ...]:
    pairs = sorted(pair_of(one, other) for one, other in combinations(entrants, 2))
    return tuple(Repeat(entrants=pair, times=meetings[pair]) for pair in pairs if meetings.get(pair))
