"""The checklist: every numbered rule, open fact and worked example of the game, each shown by a test that names it."""

import ast
from pathlib import Path

import pytest


def numbered(prefix: str, *ranges: tuple[int, int], width: int = 2) -> tuple[str, ...]:
    return tuple(f"{prefix}-{number:0{width}}" for first, last in ranges for number in range(first, last + 1))


CHECKLIST = (
    *numbered("CH", (1, 8), (10, 18), (20, 23), (30, 38), (40, 43), (45, 47), (50, 55), (60, 61), (65, 68), (70, 81)),
    *numbered("CH", (85, 97)),
    *numbered("CO", (1, 24), width=1),
    *numbered("CT", (1, 20), (22, 23), (26, 26), (28, 28), (31, 32), width=1),
    *numbered("XG", (1, 10)),
)


def rules_shown(path: Path) -> set[str]:
    """Collect the rules that a file's tests are marked with."""
    shown: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            for mark in node.decorator_list:
                if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.rule":
                    shown |= {str(ast.literal_eval(argument)) for argument in mark.args}
    return shown


SHOWN = frozenset[str]().union(*(rules_shown(path) for path in Path(__file__).parent.glob("test_*.py")))


@pytest.mark.parametrize("rule", CHECKLIST)
def test_every_rule_is_shown_by_a_test(rule: str) -> None:
    assert rule in SHOWN


def test_no_test_names_a_rule_that_is_not_on_the_list() -> None:
    assert sorted(SHOWN - set(CHECKLIST)) == []
