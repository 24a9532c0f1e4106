"""The bounds of a ruleset's code, by source alone: each way out of them is found with its line."""

from pathlib import Path

import pytest

from domain.ruleset.bounds import STDLIB, find_violations
from tests.architecture.kept_files import ROOT


def find(source: str, module: str = "crowd.rules") -> list[str]:
    return find_violations("crowd", module, source)


@pytest.mark.parametrize(
    ("source", "violation"),
    [
        ("import os", "imports os"),
        ("import os.path as p", "imports os.path"),
        ("from random import Random", "imports random"),
        ("import time, math", "imports time"),
        ("from domain import game", "imports domain.game"),
        ("from domain.game.state import Game", "imports domain.game.state"),
        ("import services.node", "imports services.node"),
        ("from domain.rulesetx import y", "imports domain.rulesetx"),
        ("import requests", "imports requests"),
        ("x = open('a')", "calls open"),
        ("x = eval('1')", "calls eval"),
        ("x = __import__('os')", "reads __import__"),
        ("load = __import__", "reads __import__"),
        ("setattr(a, 'b', 1)", "reads setattr"),
        ("x = map(vars, y)", "reads vars"),
        ("__path__.append('a')", "reads __path__"),
        ("from enum import sys", "imports sys"),
        ("from collections import _sys as s", "imports _sys"),
        ("import enum as e; x = e.sys", "reads e.sys"),
        ("import collections; x = collections._sys.modules", "reads collections._sys"),
        ("x = hash('a')", "calls hash"),
        ("x = id(1)", "calls id"),
        ("x = ().__class__", "reads __class__"),
        ("x = f.__globals__", "reads __globals__"),
        ("x = __builtins__", "reads __builtins__"),
        ("x = 0.5", "has a float"),
        ("async def f(): ...", "is asynchronous"),
        ("x = datetime.now()", "reads the clock by now"),
        ("x = (", "is no Python: '(' was never closed"),
    ],
)
def test_a_way_out_is_found(source: str, violation: str) -> None:
    assert find(f"a = 1\n{source}\n") == [f"crowd.rules:2 {violation}"]


def test_the_bots_of_a_package_may_weigh_in_floats() -> None:
    assert find("x = 0.5", "crowd.bots.steady") == []
    assert find("import os", "crowd.bots.steady") == ["crowd.bots.steady:1 imports os"]


@pytest.mark.parametrize("name", sorted(STDLIB))
def test_a_module_without_effects_may_be_imported(name: str) -> None:
    assert find(f"import {name}") == []


def test_the_contract_the_package_itself_and_msgspec_may_be_imported() -> None:
    names = ["msgspec", "crowd.rules", "domain.ruleset.kit", "domain.canonical", "domain.chance", "domain.ids"]

    assert find("\n".join(f"import {name}" for name in names) + "\nfrom .rules import Crowd\n") == []


@pytest.mark.parametrize("path", sorted((ROOT / "domain" / "rulesets").glob("*/**/*.py")), ids=lambda path: path.stem)
def test_the_rulesets_of_the_release_keep_the_same_bounds(path: Path) -> None:
    module = ".".join(path.relative_to(ROOT).with_suffix("").parts)

    found = find_violations("domain", module, path.read_text())

    assert found == []
