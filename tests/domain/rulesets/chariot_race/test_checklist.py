"""No rule without a test: the marks in this folder are compared with the list."""

import ast
from pathlib import Path

from tests.domain.rulesets.chariot_race.checklist import CHECKLIST


def test_each_rule_of_the_list_is_tested_and_each_mark_is_on_the_list() -> None:
    marked = {rule for path in Path(__file__).parent.glob("test_*.py") for rule in _marks(path)}

    assert sorted(set(CHECKLIST) - marked) == []
    assert sorted(marked - set(CHECKLIST)) == []


def _marks(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.rule":
            found |= {str(ast.literal_eval(argument)) for argument in node.args}
    return found
