"""The kit of Dash."""

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from domain.ruleset.bot import Numbers
from domain.ruleset.figures import Figures
from domain.ruleset.kit import Kit, Marker
from tests.rulesets.dash.dash import Board, Dash, Run, RunChoices, RunnerMoved, View, build_dash


def dare(_view: View, _choices: RunChoices, _numbers: Numbers) -> Run:
    return Run(kind="dare")


def waver(_view: View, _choices: RunChoices, numbers: Numbers) -> Run:
    return Run(kind="dare" if numbers.randrange(2) else "walk")


def measure(board: Board, written: Sequence[Struct]) -> Figures:
    falls = sum(isinstance(event, RunnerMoved) and not event.spaces for event in written)
    return {"dashes": board.dash, "falls": falls}


KIT = Kit(
    ruleset=Dash,
    build=build_dash,
    folder=str(Path(__file__).parent),
    turn=Marker(event="dash_began", field="number"),
    bots={"daring": dare, "wavering": waver},
    favourites=("daring", "wavering"),
    measure=measure,
    offers_all_answers=True,
)
