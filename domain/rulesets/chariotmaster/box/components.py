"""Reading components: from plain data to tables that are complete and fit together. A broken file is refused.

A refusal names the path in the file.
"""

from collections.abc import Iterable, Sequence
from typing import Any, get_args

import msgspec

from domain.canonical import Json
from domain.ids import SEATS_MAX
from domain.rulesets.chariotmaster.box import component_file
from domain.rulesets.chariotmaster.box.bases import chariot_shape
from domain.rulesets.chariotmaster.box.building import IllegalBuild, check_build, default_build
from domain.rulesets.chariotmaster.table.course import UM_PER_MM, UnfitCourse, build_course
from domain.rulesets.chariotmaster.table.grid import PLACES_MIN, build_grid


class BrokenComponents(ValueError):
    """The file cannot be played from."""

    def __init__(self, *, path: str, expected: str, found: str) -> None:
        self.path = path
        self.expected = expected
        self.found = found
        super().__init__(f"{path}: expected {expected}, found {found}")


def build_components(data: Json) -> component_file.Components:
    """Check the data of a file: types first, then the tables against each other; raises BrokenComponents."""
    components = _decode(data)
    _check_numbers(components)
    _check_tokens(components)
    _check_tables(components)
    _check_points_tables(components.out_of_points)
    _check_equipment(components)
    _check_races(components)
    _check_courses(components)
    return components


def _decode(data: Json) -> component_file.Components:
    if not isinstance(data, dict) or not isinstance(data.get("numbers"), dict):
        raise BrokenComponents(path="$.numbers", expected="numbers under their sources", found="none")
    try:
        return msgspec.convert({**data, "numbers": _flat_numbers(data["numbers"])}, component_file.Components)
    except msgspec.ValidationError as error:
        problem, _, path = str(error).partition(" - at ")
        raise BrokenComponents(path=path.strip("`") or "$", expected="a table of this game", found=problem) from error


def _flat_numbers(sections: dict[str, Any]) -> dict[str, Json]:
    numbers: dict[str, Json] = {}
    for source, section in sections.items():
        if source not in component_file.SOURCES or not isinstance(section, dict):
            raise BrokenComponents(
                path="$.numbers", expected=f"a section for one of {component_file.SOURCES}", found=source
            )
        for name, value in section.items():
            if name in numbers:
                raise BrokenComponents(path=f"$.numbers.{source}", expected="each number once", found=f"{name} again")
            numbers[name] = value
    return numbers


def _check_numbers(components: component_file.Components) -> None:
    numbers = components.numbers
    _require(
        numbers.seats_min <= numbers.seats_max <= SEATS_MAX,
        path="$.numbers",
        expected=f"at most {SEATS_MAX} seats, and not fewer than the fewest",
        found=f"{numbers.seats_min} to {numbers.seats_max}",
    )
    _require(
        numbers.seats_max <= numbers.chariots_max <= 2 * PLACES_MIN,
        path="$.numbers",
        expected=f"a chariot a seat, and at most {2 * PLACES_MIN}",
        found=f"{numbers.chariots_max} chariots",
    )
    _require(
        numbers.axle_from_rear_mm <= components.bases.body.length_mm,
        path="$.numbers",
        expected="an axle under the body",
        found=f"{numbers.axle_from_rear_mm} mm from the rear",
    )


def _check_tokens(components: component_file.Components) -> None:
    rows = components.tokens
    _require_distinct("$.tokens", [f"{row.token} {row.reading}" for row in rows])
    ordinary = [row.token for row in rows if row.reading == "ordinary"]
    _require_all("$.tokens", expected=component_file.TOKENS, found=ordinary)
    for place, row in enumerate(rows):
        _require(
            row.min_mm <= row.max_mm,
            path=f"$.tokens[{place}]",
            expected=f"at least the minimum of {row.min_mm} mm",
            found=f"a maximum of {row.max_mm} mm",
        )


def _check_tables(components: component_file.Components) -> None:
    parts = [row.part for row in components.collision_values]
    _require_all("$.collision_values", expected=get_args(component_file.CollisionPart), found=parts)
    _require_all(
        "$.damage", expected=get_args(component_file.DamagedPart), found=[row.part for row in components.damage]
    )
    steps = [row.structure_min for row in components.body_values]
    _require(
        bool(steps) and steps[0] == 0 and steps == sorted(set(steps)),
        path="$.body_values",
        expected="rows that rise from 0",
        found=str(steps),
    )
    _check_bounces("$.running_through", components.running_through)
    _check_bounces("$.bounce", components.bounce)


def _check_bounces(path: str, rows: Sequence[component_file.RunningThroughRow | component_file.BounceRow]) -> None:
    """Require rows that cover every whole number once, from the lowest up."""
    _require(bool(rows), path=path, expected="rows", found="none")
    _require(rows[0].bounce_min is None, path=f"{path}[0]", expected="no bounce_min", found=str(rows[0].bounce_min))
    for place, row in enumerate(rows):
        is_last = place == len(rows) - 1
        _require((row.bounce_max is None) == is_last, path=f"{path}[{place}]", expected="an end", found="none")
        if row.bounce_max is not None:
            _require(
                row.bounce_min is None or row.bounce_min <= row.bounce_max,
                path=f"{path}[{place}]",
                expected=f"at most {row.bounce_max}",
                found=str(row.bounce_min),
            )
            begin = rows[place + 1].bounce_min
            _require(begin == row.bounce_max + 1, path=f"{path}[{place + 1}]", expected="no gap", found=str(begin))


def _check_points_tables(rows: Sequence[component_file.PointsRow]) -> None:
    for table in component_file.POINTS_TABLES:
        expected: int | None = 1
        for place, row in enumerate(rows):
            if row.table != table:
                continue
            path = f"$.out_of_points[{place}]"
            _require(row.roll_min == expected, path=path, expected=f"roll_min {expected}", found=str(row.roll_min))
            end = row.roll_max
            _require(end is None or end >= row.roll_min, path=path, expected="a roll_max not below", found=str(end))
            expected = None if end is None else end + 1
        _require(expected is None, path="$.out_of_points", expected=f"rows of {table} without end", found="an end")


def _check_equipment(components: component_file.Components) -> None:
    names = [item.name for item in components.equipment]
    _require_distinct("$.equipment", names)
    readings = {row.reading for row in components.tokens}
    for place, item in enumerate(components.equipment):
        path = f"$.equipment[{place}]"
        _require_known(path, item.excludes, names)
        _require(item.reading in readings, path=path, expected="a reading of some token", found=item.reading)
        needed = {"body": item.structure, "skill": item.skill, "fitness": item.health}.get(item.category, 1)
        _require(needed > 0, path=path, expected="the points it gives", found="none")


def _check_races(components: component_file.Components) -> None:
    categories = {item.name: item.category for item in components.equipment}
    _require_distinct("$.races", [race.name for race in components.races])
    for place, race in enumerate(components.races):
        path = f"$.races[{place}]"
        named = (*race.may_choose, *race.must_take)
        _require_known(path, (*named, *race.may_add), list(categories))
        _require_distinct(path, (*named, *race.may_add))
        _require_all(
            path,
            expected=component_file.CATEGORIES,
            found=[name for name in component_file.CATEGORIES if name in map(categories.get, named)],
        )
    for name in (None, *(race.name for race in components.races)):
        try:
            build = default_build(components, name)
            check_build(components, build, race=name, points_max=components.numbers.equipment_points)
        except IllegalBuild as error:
            found = f"{error.found} for {name or 'no race'}"
            raise BrokenComponents(path="$.races", expected=error.expected, found=found) from error


def _check_courses(components: component_file.Components) -> None:
    _require(bool(components.courses), path="$.courses", expected="a course", found="none")
    _require_distinct("$.courses", [row.name for row in components.courses])
    for place, row in enumerate(components.courses):
        try:
            course = build_course(row.pieces, width_um=row.width_mm * UM_PER_MM)
            build_grid(course, chariot_shape(components), gap_um=row.grid_gap_mm * UM_PER_MM)
        except UnfitCourse as error:
            raise BrokenComponents(path=f"$.courses[{place}]", expected=error.expected, found=error.found) from error


def _require(condition: bool, *, path: str, expected: str, found: str) -> None:  # noqa: FBT001 - the requirement itself
    if not condition:
        raise BrokenComponents(path=path, expected=expected, found=found)


def _require_distinct(path: str, names: Sequence[str]) -> None:
    again = [name for place, name in enumerate(names) if name in names[:place]]
    _require(not again, path=path, expected="each row once", found=f"{', '.join(again)} again")


def _require_known(path: str, names: Iterable[str], known: Sequence[str]) -> None:
    unknown = [name for name in names if name not in known]
    _require(not unknown, path=path, expected="names of equipment", found=", ".join(unknown))


def _require_all(path: str, *, expected: Sequence[object], found: Sequence[object]) -> None:
    _require(list(found) == list(expected), path=path, expected=f"rows for {list(expected)}", found=str(list(found)))
