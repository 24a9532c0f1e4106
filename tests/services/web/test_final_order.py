"""The order at the end of a race names the drivers whose chariots are out, and why."""

from typing import Any

from tests.services.web.node import run

TELL = """
const { setNames, tellOrder } = await import("./parts/names.js");
setNames({ 0: "Ada", 1: "Bob" });
console.log(JSON.stringify(tellOrder(given[0], given[1])));
"""
RANKING = [{"place": 1, "seat": 0}, {"place": 2, "seat": 1}]


def tell(*chariots: dict[str, Any]) -> Any:
    return run(TELL, [RANKING, chariots])


def test_a_wreck_is_named_in_the_final_order() -> None:
    assert tell({"seat": 0, "fate": None}, {"seat": 1, "fate": "wrecked"}) == "Final order: 1. Ada and 2. Bob (wrecked)"


def test_a_driver_with_another_chariot_in_the_race_is_not_out() -> None:
    chariots: list[dict[str, Any]] = [
        {"seat": 0, "fate": None},
        {"seat": 1, "fate": "wrecked"},
        {"seat": 1, "fate": None},
    ]

    assert tell(*chariots) == "Final order: 1. Ada and 2. Bob"
