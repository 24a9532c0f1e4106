"""Points and standings: whole numbers from data, every tie-break shown, and nothing that depends on an order."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.ids import SEATS_MAX, Seat
from domain.ruleset.decision import Placing
from domain.tournament.scoring import Scored, default_points, score_table
from domain.tournament.standings import Book, Granted, Played, TieBreak, build_standings

POINTS = {str(size): default_points(size) for size in range(2, SEATS_MAX + 1)}


def ranking(*places: int) -> tuple[Placing, ...]:
    return tuple(Placing(place=place, seat=Seat(seat)) for seat, place in enumerate(places))


def played(round_: int, *scored: tuple[int, int, int]) -> Played:
    rows = tuple(Scored(entrant=entrant, place=place, points=points) for entrant, place, points in scored)
    return Played(round=round_, table=1, scored=rows)


def book(*tables: Played, granted: tuple[Granted, ...] = (), entrants: int = 4, rounds: int = 2) -> Book:
    return Book(entrants=tuple(range(entrants)), rounds=rounds, played=tables, granted=granted, lots={})


@pytest.mark.parametrize(
    ("places", "points"),
    [
        ((1, 2), (60, 0)),
        ((2, 1, 3), (30, 60, 0)),
        ((1, 2, 2), (60, 15, 15)),
        ((1, 1, 1), (30, 30, 30)),
        ((2, 2, 4, 4), (30, 30, 0, 0)),
        ((2, 3, 4, 5, 6), (45, 30, 15, 0, 0)),
    ],
    ids=["two", "three", "a shared second", "all alike", "nobody wins", "all one place down"],
)
def test_places_earn_what_the_data_says(places: tuple[int, ...], points: tuple[int, ...]) -> None:
    scored = score_table(range(len(places)), ranking(*places), POINTS)

    assert tuple(score.points for score in scored) == points


def test_tie_breaks_are_looked_at_in_their_order() -> None:
    tables = (played(1, (0, 1, 60), (1, 2, 0)), played(1, (2, 1, 60), (3, 2, 0)), played(2, (1, 1, 60), (3, 2, 0)))
    order: tuple[TieBreak, ...] = ("wins", "opponents", "last_round")

    standings = build_standings(book(*tables), order)

    assert [(standing.place, standing.entrant, standing.points, standing.tie_breaks) for standing in standings] == [
        (1, 1, 60, (1, 60, 60)),
        (2, 0, 60, (1, 60, 0)),
        (3, 2, 60, (1, 0, 0)),
        (4, 3, 0, (0, 120, 0)),
    ]


def test_who_is_equal_in_everything_shares_a_place() -> None:
    tables = (played(1, (0, 1, 60), (1, 2, 0)), played(1, (2, 1, 60), (3, 2, 0)))

    standings = build_standings(book(*tables, rounds=1), ("wins",))

    assert [(standing.place, standing.entrant) for standing in standings] == [(1, 0), (1, 2), (3, 1), (3, 3)]


def test_head_to_head_is_among_those_who_are_level() -> None:
    tables = (
        played(1, (0, 2, 0), (1, 1, 60)),
        played(1, (2, 2, 0), (3, 1, 60)),
        played(2, (0, 1, 60), (2, 2, 0)),
        played(2, (1, 2, 0), (3, 1, 60)),
    )

    standings = build_standings(book(*tables), ("head_to_head",))

    assert [(standing.entrant, standing.points, standing.tie_breaks) for standing in standings] == [
        (3, 120, (0,)),
        (1, 60, (60,)),
        (0, 60, (0,)),
        (2, 0, (0,)),
    ]


def test_what_is_granted_counts_in_its_round() -> None:
    given_ = (Granted(round=2, entrant=3, points=40, line=9), Granted(round=2, entrant=3, points=-10, line=12))

    standings = build_standings(book(played(1, (0, 1, 60), (1, 2, 0)), granted=given_), ())

    assert next(standing.rounds for standing in standings if standing.entrant == 3) == (0, 30)


@given(st.permutations(range(6)), st.lists(st.permutations(range(6)), min_size=1, max_size=4))
def test_the_order_in_which_tables_stand_changes_nothing(order: list[int], rounds: list[list[int]]) -> None:
    tables = [
        Played(
            round=number, table=table, scored=score_table(places[table * 3 : table * 3 + 3], ranking(1, 2, 3), POINTS)
        )
        for number, places in enumerate(rounds, start=1)
        for table in range(2)
    ]
    breaks: tuple[TieBreak, ...] = ("wins", "opponents", "last_round", "head_to_head")
    entrants = tuple(order)

    one = build_standings(
        Book(entrants=entrants, rounds=len(rounds), played=tuple(tables), granted=(), lots={}), breaks
    )
    two = build_standings(
        Book(entrants=tuple(range(6)), rounds=len(rounds), played=tuple(reversed(tables)), granted=(), lots={}), breaks
    )

    assert one == two


def test_the_lowest_lot_of_the_last_round_comes_first_and_who_was_not_there_last() -> None:
    level = msgspec.structs.replace(book(), lots={0: 900, 1: 5, 3: 1_000_000})

    standings = build_standings(level, ("lot",))

    assert [standing.entrant for standing in standings] == [1, 0, 3, 2]


def test_how_far_somebody_came_comes_before_points() -> None:
    tables = (played(1, (0, 1, 60), (1, 2, 0)),)
    further = msgspec.structs.replace(book(*tables, entrants=2), progress={0: (1, 60), 1: (2, 0)})

    standings = build_standings(further, ("wins",))

    assert [(standing.entrant, standing.progress, standing.points) for standing in standings] == [
        (1, (2, 0), 0),
        (0, (1, 60), 60),
    ]
