"""The components as they are shipped, read once."""

from pathlib import Path

import domain.rulesets.chariotmaster
from domain.canonical import Json
from domain.rulesets.chariotmaster.box.components import build_components
from infra.ruleset_files import read_components

FILE = Path(domain.rulesets.chariotmaster.__path__[0]) / "components.toml"
DATA: dict[str, Json] = read_components(FILE)
BOX = build_components(DATA)
