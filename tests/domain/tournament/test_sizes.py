"""Dividing a field into tables: all entrants sit if possible, at tables as near to the wished size as can be."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.tournament.sizes import Division, TableSizes, divide

FOURS = TableSizes(min=2, max=6, preferred=4)


@st.composite
def table_sizes(draw: st.DrawFn) -> TableSizes:
    smallest = draw(st.integers(2, 6))
    largest = draw(st.integers(smallest, 6))
    return TableSizes(min=smallest, max=largest, preferred=draw(st.integers(smallest, largest)))


@pytest.mark.parametrize(
    ("count", "tables", "byes"),
    [
        (64, (4,) * 16, 0),
        (7, (4, 3), 0),
        (5, (5,), 0),
        (9, (5, 4), 0),
        (2, (2,), 0),
        (1, (), 1),
        (0, (), 0),
    ],
)
def test_a_field_is_divided_as_in_the_table(count: int, tables: tuple[int, ...], byes: int) -> None:
    assert divide(count, FOURS) == Division(tables=tables, byes=byes)


def test_who_fits_at_no_table_has_a_bye() -> None:
    pairs = TableSizes(min=2, max=2, preferred=2)

    assert divide(7, pairs) == Division(tables=(2, 2, 2), byes=1)


@given(st.integers(0, 200), table_sizes())
def test_everybody_sits_or_has_a_bye_and_no_fewer_byes_would_do(count: int, sizes: TableSizes) -> None:
    division = divide(count, sizes)

    assert sum(division.tables) + division.byes == count
    assert all(sizes.min <= size <= sizes.max for size in division.tables)
    assert not any(_can_seat(count - byes, sizes) for byes in range(division.byes) if byes < count)


def _can_seat(count: int, sizes: TableSizes) -> bool:
    """State so by trying every number of tables."""
    return any(tables * sizes.min <= count <= tables * sizes.max for tables in range(1, count + 1))
