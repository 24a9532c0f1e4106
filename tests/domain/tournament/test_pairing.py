"""Pairing a round: no pair twice, byes in turn, repeated meetings only where they must be, and the same again."""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from itertools import combinations
from random import Random
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.tournament.contender import Contender, pair_of
from domain.tournament.pairing import Paired, pair_round
from domain.tournament.scoring import default_points
from domain.tournament.sizes import TableSizes, divide

PAIRS = TableSizes(min=2, max=2, preferred=2)
THREES = TableSizes(min=3, max=3, preferred=3)
FOURS = TableSizes(min=2, max=6, preferred=4)
SIXES = TableSizes(min=4, max=6, preferred=6)
# Whole events by size, tables and rounds, with the SHA-256 of all their tables: a stored tournament is decided again.
STORED = {
    (11, THREES, 8): "130ef6a799b34713a1cf43c4891e5f5b4a33f94cf6bd15c74ab026232f08ab01",
    (12, FOURS, 8): "b86d102ad67df96108e4a839e3f4fccbcc0b96ec5405ba3f5475631aee3c1fa8",
    (26, PAIRS, 25): "8cef801ba8cf9b676ac2234c13d81adb661ed2ecebc303e4481c978904cc315c",
    (48, SIXES, 8): "d55d09acd309f3d048cc21ef97b6b622a5929655167fc477c6ccc9474e2d850a",
    (150, SIXES, 15): "fa74daa533f114ba88fb7123a9ddc7d4fbdb3282c4024c42c2e17bd697a8bd12",
    (240, SIXES, 33): "2469c9286ee24807140735335c85bdf474879a141ff82813f90d7e89ea606fb8",
}
# Processor time, which the machine's other programs do not lengthen. The longest event takes two seconds; it took a
# minute while each exchange counted all meetings of two tables anew.
EVENT_MAX_S = 20
LOTS = 2**32


class Event:
    """A tournament in which chance alone decides, to make fields with a past."""

    def __init__(self, size: int, seed: int) -> None:
        self.numbers = Random(seed)  # noqa: S311  the same past for the same seed
        self.points = [0] * size
        self.byes = [0] * size
        self.lateness = [0] * size
        self.meetings: dict[tuple[int, int], int] = {}
        self.present = list(range(size))

    def field(self) -> tuple[Contender, ...]:
        return tuple(
            Contender(
                entrant=entrant,
                points=self.points[entrant],
                lot=self.numbers.randrange(LOTS),
                byes=self.byes[entrant],
                lateness=self.lateness[entrant],
            )
            for entrant in self.present
        )

    def play(self, paired: Paired) -> None:
        for table in paired.tables:
            order = self.numbers.sample(table.entrants, len(table.entrants))
            for entrant, points in zip(order, default_points(len(order)), strict=True):
                self.points[entrant] += points
            for one, other in combinations(table.entrants, 2):
                pair = pair_of(one, other)
                self.meetings[pair] = self.meetings.get(pair, 0) + 1
            for seat, entrant in enumerate(table.entrants):
                self.lateness[entrant] += (2 * seat + 1) * 60 // len(table.entrants)
        for entrant in paired.byes:
            self.byes[entrant] += 1


def count_repeats(paired: Paired) -> int:
    return sum(repeat.times for table in paired.tables for repeat in table.repeats)


def fewest_repeats(entrants: Sequence[int], sizes: tuple[int, ...], meetings: Mapping[tuple[int, int], int]) -> int:
    """Try every way of seating, in the plainest way there is."""
    if not entrants:
        return 0
    first, rest = entrants[0], list(entrants[1:])
    found = []
    for size in set(sizes):
        left = list(sizes)
        left.remove(size)
        for others in combinations(rest, size - 1):
            here = sum(meetings.get(pair_of(*pair), 0) for pair in combinations((first, *others), 2))
            unseated = [entrant for entrant in rest if entrant not in others]
            found.append(here + fewest_repeats(unseated, tuple(left), meetings))
    return min(found)


@pytest.mark.parametrize("sizes", [PAIRS, THREES, FOURS], ids=["pairs", "threes", "fours"])
@settings(deadline=None, max_examples=15)
@given(st.integers(2, 200), st.integers(1, 6), st.integers(0, 2**32))
def test_everybody_sits_once_or_has_a_bye(sizes: TableSizes, size: int, rounds: int, seed: int) -> None:
    event = Event(size, seed)

    for _ in range(rounds):
        field = event.field()
        paired = pair_round(field, event.meetings, sizes)
        seated = [entrant for table in paired.tables for entrant in table.entrants]
        assert sorted([*seated, *paired.byes]) == sorted(contender.entrant for contender in field)
        tables = sorted((len(table.entrants) for table in paired.tables), reverse=True)
        assert tuple(tables) == divide(len(field), sizes).tables
        assert max(event.byes) - min(event.byes) <= 1
        event.play(paired)


@settings(deadline=None, max_examples=20)
@given(st.integers(2, 9), st.sampled_from([PAIRS, THREES, FOURS]), st.integers(1, 6), st.integers(0, 2**32))
def test_a_small_field_meets_again_only_where_it_must(size: int, sizes: TableSizes, rounds: int, seed: int) -> None:
    event = Event(size, seed)

    for _ in range(rounds):
        paired = pair_round(event.field(), event.meetings, sizes)
        playing = [entrant for entrant in event.present if entrant not in paired.byes]
        tables = divide(size, sizes).tables
        assert count_repeats(paired) == fewest_repeats(playing, tables, event.meetings)
        event.play(paired)


@pytest.mark.parametrize(("size", "sizes", "rounds"), [(20, PAIRS, 12), (64, FOURS, 5), (200, FOURS, 7)])
def test_a_field_with_room_never_meets_again(size: int, sizes: TableSizes, rounds: int) -> None:
    event = Event(size, 7)

    repeats = []
    for _ in range(rounds):
        paired = pair_round(event.field(), event.meetings, sizes)
        repeats.append(count_repeats(paired))
        event.play(paired)

    assert repeats == [0] * rounds


@settings(deadline=None, max_examples=30)
@given(st.integers(2, 40), st.integers(0, 2**32))
def test_the_order_of_the_field_changes_nothing(size: int, seed: int) -> None:
    event = Event(size, seed)
    event.play(pair_round(event.field(), event.meetings, FOURS))
    field = event.field()
    shuffled = event.numbers.sample(field, len(field))

    assert pair_round(shuffled, event.meetings, FOURS) == pair_round(field, event.meetings, FOURS)


@pytest.mark.parametrize(("event_of", "digest"), STORED.items(), ids=[str(size) for size, _, _ in STORED])
def test_an_event_is_paired_as_it_ever_was(event_of: tuple[int, TableSizes, int], digest: str) -> None:
    size, sizes, rounds = event_of
    event = Event(size, 7)
    started = process_time()

    told = []
    for _ in range(rounds):
        paired = pair_round(event.field(), event.meetings, sizes)
        told.append([table.entrants for table in paired.tables])
        event.play(paired)

    assert sha256(repr(told).encode()).hexdigest() == digest
    assert process_time() - started < EVENT_MAX_S


def test_equal_scores_meet_and_whoever_sat_late_sits_early() -> None:
    field = [
        Contender(entrant=0, points=60, lot=1, lateness=10),
        Contender(entrant=1, points=0, lot=2, lateness=50),
        Contender(entrant=2, points=60, lot=3, lateness=30),
        Contender(entrant=3, points=0, lot=4, lateness=10),
    ]

    paired = pair_round(field, {}, PAIRS)

    assert [table.entrants for table in paired.tables] == [(2, 0), (1, 3)]


def test_a_repeat_that_cannot_be_helped_is_told() -> None:
    field = [Contender(entrant=0, points=0, lot=1), Contender(entrant=1, points=0, lot=2)]

    paired = pair_round(field, {(0, 1): 2}, PAIRS)

    assert paired.tables[0].repeats[0].entrants == (0, 1)
    assert paired.tables[0].repeats[0].times == 2


def test_the_bye_is_for_whoever_had_none_then_for_the_lowest_then_by_lot() -> None:
    field = [
        Contender(entrant=0, points=0, lot=1, byes=1),
        Contender(entrant=1, points=10, lot=2),
        Contender(entrant=2, points=10, lot=3),
    ]

    assert pair_round(field, {}, PAIRS).byes == (2,)
