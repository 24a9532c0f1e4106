"""CM-100: building chariots: equipment that goes together, its cost, and its effect on the starting points."""

from msgspec import Struct

from domain.rejection import IllegalAction
from domain.rulesets.chariotmaster.box.component_file import CATEGORIES, Category, Components, Equipment, Race, Reading

# A chariot takes one option in each of five categories; races add some, and luck can be bought again and again.
EQUIPMENT_MAX = 20


class IllegalBuild(IllegalAction):
    """A chariot cannot be built so: an option too many, too few, or too dear."""

    code = "illegal-build"


class UnknownRace(IllegalAction):
    """No race of this name drives here."""

    code = "unknown-race"


class Build(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The equipment of a chariot, in the order of the table; an option taken again stands there again."""

    equipment: tuple[str, ...]


class Fitting(Struct, frozen=True, kw_only=True):
    """The points and abilities that equipment gives a chariot before the race."""

    stamina: int
    structure: int
    skill: int
    health: int
    reading: Reading
    bite: int
    team_value: int
    modifies: int
    rams_with_horses: bool
    is_frightening: bool


def find_race(components: Components, name: str) -> Race:
    """Return a race by its name, or raise UnknownRace."""
    for race in components.races:
        if race.name == name:
            return race
    raise UnknownRace(expected=f"one of {', '.join(race.name for race in components.races)}", found=name)


def check_build(components: Components, build: Build, *, race: str | None, points_max: int) -> None:
    """CM-107: raise IllegalBuild unless the race, if any, may drive this chariot for so many points."""
    names = [item.name for item in components.equipment]
    for name in build.equipment:
        if name not in names:
            raise IllegalBuild(expected=f"names among {', '.join(names)}", found=name)
    _check_order(build, names)
    rules = _open_race(components) if race is None else find_race(components, race)
    for category in CATEGORIES:
        _check_category(components, build, rules, category)
    for item in _items(components, build):
        clashes = [name for name in build.equipment if name in item.excludes]
        if clashes:
            raise IllegalBuild(expected=f"{item.name} without {', '.join(item.excludes)}", found=clashes[0])
    points = points_of(components, build)
    if points > points_max:
        raise IllegalBuild(expected=f"at most {points_max} equipment points", found=str(points))


def points_of(components: Components, build: Build) -> int:
    """CM-100: return the cost of a build; compulsory options cost their points too."""
    return sum(item.points for item in _items(components, build))


def default_build(components: Components, race: str | None) -> Build:
    """Return the plainest chariot: for each category the option that gives and costs nothing, or the first offered."""
    rules = _open_race(components) if race is None else find_race(components, race)
    chosen = list(rules.must_take)
    for category in CATEGORIES:
        offered = [item for item in components.equipment if item.category == category and item.name in rules.may_choose]
        plain = [item for item in offered if item.points == 0]
        chosen += [item.name for item in (plain or offered)[:1]]
    return Build(equipment=tuple(item.name for item in components.equipment if item.name in chosen))


def fit_out(components: Components, build: Build, *, stamina: int) -> Fitting:
    """CM-100, MO-11: apply a legal build to a plain chariot with so much stamina."""
    items = _items(components, build)
    percent = sum(item.stamina_percent for item in items)
    readings = [item.reading for item in items if item.reading != "ordinary"]
    return Fitting(
        stamina=stamina + change_by_percent(stamina, percent),
        structure=sum(item.structure for item in items),
        skill=sum(item.skill for item in items),
        health=sum(item.health for item in items),
        reading=readings[0] if readings else "ordinary",
        bite=sum(item.bite for item in items),
        team_value=sum(item.team_value for item in items),
        modifies=sum(item.modifies for item in items),
        rams_with_horses=any(item.rams_with_horses for item in items),
        is_frightening=any(item.is_frightening for item in items),
    )


def change_by_percent(points: int, percent: int) -> int:
    """MO-11: return the change by a percentage: reductions are rounded up, increases down."""
    return points * percent // 100


def start_stamina(components: Components, *, lap_um: int, laps: int) -> int:
    """CM-04: return the stamina of a race: one point for each full stretch of 20 cm."""
    return lap_um * laps // (components.numbers.stamina_per_mm * 1_000)


def _open_race(components: Components) -> Race:
    """Without race rules every option is open, one in a category."""
    names = tuple(item.name for item in components.equipment)
    return Race(name="any", may_choose=names, must_take=(), may_add=(), source="default")


def _check_order(build: Build, names: list[str]) -> None:
    places = [names.index(name) for name in build.equipment]
    if len(places) > EQUIPMENT_MAX or places != sorted(places):
        raise IllegalBuild(
            expected=f"at most {EQUIPMENT_MAX} options in the order of the table", found=f"{len(places)}"
        )


def _check_category(components: Components, build: Build, rules: Race, category: Category) -> None:
    taken = [item.name for item in _items(components, build) if item.category == category]
    missing = [
        item.name
        for item in components.equipment
        if item.category == category and item.name in rules.must_take and item.name not in taken
    ]
    if missing:
        raise IllegalBuild(expected=f"{', '.join(missing)}, which {rules.name} must take", found=", ".join(taken))
    chosen = [name for name in taken if name not in rules.must_take and name not in rules.may_add]
    offered = [
        item.name for item in components.equipment if item.category == category and item.name in rules.may_choose
    ]
    _check_choice(chosen, offered, category)
    again = [name for name in rules.must_take if taken.count(name) > 1]
    if again:
        raise IllegalBuild(expected=f"{again[0]} once", found=f"{taken.count(again[0])} times")


def _check_choice(chosen: list[str], offered: list[str], category: Category) -> None:
    if not offered:
        if chosen:
            raise IllegalBuild(expected=f"no other {category}", found=", ".join(chosen))
        return
    if len(chosen) != 1 or chosen[0] not in offered:
        expected = f"one {category} of {', '.join(offered)}"
        raise IllegalBuild(expected=expected, found=", ".join(chosen) or "none")


def _items(components: Components, build: Build) -> list[Equipment]:
    known = {item.name: item for item in components.equipment}
    return [known[name] for name in build.equipment]
