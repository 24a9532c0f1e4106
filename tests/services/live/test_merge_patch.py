"""Merge patches: the table of the RFC, and that a patch makes the next board of any board."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.live.steps import apply_patch, build_patch, drop_nulls

LEAVES = st.none() | st.booleans() | st.integers(-3, 3) | st.text("ab", max_size=2)
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3) | st.tuples(inner, inner) | st.dictionaries(st.sampled_from("abcd"), inner)
    ),
    max_leaves=12,
)
BOARDS = st.dictionaries(st.sampled_from("abcd"), VALUES)


@pytest.mark.parametrize(
    ("before", "patch", "after"),
    [
        ({"a": "b"}, {"a": "c"}, {"a": "c"}),
        ({"a": "b"}, {"b": "c"}, {"a": "b", "b": "c"}),
        ({"a": "b"}, {"a": None}, {}),
        ({"a": "b", "b": "c"}, {"a": None}, {"b": "c"}),
        ({"a": ["b"]}, {"a": "c"}, {"a": "c"}),
        ({"a": "c"}, {"a": ["b"]}, {"a": ["b"]}),
        ({"a": {"b": "c"}}, {"a": {"b": "d", "c": None}}, {"a": {"b": "d"}}),
        ({"a": [{"b": "c"}]}, {"a": [1]}, {"a": [1]}),
        (["a", "b"], ["c", "d"], ["c", "d"]),
        ({"a": "b"}, ["c"], ["c"]),
        ({"a": "foo"}, None, None),
        ({"a": "foo"}, "bar", "bar"),
        ({"e": None}, {"a": 1}, {"e": None, "a": 1}),
        ([1, 2], {"a": "b", "c": None}, {"a": "b"}),
        ({}, {"a": {"bb": {"ccc": None}}}, {"a": {"bb": {}}}),
    ],
)
def test_patches_are_applied_as_in_the_table_of_the_rfc(before: Any, patch: Any, after: Any) -> None:
    assert apply_patch(before, patch) == after


@given(BOARDS, BOARDS)
def test_a_patch_makes_the_next_board(one: Any, other: Any) -> None:
    made = apply_patch(drop_nulls(one), build_patch(one, other))

    assert msgspec.json.encode(made, order="sorted") == msgspec.json.encode(drop_nulls(other), order="sorted")


@given(BOARDS)
def test_nothing_changed_is_an_empty_patch(board: Any) -> None:
    assert build_patch(board, board) == {}


def test_true_is_not_one_however_deep() -> None:
    assert build_patch({"a": [1, {"b": True}]}, {"a": [1, {"b": 1}]}) == {"a": [1, {"b": 1}]}


@given(VALUES)
def test_no_member_is_null_where_nulls_were_dropped(value: Any) -> None:
    def members(found: Any) -> list[Any]:
        inner = list(found.values()) if isinstance(found, dict) else found if isinstance(found, list) else []
        own = inner if isinstance(found, dict) else []
        return own + [member for one in inner for member in members(one)]

    assert None not in [member for member in members(drop_nulls(value)) if not isinstance(member, list)]
