"""Symbols, card faces and tokens. Cards with the same text are the same to the rules.

A player token is named by its type, a fan token by the running number of its draw from the bag.
"""

from typing import Literal

from msgspec import Struct

# Example: "red-1 red-1 shield" is a card with two red-1 and a shield; "whip" is a whip alone.
#
#     face   = word *(" " word), symbols first, then icons
#     word   = colour "-" number | icon
#
# Refused: an unknown word, an empty face, a second icon. Formatting a parsed face gives back the same text.

Colour = Literal["green", "red", "yellow", "black"]
# The order in which colours are listed and ties are broken.
COLOURS: tuple[Colour, ...] = ("green", "red", "yellow", "black")

CardIcon = Literal["shield", "whip", "recovery", "learning"]
CARD_ICONS: tuple[CardIcon, ...] = ("shield", "whip", "recovery", "learning")


class Symbol(Struct, frozen=True, kw_only=True):
    """One of the twelve combinations of a colour and a number."""

    index: int
    name: str
    colour: Colour
    colour_index: int
    number: int


class Face(Struct, frozen=True, kw_only=True):
    """The face of a card. `counts` has the number of each symbol, by its index; `symbols` lists those that occur."""

    text: str
    counts: tuple[int, ...]
    symbols: tuple[int, ...]
    icon: CardIcon | None
    # The symbols by name, each as often as it stands there.
    words: tuple[str, ...]

    @property
    def goes_with_any_move(self) -> bool:
        return not self.symbols


class UnknownWord(ValueError):
    """A face has a word that no card shows."""

    def __init__(self, *, face: str, word: str) -> None:
        self.face = face
        self.word = word
        super().__init__(f"{face!r}: expected a symbol or at last an icon, found {word!r}")


def build_symbol(index: int, colour: Colour, number: int) -> Symbol:
    name = f"{colour}-{number}"
    return Symbol(index=index, name=name, colour=colour, colour_index=COLOURS.index(colour), number=number)


def parse_face(text: str, symbols: tuple[Symbol, ...]) -> Face:
    """Read a face; raises UnknownWord."""
    places = {symbol.name: symbol.index for symbol in symbols}
    counts = [0] * len(symbols)
    icon: CardIcon | None = None
    for word in text.split(" "):
        if icon is not None:
            raise UnknownWord(face=text, word=word)
        if word in places:
            counts[places[word]] += 1
        else:
            icon = _parse_icon(text, word)
    shown = tuple(index for index, count in enumerate(counts) if count)
    words = tuple(word for word in text.split(" ") if word in places)
    return Face(text=text, counts=tuple(counts), symbols=shown, icon=icon, words=words)


def _parse_icon(text: str, word: str) -> CardIcon:
    for icon in CARD_ICONS:
        if icon == word:
            return icon
    raise UnknownWord(face=text, word=word)


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
