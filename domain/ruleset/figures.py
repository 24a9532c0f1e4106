"""The figures of games between bots: a ruleset's measures of one game, and the sums over many games."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

# The figures of one game, from its final board and all outcomes. Numbers are averaged and words counted; the first is
# the length of a game.
Figures = Mapping[str, int | tuple[str, ...]]
Measure = Callable[[Any, Sequence[Struct]], Figures]
# From a ruleset and a board between two decisions to the faults of that board; nothing if the rules are right.
FindUnsound = Callable[[Any, Any], tuple[str, ...]]


class Share(Struct, frozen=True, kw_only=True):
    """How often a bot won, a shared win included, and how often it would by chance: by the seats it had."""

    bot: str
    wins: int
    expected: float


class Duel(Struct, frozen=True, kw_only=True):
    """How often a bot ended ahead of a rival of the same game, by pairs of their seats. A shared place counts half."""

    bot: str
    rival: str
    pairs: int
    ahead: float


class Summary(Struct, frozen=True, kw_only=True):
    """`lengths` counts the games of each length, shortest first; `lead_changes` the games with so many changes."""

    games: int
    seats: int
    shares: tuple[Share, ...]
    duels: tuple[Duel, ...]
    lengths: tuple[tuple[int, int], ...]
    lead_changes: tuple[tuple[int, int], ...]
    means: dict[str, float]
    counts: dict[str, dict[str, int]]
    unsound: tuple[str, ...]


class Claim(Struct, frozen=True, kw_only=True):
    """A statement of a game's designer about the published game, and whether the simulated games bear it out."""

    claim: str
    found: str
    holds: bool


JudgeClaims = Callable[[Summary], tuple[Claim, ...]]


def measure_nothing(_board: Any, _written: Sequence[Struct]) -> Figures:
    return {}


def find_nothing_unsound(_ruleset: Any, _board: Any) -> tuple[str, ...]:
    return ()


def judge_nothing(_summary: Summary) -> tuple[Claim, ...]:
    return ()
