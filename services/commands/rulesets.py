"""The rulesets this release knows, each built from the components file in its own folder."""

from importlib.resources import files
from pathlib import Path

from domain.rulesets.chariot_race.ruleset import ChariotRaceRuleset
from domain.rulesets.chariot_race.ruleset import build_ruleset as build_chariot_race
from domain.rulesets.charioteer.ruleset import CharioteerRuleset
from domain.rulesets.charioteer.ruleset import build_ruleset as build_charioteer
from domain.rulesets.chariotmaster.ruleset import ChariotmasterRuleset
from domain.rulesets.chariotmaster.ruleset import build_ruleset as build_chariotmaster
from infra.components import read_components


def components_file(package: str) -> Path:
    """Return where a ruleset's components lie."""
    return Path(str(files(f"domain.rulesets.{package}"))) / "components.toml"


def load_charioteer() -> CharioteerRuleset:
    return build_charioteer(read_components(components_file("charioteer")))


def load_chariot_race() -> ChariotRaceRuleset:
    return build_chariot_race(read_components(components_file("chariot_race")))


def load_chariotmaster() -> ChariotmasterRuleset:
    return build_chariotmaster(read_components(components_file("chariotmaster")))
