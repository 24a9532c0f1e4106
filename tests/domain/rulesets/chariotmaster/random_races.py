"""Whole races of random legal answers, from a seed, for tests that look at every step of one."""

from collections.abc import Iterable, Iterator
from functools import cache
from hashlib import sha256
from random import Random
from typing import Any

from domain.canonical import encode
from domain.ids import Seat
from domain.ruleset.playout import Playout
from domain.rulesets.chariotmaster.offers.choices import Choices, MoveChoices
from domain.rulesets.chariotmaster.race.actions import Action
from domain.rulesets.chariotmaster.race.options import EquipmentRule, Options
from tests.domain.rulesets.chariotmaster.races import RULES, play_out

_EQUIPMENT: tuple[EquipmentRule, ...] = ("none", "open", "races")
# Enough for crashes, drivers on foot and a finish now and then; random drivers seldom last longer.
TURNS = 12


def seeded(seed: int) -> Random:
    return Random(seed)  # noqa: S311 - repeatable play, no secret


def seat_count(seed: int) -> int:
    return 2 + seed % 5


def options_of(seed: int) -> Options:
    return Options(laps=1, equipment=_EQUIPMENT[seed % 3], chariots_each=1 + seed // 5 % 2, turns_max=TURNS)


def candidates_of(choices: Choices) -> tuple[Action, ...]:
    if isinstance(choices, MoveChoices):
        return tuple(candidate.action for candidate in choices.candidates)
    return choices.candidates


def random_race(seed: int) -> Iterator[tuple[Playout, Random]]:
    """Play a race of candidates and stop before each answer, and at the end."""
    random = seeded(seed)
    race = play_out(seat_count(seed), options_of(seed), secret=seed, forfeits_max=None)
    while race.owed():
        yield race, random
        decision = race.owed()[0]
        race.answer(decision, random.choice(candidates_of(RULES.legal_actions(race.board, decision))))
    yield race, random


@cache
def whole_race(seed: int) -> Playout:
    *_, (race, _) = random_race(seed)
    return race


def folded(seed: int, written: list[Any]) -> Iterator[tuple[Any, Any]]:
    """Fold the events of a race without its secret, and yield each with the board after it."""
    board = RULES.initial_board(tuple(Seat(seat) for seat in range(seat_count(seed))), options_of(seed))
    for event in written:
        board = RULES.evolve(board, event, None)
        yield event, board


@cache
def digest(seeds: Iterable[int]) -> str:
    """Return one hash of all events of some races, and of the public's and a seat's view of their ends."""
    told = sha256()
    for seed in seeds:
        race = whole_race(seed)
        shown = [RULES.view(race.board, viewer) for viewer in (None, Seat(0))]
        for event in (*race.written, *shown):
            told.update(encode(event))
    return told.hexdigest()
