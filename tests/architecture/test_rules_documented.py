"""Rules and options of a game stand in its document: every number that is cited, and none without a test.

A rule is a list item of a document that begins with its number in bold. Those of all-games.md hold for every ruleset.
"""

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

from domain.rulesets.released import KITS
from tests.architecture.kept_files import ROOT

FOR_ALL = ROOT / "domain/rulesets/all-games.md"
KIT_OF = {Path(kit.folder) / "rules.md": kit for kit in KITS}
GAMES = list(KIT_OF)
ITEM = re.compile(r"^- \*\*([A-Z]+-?[0-9]+)\*\*", re.MULTILINE)
SOURCES = {".py", ".toml"}
NUMBERED = {rule for path in (FOR_ALL, *GAMES) for rule in ITEM.findall(path.read_text()) if "-" in rule}
PREFIXES = {rule.split("-")[0] for rule in NUMBERED}
CITED = re.compile(rf"\b(?:{'|'.join(sorted(PREFIXES))})-[0-9]+\b")


def documented(game: Path) -> list[str]:
    return ITEM.findall(game.read_text()) + ITEM.findall(FOR_ALL.read_text())


def folders(game: Path) -> tuple[Path, Path]:
    """Find the ruleset of a document, and its tests."""
    return game.parent, ROOT / "tests/domain/rulesets" / game.parent.name


def cited(path: Path) -> set[str]:
    return set(CITED.findall(path.read_text()))


def marked(path: Path) -> set[str]:
    """Collect the rules that the tests of a file are marked with."""
    return {
        str(ast.literal_eval(argument))
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.rule"
        for argument in node.args
    }


def union(sets: list[set[str]]) -> set[str]:
    return set().union(*sets)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.parent.name)
def test_every_rule_that_is_cited_is_documented_once(game: Path) -> None:
    rules = Counter(documented(game))
    found = union([cited(path) for folder in folders(game) for path in folder.rglob("*.*") if path.suffix in SOURCES])

    assert found
    assert sorted(found - set(rules)) == []
    assert [rule for rule, count in rules.items() if count > 1] == []


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.parent.name)
def test_every_rule_of_a_document_has_a_test(game: Path) -> None:
    _, tests = folders(game)
    shown = union([marked(path) for path in tests.rglob("test_*.py")])

    assert sorted(set(documented(game)) - shown) == []
    assert sorted(shown - set(documented(game))) == []


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.parent.name)
def test_every_option_of_a_game_is_documented(game: Path) -> None:
    names = KIT_OF[game].ruleset.options_type.__struct_fields__
    text = game.read_text()

    assert names
    assert [name for name in names if f"`{name}`" not in text] == []
