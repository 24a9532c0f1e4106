"""Token types. A player token is named by its type, a fan token by the running number of its draw from the bag."""

from typing import Literal

from msgspec import Struct

from domain.rulesets.charioteer.cards import Colour

TokenIcon = Literal["plus", "wild", "whip", "shield", "recovery", "learning", "discard"]


class TokenType(Struct, frozen=True, kw_only=True):
    """One kind of token. `amount` is the bonus of a plus or the cards of a discard; a higher rank is dearer."""

    index: int
    name: str
    icon: TokenIcon
    amount: int
    colour: Colour | None
    rank: int

    @property
    def is_discard(self) -> bool:
        return self.icon == "discard"

    def fits(self, colour: Colour) -> bool:
        """Whether it may lie on a move of this colour."""
        return not self.is_discard and self.colour in (None, colour)


def name_token(icon: TokenIcon, *, amount: int, colour: Colour | None) -> str:
    """Name a type: "plus-5-red", "wild-black", "discard-2", "shield"."""
    words = [icon, str(amount) if amount else "", colour or ""]
    return "-".join(word for word in words if word)
