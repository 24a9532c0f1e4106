"""The measurement of recorded games plays real ones: their logs are whole and decide again."""

import pytest

from bench.figures import RATIO
from bench.recorded_games import build_opening, measure_recorded_games, play, play_entries
from domain.chance import Secret
from domain.game.kind import GAMES
from domain.log.replay import read_entry
from domain.ruleset.catalogue import Catalogue
from domain.ruleset.kit import Kit
from domain.ruleset.ruleset import AnyRuleset
from domain.rulesets.chariot_race.kit import kit as chariot_race
from domain.rulesets.charioteer.kit import kit as charioteer
from domain.rulesets.released import KITS
from infra.ruleset_files import load_ruleset
from tests.domain.log.redeciding import redecide

RULESETS: list[AnyRuleset] = [load_ruleset(charioteer.KIT), load_ruleset(chariot_race.KIT)]


@pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: str(rules.name))
def test_a_measured_game_is_played_to_its_end_and_decides_again(rules: AnyRuleset) -> None:
    raws = play(rules, Secret(bytes(32)))

    assert redecide(GAMES, raws, Catalogue([rules]), Secret(bytes(32))).is_disclosed


@pytest.mark.parametrize("kit", KITS, ids=lambda kit: str(kit.name))
def test_a_line_of_a_real_game_is_the_same_as_written_and_as_read(kit: Kit) -> None:
    rules = load_ruleset(kit)

    for written in play_entries(build_opening(rules, Secret(bytes(32)), dict(kit.short)), rules):
        read = read_entry(GAMES, written.raw, rules)
        # Two that are equal may still be distinguished: True is 1.
        assert (written, repr(written)) == (read, repr(read))


def test_figures_are_of_the_log_that_was_played() -> None:
    figures = measure_recorded_games(RULESETS[1], games=1)

    assert figures.title.startswith("chariot-race@1: a recorded game of ")
    assert figures.rows["decode and hash alone"][RATIO] == 1.0
