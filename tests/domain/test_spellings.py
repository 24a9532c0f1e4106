"""Refusals of a decoder in words: the author of a bot gets the expected form, never a regular expression."""

from collections.abc import Iterator
from typing import Annotated, Any, Literal

import msgspec
import pytest
from msgspec import Meta, Struct

from domain.ids import ChosenCommandIdField
from domain.ruleset.kit import Kit
from domain.rulesets.chariot_race.actions import PATH_MAX, Move
from domain.rulesets.released import KITS
from domain.spellings import tell_refusal

NAME = Annotated[str, Meta(pattern="^it's$", description="a word with an apostrophe")]
WORDLESS = Annotated[str, Meta(pattern="^x$")]


PACE = Literal["fast", "slow"]


class Horse(Struct, tag="horse", tag_field="kind"):
    """One of two types that their tag distinguishes."""


class Cart(Struct, tag="cart", tag_field="kind"):
    """The other."""

    paces: list[PACE]


class Node(Struct):
    """A type that holds itself."""

    name: NAME
    under: "list[Node]" = []


def refusal_of(value: Any, decoded: Any) -> str:
    with pytest.raises(msgspec.ValidationError) as refused:
        msgspec.convert(value, decoded)
    return tell_refusal(str(refused.value), decoded)


def patterns(schema: Any) -> Iterator[dict[str, Any]]:
    """Find every pattern in a schema."""
    inner = schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list | tuple) else ()
    for each in inner:
        yield from patterns(each)
    if isinstance(schema, dict) and "pattern" in schema:
        yield schema


@pytest.mark.parametrize(
    ("value", "decoded", "told"),
    [
        (["X"], list[ChosenCommandIdField], "Expected a lower-case UUID, not version 8 - at `$[0]`"),
        (
            {"kind": "move", "minuses": 0, "path": "x"},
            Move,
            f"Expected at most {PATH_MAX} letters of i, m and o - at `$.path`",
        ),
        (
            {"name": "it's", "under": [{"name": "its"}]},
            Node,
            "Expected a word with an apostrophe - at `$.under[0].name`",
        ),
        ({"name": 1}, Node, "Expected a string, got an integer - at `$.name`"),
        ({"kind": "cart"}, Horse | Cart, "Object missing required field `paces`"),
        (["x"], list[int | None], "Expected an integer or null, got a string - at `$[0]`"),
        ("y", WORDLESS, "Expected a string matching regex '^x$'"),
        ("green", PACE, 'Expected one of "fast", "slow", found "green"'),
        ([{"kind": "mule"}], list[Horse | Cart], 'Expected one of "horse", "cart", found "mule" - at `$[0].kind`'),
        (
            {"kind": "cart", "paces": ["it's"]},
            Horse | Cart,
            'Expected one of "fast", "slow", found "it\'s" - at `$.paces[0]`',
        ),
    ],
    ids=[
        *(
            "an id",
            "a path",
            "a type that holds itself",
            "no text",
            "no field",
            "none of two types",
            "a pattern without words",
        ),
        *("one of two texts", "a tag", "one of two texts in a list"),
    ],
)
def test_a_refusal_says_in_words_what_was_expected(value: Any, decoded: Any, told: str) -> None:
    assert refusal_of(value, decoded) == told


@pytest.mark.parametrize("kit", KITS, ids=lambda kit: kit.name)
def test_every_pattern_of_an_action_has_words(kit: Kit) -> None:
    schemas = msgspec.json.schema_components([kit.ruleset.action_type])

    assert [pattern["pattern"] for pattern in patterns(schemas) if not pattern.get("description")] == []
