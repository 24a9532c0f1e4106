"""The kit of Crowd: all that Spina has to know of it."""

from collections.abc import Sequence
from typing import Any

from domain.ruleset.bot import Numbers
from domain.ruleset.figures import Figures
from domain.ruleset.kit import Kit, Marker
from spina_crowd.rules import Board, Choose, Crowd, GaitChoices, RunnerMoved, View, build_crowd


def choose_at_random(_view: View, choices: GaitChoices, numbers: Numbers) -> Choose:
    return numbers.choice(choices.candidates)


def canter_mostly(_view: View, choices: GaitChoices, numbers: Numbers) -> Choose:
    return numbers.choices(choices.candidates, (2, 5, 3))[0]


def measure(board: Board, written: Sequence[Any]) -> Figures:
    return {"rounds": board.round, "crowded": sum(isinstance(told, RunnerMoved) and told.crowded for told in written)}


KIT = Kit(
    ruleset=Crowd,
    build=build_crowd,
    folder=__file__.rsplit("/", 1)[0],
    turn=Marker(event="round_began", field="round"),
    bots={"random": choose_at_random, "steady": canter_mostly},
    favourites=("steady", "random"),
    measure=measure,
    offers_all_answers=True,
)
