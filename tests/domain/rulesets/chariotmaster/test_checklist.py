"""Every rule that is finished has a test that names it: from tables to moving."""

import ast
from pathlib import Path

FINISHED = {
    *(f"T{number}" for number in range(1, 17)),
    *("CM-04", "CM-05", "CM-06", "CM-10", "CM-50", "CM-51", "CM-52", "CM-53", "CM-54", "CM-92", "CM-130", "CM-138"),
    *("CM-55", "CM-56", "CM-57", "CM-104", "CM-105", "CM-106", "CM-122"),
    *("MO-8", "MT-5", "MT-16", "MT-17", "MT-18", "MT-19", "MT-24"),
    *("CM-11", "CM-12", "CM-13", "CM-14", "CM-15", "CM-16", "CM-20", "CM-21", "CM-22", "CM-23", "CM-24", "CM-30"),
    *("CM-31", "CM-32", "CM-33", "CM-91", "CM-115", "CM-120", "CM-124"),
    *(
        "CM-04",
        "CM-05",
        "CM-06",
        "CM-34",
        "CM-40",
        "CM-41",
        "CM-42",
        "CM-43",
        "CM-44",
        "CM-45",
        "CM-46",
        "CM-47",
        "CM-70",
    ),
    *(
        "CM-73",
        "CM-90",
        "CM-93",
        "CM-100",
        "CM-101",
        "CM-110",
        "CM-102",
        "CM-107",
        "CM-111",
        "CM-112",
        "CM-113",
        "CM-114",
    ),
    *("CM-121", "CM-123", "CM-128", "CM-135"),
    *("MO-2", "MO-6", "MO-7", "MO-9", "MO-10", "MO-11", "MO-18", "MO-22", "MO-24", "MO-26"),
    *("MO-4", "MO-13", "MO-15", "MO-28", "MT-4", "MT-10", "MT-12"),
    *("CM-60", "CM-61", "CM-62", "CM-63", "CM-125", "MO-16", "MO-17", "MO-20", "MT-7"),
    *("CM-72", "CM-103", "MO-5", "MO-14", "MO-21", "MO-25", "MO-27"),
    *("CM-65", "CM-71", "CM-74", "CM-80", "CM-81", "CM-126", "CM-127", "MO-12", "MO-19"),
    *("CM-08", "CM-119", "MO-1", "XG-05", "XG-08", "CM-72"),
    *("CM-01", "CM-110", "CM-116", "CM-117", "CM-118", "CM-136", "CM-139", "MO-3", "MO-23"),
    *("XG-06", "XG-07", "XG-09"),
    *("MT-1", "MT-2", "MT-3", "MT-8", "MT-14", "MT-15", "MT-21", "MT-25", "MT-26"),
}


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


def test_every_finished_rule_has_a_test_and_no_test_names_another() -> None:
    marked = {rule for path in Path(__file__).parent.glob("test_*.py") for rule in marked_rules(path)}

    assert marked == FINISHED
