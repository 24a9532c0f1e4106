"""Tries a box before anybody plays with it: bots finish a game of every number of seats, and no board is unsound."""

from collections.abc import Iterator
from itertools import cycle, islice

from domain.rejection import Rejection
from domain.ruleset.kit import Kit
from domain.ruleset.ruleset import AnyRuleset
from services.practice.games import Plan, play_game


class BoxUnplayable(Exception):
    """Bots cannot play a game with the box to its end; the message has the game, and the fault."""


def try_box(kit: Kit, rules: AnyRuleset, *, games: int, seed: int) -> Iterator[int]:
    """Play so many games, the seats in turn, and yield the number of each that ended well. Raises BoxUnplayable."""
    counts = tuple(rules.seats)
    for number in range(games):
        seats = counts[number % len(counts)]
        # One whole game of each number of seats; then short ones.
        options = {} if number < len(counts) else kit.short
        plan = Plan(bots=tuple(islice(cycle(kit.favourites), seats)), games=games, seed=seed, options=options)
        try:
            played = play_game(kit, rules, plan, number)
        except (Rejection, ArithmeticError, LookupError, ValueError, TypeError, AssertionError) as error:
            raise BoxUnplayable(
                f"expected {seats} bots to play game {number} to its end, found {type(error).__name__}: {error}"
            ) from error
        if played.unsound:
            raise BoxUnplayable(f"expected sound boards, found {played.unsound[0]}")
        yield number
