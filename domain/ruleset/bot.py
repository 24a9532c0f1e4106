"""A bot: a function from a seat's own view and its choices to an action, with random numbers as an argument.

A bot's choice is an input like a player's, so it decides nothing that has to be proven.
"""

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

T = TypeVar("T")
View = TypeVar("View")
Choices = TypeVar("Choices")
Action = TypeVar("Action")


class Numbers(Protocol):
    """The methods of `random.Random` that bots call."""

    def randint(self, a: int, b: int) -> int: ...
    def randrange(self, start: int) -> int: ...
    def choice(self, seq: Sequence[T]) -> T: ...
    def choices(self, population: Sequence[T], weights: Sequence[int]) -> list[T]: ...
    def sample(self, population: Sequence[T], k: int) -> list[T]: ...


# From the seat's own view, and the choices of one of its decisions, to a legal action.
Choose = Callable[[View, Choices, Numbers], Action]
