"""The speed suggested in Chariot Race, and the order of its spaces."""

from typing import Any

from tests.services.web.node import run

SUGGEST = """
const { findEasy, listSpeeds } = await import("./rulesets/chariot_race/move_panel.js");
const { speed, spaces } = findEasy(listSpeeds(given));
console.log(JSON.stringify([speed, spaces.map(({ name }) => name)]));
"""


def way(space: str, *, damage: int, left: int, front: int = 0) -> dict[str, Any]:
    return {"space": space, "path": "I", "damage": damage, "damage_left": left, "front": front, "incidents": []}


def suggest(**moves: list[dict[str, Any]]) -> Any:
    speeds = [{"speed": int(name[1:]), "minuses": [0], "moves": each} for name, each in moves.items()]
    return run(SUGGEST, {"speeds": speeds})


def test_a_speed_that_wrecks_for_little_damage_is_not_suggested() -> None:
    stones = [way("I5", damage=0, left=0)]
    corner = [way("I4", damage=3, left=1)]

    assert suggest(s4=corner, s5=stones) == [4, ["I4"]]


def test_a_wreck_comes_after_every_other_space() -> None:
    moves = [way("I5", damage=0, left=0, front=9), way("M5", damage=2, left=2), way("O5", damage=2, left=2, front=5)]

    assert suggest(s5=moves) == [5, ["O5", "M5", "I5"]]


def test_the_fastest_of_equally_cheap_speeds_is_suggested() -> None:
    assert suggest(s3=[way("I3", damage=0, left=4)], s4=[way("I4", damage=0, left=4)]) == [4, ["I4"]]
