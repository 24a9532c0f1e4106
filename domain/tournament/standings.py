"""The standings: a function of scores and rulings, with every deciding number shown.

How far an entrant came where the format sends some of them on, then points, then the tie-breaks in the order the
tournament stated; entrants who are still equal share a place.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from domain.tournament.contender import LOT_SIDES, Entrant
from domain.tournament.scoring import Scored

# first places; the points of all that were met, added up; own points of the last round;
# points earned at tables with those who are equal so far; the lots of the last round, in public: lowest first,
# and last those who were not there.
TieBreak = Literal["wins", "opponents", "last_round", "head_to_head", "lot"]


def read_tie_break(name: str, value: int) -> int | None:
    """Return a number of the standings as people are shown it: a lot as it was drawn, None for one that never was.

    Standings count a lot below zero, so that the lowest is the highest of them.
    """
    if name != "lot":
        return value
    return None if -value > LOT_SIDES else -value


class Played(Struct, frozen=True, kw_only=True):
    """One table as it counts now: after rulings."""

    round: int
    table: int
    scored: tuple[Scored, ...]


class Granted(Struct, frozen=True, kw_only=True):
    """Points without a table: a bye, a walkover, or a ruling, which may take some away. `line` is where it stands."""

    round: int
    entrant: Entrant
    points: int
    line: int


class Standing(Struct, frozen=True, kw_only=True):
    """`tie_breaks` are in the stated order; higher is better in each. `rounds` are the points of each round.

    `progress` is how far it came, and its points there, where a format sends some on; empty where it does not.
    """

    place: int
    entrant: Entrant
    progress: tuple[int, ...]
    points: int
    tie_breaks: tuple[int, ...]
    rounds: tuple[int, ...]


class Book(Struct, frozen=True, kw_only=True):
    """Everything that standings are a function of. `lots` are those of the last round that was drawn."""

    entrants: tuple[Entrant, ...]
    rounds: int
    played: tuple[Played, ...]
    granted: tuple[Granted, ...]
    lots: Mapping[Entrant, int]
    progress: Mapping[Entrant, tuple[int, ...]] = {}


def build_standings(book: Book, tie_breaks: Sequence[TieBreak]) -> tuple[Standing, ...]:
    """Rank all entrants, withdrawn ones too."""
    sums = _Sums(book)
    # The measures compared so far, in the order of comparing, and higher is better in each.
    leading = {entrant: (*book.progress.get(entrant, ()), sums.total[entrant]) for entrant in book.entrants}
    full = dict(leading)
    for tie_break in tie_breaks:
        measure, equals = sums.measures[tie_break], _group(full)
        full = {each: (*key, measure(each, equals[key])) for each, key in full.items()}
    order = sorted(book.entrants, key=lambda entrant: (*(-key for key in full[entrant]), entrant))
    places: dict[tuple[int, ...], int] = {}
    for number, each in enumerate(order, start=1):
        places.setdefault(full[each], number)
    return tuple(
        Standing(
            place=places[full[entrant]],
            entrant=entrant,
            progress=tuple(book.progress.get(entrant, ())),
            points=sums.total[entrant],
            tie_breaks=full[entrant][len(leading[entrant]) :],
            rounds=tuple(sums.by_round[entrant]),
        )
        for entrant in order
    )


def _group(keys: Mapping[Entrant, tuple[int, ...]]) -> dict[tuple[int, ...], frozenset[Entrant]]:
    """Group the entrants level by the measures so far, which are those that head-to-head compares."""
    groups: defaultdict[tuple[int, ...], set[Entrant]] = defaultdict(set)
    for each, key in keys.items():
        groups[key].add(each)
    return {key: frozenset(group) for key, group in groups.items()}


class _Sums:
    """The parts of all measures, added up once."""

    def __init__(self, book: Book) -> None:
        self.by_round = {entrant: [0] * book.rounds for entrant in book.entrants}
        self.met: dict[Entrant, list[Entrant]] = {entrant: [] for entrant in book.entrants}
        self.sat_at: dict[Entrant, list[Played]] = {entrant: [] for entrant in book.entrants}
        self.wins = dict.fromkeys(book.entrants, 0)
        for played in book.played:
            seated = [scored.entrant for scored in played.scored]
            for scored in played.scored:
                self.by_round[scored.entrant][played.round - 1] += scored.points
                self.wins[scored.entrant] += scored.place == 1
                self.sat_at[scored.entrant].append(played)
                self.met[scored.entrant] += [entrant for entrant in seated if entrant != scored.entrant]
        for granted in book.granted:
            self.by_round[granted.entrant][max(granted.round, 1) - 1] += granted.points
        self.total = {each: sum(points) for each, points in self.by_round.items()}
        self.measures: dict[TieBreak, Callable[[Entrant, frozenset[Entrant]], int]] = {
            "wins": lambda each, _: self.wins[each],
            "opponents": lambda each, _: sum(self.total[other] for other in self.met[each]),
            "last_round": lambda each, _: self.by_round[each][-1] if book.rounds else 0,
            "head_to_head": self._head_to_head,
            "lot": lambda each, _: -book.lots.get(each, LOT_SIDES + 1),
        }

    def _head_to_head(self, entrant: Entrant, equals: frozenset[Entrant]) -> int:
        return sum(
            scored.points
            for played in self.sat_at[entrant]
            if len(equals & {score.entrant for score in played.scored}) > 1
            for scored in played.scored
            if scored.entrant == entrant
        )
