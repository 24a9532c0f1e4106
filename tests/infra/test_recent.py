"""A bounded cache: the values used last stay."""

from infra.recent import Recent


def test_values_used_last_are_kept() -> None:
    values: Recent[str, int] = Recent(2)
    values.keep("a", 1)
    values.keep("b", 2)
    values.find("a")

    values.keep("c", 3)

    assert values.find("a") == 1
    assert values.find("b") is None
    assert values.list_keys() == ["c", "a"]
