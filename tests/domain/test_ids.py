"""The patterns of ids accept one spelling and nothing around it."""

from typing import Any

import msgspec
import pytest

from domain.ids import DecisionIdField, GameIdField, Hex32Field, Hex64Field, SeatField

GAME = "0199c0de-0000-7000-8000-000000000001"


@pytest.mark.parametrize(
    ("field", "text"),
    [(GameIdField, GAME), (DecisionIdField, "t1/move/2"), (Hex32Field, "0f" * 32), (Hex64Field, "0f" * 64)],
)
@pytest.mark.parametrize("after", ["\n", " ", "\0"])
def test_nothing_may_follow_an_id(field: Any, text: str, after: str) -> None:
    assert msgspec.convert(text, field) == text

    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(text + after, field)


@pytest.mark.parametrize("seat", [-1, 12, True, "1"])
def test_a_seat_is_a_number_from_0_to_11(seat: object) -> None:
    assert msgspec.convert(11, SeatField) == 11

    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(seat, SeatField)
