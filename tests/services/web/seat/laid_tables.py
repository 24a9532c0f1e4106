"""The tables that a page can lay: each preset of a ruleset, and each value of each of its options at some table.

They are made from the schemas and words of the rulesets: a new option or preset is at a table by itself.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from playwright.async_api import Locator

from domain.canonical import Json
from domain.ids import Seat
from domain.rejection import Rejection
from domain.ruleset.by_seat import read_seat
from domain.ruleset.kit import Kit
from infra.ruleset_files import load_ruleset, read_components, read_words

# Options that bound the length of a game: a table tries one of them at most, and the others keep it short.
SHORT: Mapping[str, Json] = {"laps": 1, "turns_max": 4, "rounds_max": 3}
# Of them those that end a game wherever its chariots are.
ENDS = ("turns_max", "rounds_max")
# One team for each number of seats that a table here has, and teams of two sizes.
TEAMS: tuple[Json, ...] = (None, "AB", "ABB", "ABC")
HANDICAPS = ("20", "09")
# How a page calls the picks of an option with one for each seat.
BY_SEAT = {"teams": "Team", "handicap": "Points"}
SEATS, SEATS_IN_TEAMS = 2, 3


class LaidTable(Struct, frozen=True, kw_only=True):
    """A preset by its name, and options by their fields."""

    kit: Kit
    preset: str | None = None
    values: Mapping[str, Json]

    @property
    def name(self) -> str:
        said = self.preset or " ".join(f"{name}={value}" for name, value in self.values.items())
        return f"{self.kit.name}: {said}"

    @property
    def title(self) -> str:
        return read_words(self.kit).title

    @property
    def options(self) -> dict[str, Json]:
        presets = {preset.name: preset.options for preset in read_words(self.kit).presets}
        return {**presets.get(self.preset or "", {}), **self.values}

    @property
    def seats(self) -> int:
        return SEATS_IN_TEAMS if self.options.get("teams") else SEATS

    def is_playable(self) -> bool:
        """Return whether the rules open this table."""
        rules = load_ruleset(self.kit)
        options = msgspec.convert(
            {name: value for name, value in self.options.items() if value is not None}, rules.options_type
        )
        try:
            rules.initial_board(tuple(Seat(seat) for seat in range(self.seats)), options)
        except Rejection:
            return False
        return True


def list_tables(kit: Kit) -> list[LaidTable]:
    """List a table for each preset, and as few as cover each value of each option."""
    tables = [LaidTable(kit=kit, preset=preset.name, values={}) for preset in read_words(kit).presets]
    waiting = [
        (name, value) for name, property_ in properties_of(kit).items() for value in _list_values(kit, name, property_)
    ]
    while waiting:
        values: dict[str, Json] = {}
        for name, value in waiting:
            is_second_length = name in SHORT and any(other in SHORT for other in values)
            if name not in values and not is_second_length and _short(kit, {**values, name: value}).is_playable():
                values[name] = value
        assert values, f"{kit.name} opens no table with any of {waiting}"
        waiting = [(name, value) for name, value in waiting if name not in values or values[name] is not value]
        tables.append(_short(kit, values))
    return tables


def properties_of(kit: Kit) -> Mapping[str, dict[str, Any]]:
    """Return the schema of each option of a ruleset."""
    (described,), schemas = msgspec.json.schema_components([kit.ruleset.options_type])
    properties: dict[str, dict[str, Any]] = schemas[described["$ref"].rpartition("/")[2]]["properties"]
    return properties


def shortened(table: LaidTable) -> LaidTable:
    """Return the table with a game of two turns, or of the one that it is about, whatever end it has."""
    short = _short(table.kit, table.values, table.preset)
    ends = {name: 2 for name in ENDS if name in properties_of(table.kit) and short.values.get(name) != 1}
    return replace(short, values={**short.values, **ends})


async def lay(dialog: Locator, table: LaidTable) -> None:
    """Choose a table in the dialog before a game, by its fields alone."""
    words = read_words(table.kit)
    if table.preset is not None:
        await dialog.get_by_label("Table", exact=True).select_option(label=table.preset)
    await dialog.get_by_text("More choices").click()
    await dialog.get_by_label("Seats", exact=True).select_option(str(table.seats))
    for name, value in table.values.items():
        if name in BY_SEAT:
            for seat in map(Seat, range(table.seats)):
                pick = dialog.get_by_label(f"{BY_SEAT[name]} of seat {seat}")
                await pick.select_option(read_seat(str(value), seat).strip("0") if value else "")
            continue
        label = words.options[name]
        control = dialog.get_by_label(label[0].upper() + label[1:], exact=True)
        said = "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
        if await control.evaluate("(control) => control.tagName") == "SELECT":
            await control.select_option(said)
        else:
            await control.fill(said)


def _short(kit: Kit, values: Mapping[str, Json], preset: str | None = None) -> LaidTable:
    bounds = {name: bound for name, bound in SHORT.items() if name in properties_of(kit)}
    # An option that bounds a game is tried with the shortest course, and without another bound.
    if any(name in bounds and name != "laps" for name in values):
        bounds = {"laps": SHORT["laps"]} if "laps" in bounds else {}
    return LaidTable(kit=kit, preset=preset, values={**bounds, **values})


def _list_values(kit: Kit, name: str, property_: Mapping[str, Any]) -> Iterator[Json]:
    """Yield every value of an option of few, the bounds of a number, the courses of the components."""
    may_be_null = any(each == {"type": "null"} for each in property_.get("anyOf", ()))
    if may_be_null and property_.get("default") is None and name != "teams":
        yield None
    match next((each for each in property_.get("anyOf", ()) if each != {"type": "null"}), property_):
        case {"enum": values}:
            yield from values
        case {"type": "boolean"}:
            yield from (False, True)
        case {"format": "team-by-seat"}:
            yield from TEAMS
        case {"format": "points-by-seat"}:
            yield from HANDICAPS
        case {"type": "integer", "minimum": least, "maximum": most}:
            yield least
            while most > least:
                if _short(kit, {name: most}).is_playable():
                    yield most
                    return
                # The bounds of a log hold for all options together.
                most = most * 3 // 4
        case {"type": "string"} if name == "course":
            courses: Any = read_components(Path(kit.folder) / "components.toml")["courses"]
            yield from (course["name"] for course in courses)
        case other:
            raise AssertionError(f"no value to try for {kit.name}'s {name}: {other}")
