"""The sealed answers of a seat: a move or a reset, either with a stack to be thrown away.

Cards are named by draw number, a fan token by its draw from the bag, a player token by its type: no action
tells a face that was not turned up.
"""

from typing import Annotated

from msgspec import Meta, Struct

# Larger than any count of a hand or a bag; bounds an action before the rules look at it.
DRAWS_MAX = 1_000_000
CARDS_MAX = 16

DrawField = Annotated[int, Meta(ge=0, le=DRAWS_MAX)]
CardsField = Annotated[tuple[DrawField, ...], Meta(max_length=CARDS_MAX)]
NameField = Annotated[
    str, Meta(pattern="^[a-z0-9-]{1,40}$", description="a name of lower-case letters, digits and hyphens")
]


class FanToken(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="fan"):
    draw: DrawField


class PlayerToken(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="player"):
    type: NameField


TokenHandle = FanToken | PlayerToken


class Stack(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A discard token and the cards face down under it."""

    cards: CardsField
    token: TokenHandle


class Move(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="move"):
    """`changed` is the card that a wild token turns into the move's symbol."""

    cards: CardsField
    changed: DrawField | None
    crowd: bool
    discard: Stack | None
    symbol: NameField
    token: TokenHandle | None


class Reset(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="reset"):
    cards: CardsField
    discard: Stack | None


Action = Move | Reset
