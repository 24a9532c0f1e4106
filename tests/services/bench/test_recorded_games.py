"""The measurement of recorded games plays real ones: their logs are whole and decide again."""

import pytest

from domain.chance import Secret
from domain.game.replay import redecide
from domain.rulesets.catalogue import Catalogue
from domain.rulesets.ruleset import AnyRuleset
from services.bench.recorded_games import measure_recorded_games, play
from services.rulesets import load_chariot_race, load_charioteer

RULESETS: list[AnyRuleset] = [load_charioteer(), load_chariot_race()]


@pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: str(rules.name))
def test_a_measured_game_is_played_to_its_end_and_decides_again(rules: AnyRuleset) -> None:
    raws = play(rules, Secret(bytes(32)))

    assert redecide(raws, Catalogue([rules]), Secret(bytes(32))).is_disclosed


def test_figures_are_of_the_log_that_was_played() -> None:
    figures = measure_recorded_games(RULESETS[1], games=1)

    assert figures.events > 100
    assert figures.reading["decode and hash alone"].ratio == 1.0
