"""The tables of the command line: presets by their names, options by theirs, and what is refused."""

import pytest
import typer

from domain.ruleset.kit import Kit
from domain.rulesets.chariot_race.kit.kit import KIT as CHARIOT_RACE
from domain.rulesets.released import KITS
from domain.sentences.words import Preset
from infra.ruleset_files import read_words
from services.terminal.kits import require_options


@pytest.mark.parametrize(
    ("kit", "preset"),
    [pytest.param(kit, preset, id=preset.name) for kit in KITS for preset in read_words(kit).presets],
)
def test_every_preset_of_a_ruleset_is_a_table_of_the_command_line(kit: Kit, preset: Preset) -> None:
    assert require_options(kit, preset.name.upper(), None) == preset.options


def test_no_table_and_no_option_leaves_the_options_to_the_command() -> None:
    assert require_options(CHARIOT_RACE, None, None) is None
    assert require_options(CHARIOT_RACE, None, []) is None


def test_an_option_changes_the_table_that_is_named_beside_it() -> None:
    assert require_options(CHARIOT_RACE, "Side B", ["rounds_max=3", "no_damage_after_line=true", "second_half=A"]) == {
        **read_words(CHARIOT_RACE).presets[1].options,
        "rounds_max": 3,
        "no_damage_after_line": True,
        "second_half": "A",
    }


@pytest.mark.parametrize(
    ("table", "change", "said"),
    [
        ("Side C", "laps=2", "expected a table out of The box as it comes; Side B; .* found Side C"),
        (None, "laps", "expected an option as NAME=VALUE, found 'laps'"),
        (
            None,
            "rounds_max=many",
            r"expected options of chariot-race@1, found Expected `int`, got `str` - at `\$.rounds_max`",
        ),
        (None, "horses=5", "expected options of chariot-race@1, found Object contains unknown field `horses`"),
    ],
)
def test_a_table_or_an_option_that_there_is_not_is_refused_with_those_there_are(
    table: str | None, change: str, said: str
) -> None:
    with pytest.raises(typer.BadParameter, match=said):
        require_options(CHARIOT_RACE, table, [change])
