"""Facts of notices: each has one spelling, by which it is stored and the id of its notice derived."""

from typing import get_args

import pytest

from domain.accounts.notice import AtLine, Fact, OfferMade, OfRound, TurnOwed, format_fact, parse_fact
from domain.ids import DecisionId, StreamVersion

SPELLINGS: dict[str, Fact | None] = {
    "": None,
    "decision d1/0 since 1795082400000": TurnOwed(decision=DecisionId("d1/0"), since_ms=1_795_082_400_000),
    "offer": OfferMade(),
    "round 3": OfRound(number=3),
    "line 12": AtLine(version=StreamVersion(12)),
}


def test_every_type_of_fact_has_a_spelling() -> None:
    assert {type(fact) for fact in SPELLINGS.values()} == {*get_args(Fact), type(None)}


@pytest.mark.parametrize("text", SPELLINGS)
def test_a_fact_is_read_as_it_is_written(text: str) -> None:
    fact = SPELLINGS[text]

    assert format_fact(fact) == text
    assert parse_fact(text) == fact


@pytest.mark.parametrize("text", ["offers", "round", "round three", "line 1 2", "decision d1", "decision d1 since"])
def test_other_text_is_no_fact(text: str) -> None:
    with pytest.raises(ValueError, match=r"expected a fact|invalid literal"):
        parse_fact(text)
