"""The bench of Chariot Race measures what it says, on boards that can be."""

from pathlib import Path
from random import Random

from bench.chariot_race import crowd, measure_chariot_race
from domain.rulesets.chariot_race.board import space_of
from domain.rulesets.chariot_race.ruleset import build_ruleset
from infra.components import read_components

RULES = build_ruleset(
    read_components(Path(__file__).parents[2] / "domain/rulesets/chariot_race/components.toml"),
)


def test_each_figure_comes_from_as_many_events_as_were_asked_for() -> None:
    cost = measure_chariot_race(RULES, races=2, searches=5)

    for rate in (cost.absent, cost.bots, cost.paths):
        assert rate.events_per_s > 0
        assert 0 < rate.p50_ms <= rate.p99_ms


def test_on_a_crowded_track_nobody_stands_on_another_or_on_a_caltrop() -> None:
    board = crowd(RULES, Random(1))  # noqa: S311 - made-up boards

    taken = [*(space_of(board, chariot) for chariot in board.chariots), *board.caltrops]

    assert len(set(taken)) == len(taken) == 16
