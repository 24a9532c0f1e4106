"""Small pieces of sentences that every story needs. A seat is told by its number: who sits there, accounts know."""

from collections.abc import Iterable
from typing import Literal

# How much a sentence matters: "quiet" ones are for the curious; with the others but "plain" a story can be entered.
Weight = Literal["plain", "quiet", "turn", "lap", "end"]


def count(number: int, one: str, many: str | None = None) -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"


def enumerate_all(items: Iterable[object]) -> str:
    """Write a list as people do: the first, the second and the third."""
    *others, last = [str(each) for each in items] or [""]
    return f"{', '.join(others)} and {last}" if others else last


def seat_of(number: int) -> str:
    return f"Seat {number}"


def seats_of(numbers: Iterable[int]) -> str:
    return enumerate_all(f"seat {each}" for each in numbers)


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def spaced(name: str) -> str:
    return name.replace("_", " ")


def tell_tag(tag: str) -> str:
    """Tell what has no sentence yet: an event of a later release than this one."""
    return f"{capital(spaced(tag))}."
