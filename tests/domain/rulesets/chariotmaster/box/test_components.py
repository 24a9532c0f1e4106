"""The components file: complete, marked, and refused with a path when anything in it does not fit."""

import re
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from domain.rulesets.chariotmaster.box.bases import (
    axle,
    chariot_shape,
    dragging_shape,
    driver_shape,
    team_shape,
    wreck_shape,
)
from domain.rulesets.chariotmaster.box.component_file import SOURCES
from domain.rulesets.chariotmaster.box.components import BrokenComponents, build_components
from domain.rulesets.chariotmaster.table.course import build_course
from tests.domain.rulesets.chariotmaster.cases import CHARIOT, DRAGGING, ON_FOOT, TEAM, WRECK
from tests.domain.rulesets.chariotmaster.default_course import COURSE
from tests.domain.rulesets.chariotmaster.own_components import BOX, DATA

Damage = Callable[[dict[str, Any]], object]


def rows_without_source(value: Any, path: str) -> list[str]:
    """A table needs a source of its own, or tables inside that have one."""
    if isinstance(value, list):
        return [found for place, item in enumerate(value) for found in rows_without_source(item, f"{path}[{place}]")]
    if not isinstance(value, dict) or "source" in value:
        return []
    inner = [rows_without_source(item, f"{path}.{name}") for name, item in value.items()]
    plain = [name for name, item in value.items() if not isinstance(item, dict | list)]
    return [path] * bool(plain) + [found for part in inner for found in part]


def test_every_value_says_where_it_comes_from() -> None:
    numbers = DATA["numbers"]
    tables = {name: table for name, table in DATA.items() if name != "numbers"}

    assert isinstance(numbers, dict)
    assert set(numbers) <= set(SOURCES)
    assert rows_without_source(tables, "$") == []


@pytest.mark.rule("CM-113", "MO-2")
def test_the_bases_are_those_of_the_default_models() -> None:
    assert chariot_shape(BOX) == CHARIOT
    assert (team_shape(BOX), dragging_shape(BOX)) == (TEAM, DRAGGING)
    assert (wreck_shape(BOX), driver_shape(BOX)) == (WRECK, ON_FOOT)
    assert axle(BOX) == (-10_000, -10_000)


@pytest.mark.rule("CM-111", "MO-2")
def test_the_course_is_the_default_circus() -> None:
    circus = BOX.courses[0]

    assert build_course(circus.pieces, width_um=circus.width_mm * 1_000) == COURSE


def put(*path: str | int, value: object) -> Damage:
    def damage(data: dict[str, Any]) -> None:
        here: Any = data
        for step in path[:-1]:
            here = here[step]
        here[path[-1]] = value

    return damage


def remove(*path: str | int) -> Damage:
    def damage(data: dict[str, Any]) -> None:
        here: Any = data
        for step in path[:-1]:
            here = here[step]
        del here[path[-1]]

    return damage


@pytest.mark.parametrize(
    ("damage", "path"),
    [
        (remove("numbers"), "$.numbers"),
        (put("numbers", "guessed", value={"laps": 3}), "$.numbers"),
        (put("numbers", "default", "hit_min", value=4), "$.numbers.default"),
        (put("numbers", "default", "unheard_of", value=4), "$.numbers"),
        (put("numbers", "default", "laps", value="three"), "$.numbers.laps"),
        (put("numbers", "stated", "hit_min", value=7), "$.numbers.hit_min"),
        (remove("numbers", "default", "laps"), "$.numbers"),
        (put("numbers", "default", "seats_max", value=13), "$.numbers"),
        (put("numbers", "default", "seats_min", value=7), "$.numbers"),
        (put("numbers", "default", "chariots_max", value=13), "$.numbers"),
        (put("numbers", "default", "axle_from_rear_mm", value=21), "$.numbers"),
        (put("bases", "horses", "length_mm", value=0), "$.bases.horses.length_mm"),
        (remove("bases", "wreck"), "$.bases"),
        (put("courses", 0, "width_mm", value=150), "$.courses[0]"),
        (put("courses", 0, "pieces", 1, "degrees", value=179), "$.courses[0].pieces[1].degrees"),
        (put("courses", 0, "pieces", 1, "turn", value="right"), "$.courses[0]"),
        (put("tokens", 3, "reading", value="ordinary"), "$.tokens"),
        (remove("tokens", 0), "$.tokens"),
        (put("tokens", 1, "max_mm", value=40), "$.tokens[1]"),
        (remove("tokens", 1, "source"), "$.tokens[1]"),
        (put("tokens", 1, "source", value="rumour"), "$.tokens[1].source"),
        (put("grab_test", "token_5", value=9), "$.grab_test.token_5"),
        (remove("collision_values", 0), "$.collision_values"),
        (put("body_values", 0, "structure_min", value=1), "$.body_values"),
        (put("body_values", 1, "structure_min", value=7), "$.body_values"),
        (remove("damage", 4), "$.damage"),
        (remove("bounce", 2), "$.bounce[2]"),
        (remove("bounce", 4), "$.bounce[3]"),
        (remove("running_through", 0), "$.running_through[0]"),
        (put("running_through", 4, "bounce_max", value=2), "$.running_through[4]"),
        (put("running_through", value=[]), "$.running_through"),
        (remove("out_of_points", 0), "$.out_of_points[0]"),
        (put("out_of_points", 1, "roll_max", value=4), "$.out_of_points[2]"),
        (put("out_of_points", 6, "roll_max", value=9), "$.out_of_points"),
        (put("out_of_points", 1, "effects", value=["sneezes"]), "$.out_of_points[1].effects[0]"),
        (put("equipment", 1, "name", value="light"), "$.equipment"),
        (put("equipment", 6, "excludes", value=["golden"]), "$.equipment[6]"),
        (remove("equipment", 0, "structure"), "$.equipment[0]"),
        (put("races", 0, "may_choose", value=["golden"]), "$.races[0]"),
        (put("races", 2, "must_take", value=["boars", "boars"]), "$.races[2]"),
        (put("races", 4, "must_take", value=[]), "$.races[4]"),
        (put("races", 4, "name", value="orcs"), "$.races"),
        (put("numbers", "default", "equipment_points", value=1), "$.races"),
        (put("extra", value=1), "$"),
    ],
)
def test_a_file_that_does_not_fit_is_refused_with_the_path(damage: Damage, path: str) -> None:
    data: Any = deepcopy(DATA)
    damage(data)

    with pytest.raises(BrokenComponents) as refusal:
        build_components(data)

    assert refusal.value.path == path
    assert re.match(re.escape(path) + ": expected .+, found .+", str(refusal.value))
