"""The checklist: every numbered rule, table, open fact and worked example of the game has a test that names it."""

import ast
from pathlib import Path

import pytest


def numbered(prefix: str, *ranges: tuple[int, int], width: int = 1) -> tuple[str, ...]:
    return tuple(f"{prefix}{number:0{width}}" for first, last in ranges for number in range(first, last + 1))


CHECKLIST = (
    *numbered("CM-", (1, 8), (10, 16), (20, 24), (30, 34), (40, 47), (50, 57), (60, 63), (65, 65), (70, 74), width=2),
    *numbered("CM-", (80, 81), (90, 93), (100, 107), (110, 128), (130, 130), (135, 136), (138, 139), width=2),
    *numbered("T", (1, 16)),
    *numbered("MO-", (1, 28)),
    *numbered("MT-", (1, 8), (10, 10), (12, 12), (14, 19), (21, 21), (24, 26)),
    *numbered("XG-", (1, 10), width=2),
)


def marked_rules(path: Path) -> set[str]:
    """Collect the ids in the rule markers above the tests of a file."""
    calls = [
        decorator
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
        for decorator in node.decorator_list
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "pytest.mark.rule"
    ]
    return {str(argument.value) for call in calls for argument in call.args if isinstance(argument, ast.Constant)}


MARKED = frozenset[str]().union(*(marked_rules(path) for path in Path(__file__).parent.rglob("test_*.py")))


@pytest.mark.parametrize("rule", CHECKLIST)
def test_every_rule_has_a_test(rule: str) -> None:
    assert rule in MARKED


def test_no_test_names_a_rule_that_is_not_on_the_list() -> None:
    assert sorted(MARKED - set(CHECKLIST)) == []
