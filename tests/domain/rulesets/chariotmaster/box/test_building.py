"""Equipment and races: T15 and T16 cell by cell, and which chariots may be built."""

from itertools import combinations_with_replacement, product

import pytest

from domain.rulesets.chariotmaster.box.building import (
    Build,
    IllegalBuild,
    UnknownRace,
    change_by_percent,
    check_build,
    default_build,
    find_race,
    fit_out,
    points_of,
    start_stamina,
)
from domain.rulesets.chariotmaster.box.component_file import CATEGORIES, Category, Equipment
from tests.domain.rulesets.chariotmaster.default_course import MIDDLE
from tests.domain.rulesets.chariotmaster.own_components import BOX

STANDARD = Build(equipment=("standard", "racing", "experienced", "fit", "ordinary"))


def built(*names: str) -> Build:
    """Put the named options in place of the plain ones of their categories."""
    chosen = {item.category: item.name for item in BOX.equipment if item.name in STANDARD.equipment}
    chosen |= {item.category: item.name for item in BOX.equipment if item.name in names}
    return Build(equipment=tuple(chosen[category] for category in CATEGORIES))


def is_legal(build: Build, race: str | None, points_max: int) -> bool:
    try:
        check_build(BOX, build, race=race, points_max=points_max)
    except IllegalBuild:
        return False
    return True


def brief(item: Equipment) -> str:
    words = [
        f"{item.structure} structure" if item.structure else "",
        f"{item.skill} skill" if item.skill else "",
        f"{item.health} health" if item.health else "",
        f"{item.stamina_percent:+}%" if item.stamina_percent else "",
        "" if item.reading == "ordinary" else f"reads {item.reading}",
        f"not {'/'.join(item.excludes)}" if item.excludes else "",
        f"bite {item.bite}" if item.bite else "",
        f"team +{item.team_value}" if item.team_value else "",
        "rams" if item.rams_with_horses else "",
        f"{item.modifies} modify" if item.modifies else "",
        "frightening" if item.is_frightening else "",
    ]
    return ", ".join(word for word in words if word)


@pytest.mark.rule("T15", "CM-101", "MO-26")
@pytest.mark.parametrize(
    ("category", "name", "points", "effect"),
    [
        ("body", "light", -1, "3 structure"),
        ("body", "standard", 0, "5 structure"),
        ("body", "heavy", 1, "6 structure, -10%"),
        ("body", "super_heavy", 1, "7 structure, -25%"),
        ("horses", "untrained", -1, "-25%"),
        ("horses", "racing", 0, ""),
        ("horses", "fast", 1, "-10%, reads fast, not heavy/super_heavy"),
        ("horses", "staying_power", 1, "+25%"),
        ("horses", "wolves", 2, "reads fast, not heavy/super_heavy, bite 4"),
        ("horses", "boars", 2, "+10%, reads boars, bite 3, team +1, rams"),
        ("skill", "rookie", -1, "5 skill"),
        ("skill", "experienced", 0, "6 skill"),
        ("skill", "veteran", 1, "7 skill"),
        ("fitness", "weakling", -1, "3 health"),
        ("fitness", "fit", 0, "5 health"),
        ("fitness", "steeled", 1, "7 health"),
        ("other", "ordinary", 0, ""),
        ("other", "lucky", 1, "1 modify"),
        ("other", "frightening", 2, "frightening"),
    ],
)
def test_equipment(category: Category, name: str, points: int, effect: str) -> None:
    item = next(item for item in BOX.equipment if item.name == name)

    assert (item.category, item.points, brief(item)) == (category, points, effect)


def test_there_is_no_other_equipment() -> None:
    assert len(BOX.equipment) == 19


RACES = ("humans", "high_elves", "orcs", "goblins", "chaos_knight", "undead")
# o may be chosen, x must be taken, a may be added, - is not to be had.
RACE_TABLE = """
light         o o - o - o
standard      o o o o - o
heavy         o o o o o o
super_heavy   o - o - o o
untrained     o - - o - o
racing        o - o o o o
fast          o x - - o -
staying_power o x o o o o
wolves        - - - x - -
boars         - - x - - -
rookie        o - - o - o
experienced   o o o o o o
veteran       o o o o o o
weakling      - - - o - o
fit           o o o o - o
steeled       o o o - x o
ordinary      o o o o o o
lucky         - a a a a a
frightening   - - - - o x
"""
CELLS = [
    (words[0], race, words[place])
    for words in map(str.split, RACE_TABLE.strip().splitlines())
    for place, race in enumerate(RACES, start=1)
]


@pytest.mark.rule("T16", "CM-107", "MO-9")
@pytest.mark.parametrize(("option", "race", "mark"), CELLS)
def test_races(option: str, race: str, mark: str) -> None:
    rules = find_race(BOX, race)

    marks = {"o": rules.may_choose, "x": rules.must_take, "a": rules.may_add}
    assert [known for known, names in marks.items() if option in names] == [mark.strip("-")] * (mark != "-")


@pytest.mark.rule("CM-04")
def test_the_plain_chariot_starts_with_the_points_of_the_rulebook() -> None:
    stamina = start_stamina(BOX, lap_um=MIDDLE.length_um, laps=3)

    fitting = fit_out(BOX, default_build(BOX, None), stamina=stamina)

    assert default_build(BOX, None) == STANDARD
    assert (fitting.structure, fitting.skill, fitting.health, fitting.stamina) == (5, 6, 5, 29)


@pytest.mark.rule("CM-04", "MT-26")
def test_a_track_of_two_metres_and_three_laps_gives_thirty_stamina() -> None:
    assert start_stamina(BOX, lap_um=2_000_000, laps=3) == 30
    assert start_stamina(BOX, lap_um=2_000_000 - 1, laps=3) == 29


@pytest.mark.rule("CM-100", "MT-3", "MO-11")
@pytest.mark.parametrize(
    ("names", "stamina"),
    [
        (("staying_power", "heavy"), 34),
        (("heavy",), 27),
        (("super_heavy",), 22),
        (("untrained", "super_heavy"), 15),
        (("fast",), 27),
        (("staying_power",), 37),
        (("boars",), 33),
        (("boars", "heavy"), 30),
    ],
)
def test_percentages_are_added_up_and_applied_once(names: tuple[str, ...], stamina: int) -> None:
    assert fit_out(BOX, built(*names), stamina=30).stamina == stamina


@pytest.mark.rule("MO-11")
@pytest.mark.parametrize(("points", "percent", "change"), [(29, -10, -3), (29, 15, 4), (30, -25, -8), (30, 25, 7)])
def test_reductions_are_rounded_up_and_increases_down(points: int, percent: int, change: int) -> None:
    assert change_by_percent(points, percent) == change


@pytest.mark.rule("CM-100", "MO-9")
def test_elves_always_have_fifteen_percent_more_stamina() -> None:
    fitting = fit_out(BOX, default_build(BOX, "high_elves"), stamina=100)

    assert (fitting.stamina, fitting.reading) == (115, "fast")


@pytest.mark.rule("CM-103")
def test_what_wolves_boars_and_horrors_can_do_is_told() -> None:
    wolves, boars = (fit_out(BOX, built(name), stamina=10) for name in ("wolves", "boars"))
    horror = fit_out(BOX, built("frightening"), stamina=10)

    assert (wolves.bite, wolves.reading, wolves.rams_with_horses) == (4, "fast", False)
    assert (boars.bite, boars.reading, boars.rams_with_horses, boars.team_value) == (3, "boars", True, 1)
    assert horror.is_frightening


@pytest.mark.rule("T15", "CM-103")
@pytest.mark.parametrize("team", ["fast", "wolves"])
@pytest.mark.parametrize("body", ["heavy", "super_heavy"])
def test_fast_teams_draw_no_heavy_bodies(team: str, body: str) -> None:
    assert is_legal(built(team), None, 9)
    assert not is_legal(built(team, body), None, 9)


@pytest.mark.rule("CM-100")
@pytest.mark.parametrize(
    "equipment",
    [
        ("standard", "racing", "experienced", "fit"),
        ("light", "standard", "racing", "experienced", "fit", "ordinary"),
        ("standard", "racing", "experienced", "fit", "ordinary", "lucky"),
        ("racing", "standard", "experienced", "fit", "ordinary"),
        ("standard", "standard", "racing", "experienced", "fit", "ordinary"),
        ("standard", "camels", "experienced", "fit", "ordinary"),
        (),
    ],
)
def test_exactly_one_option_of_each_category_in_the_order_of_the_table(equipment: tuple[str, ...]) -> None:
    assert not is_legal(Build(equipment=equipment), None, 9)


@pytest.mark.rule("CM-100")
def test_points_are_an_upper_limit_and_drawbacks_give_points_back() -> None:
    strong = built("steeled", "veteran", "lucky", "light")

    assert points_of(BOX, strong) == 2
    assert is_legal(strong, None, 2)
    assert not is_legal(strong, None, 1)


def all_builds() -> list[Build]:
    """Up to two of one category's options, of the first and last even three: more than any race allows."""
    ways = []
    for category in CATEGORIES:
        names = [item.name for item in BOX.equipment if item.category == category]
        sizes = (1, 2) if category in ("horses", "fitness", "other") else (1,)
        ways.append([way for size in sizes for way in combinations_with_replacement(names, size)])
    return [Build(equipment=sum(parts, ())) for parts in product(*ways)]


BUILDS = all_builds()


@pytest.mark.rule("CM-100", "CM-107")
@pytest.mark.parametrize(
    ("race", "points_max", "count"), [("orcs", 1, 0), ("orcs", 2, 1), ("chaos_knight", 1, 0), ("chaos_knight", 2, 2)]
)
def test_how_many_chariots_a_race_can_build(race: str, points_max: int, count: int) -> None:
    assert sum(is_legal(build, race, points_max) for build in BUILDS) == count


@pytest.mark.rule("CM-107", "MO-9")
def test_chaos_never_drives_fast_horses_and_goblins_no_heavy_body() -> None:
    chaos = [build for build in BUILDS if is_legal(build, "chaos_knight", 9)]
    goblins = [build for build in BUILDS if is_legal(build, "goblins", 9)]

    assert chaos
    assert goblins
    assert not any("fast" in build.equipment for build in chaos)
    assert not any("heavy" in build.equipment for build in goblins)


@pytest.mark.rule("CM-107")
def test_luck_can_be_added_more_than_once_where_a_race_may_add_it() -> None:
    lucky = Build(equipment=("standard", "fast", "staying_power", "experienced", "fit", "ordinary", "lucky", "lucky"))
    human = Build(equipment=(*STANDARD.equipment, "lucky"))

    assert is_legal(lucky, "high_elves", 4)
    assert fit_out(BOX, lucky, stamina=10).modifies == 2
    assert not is_legal(human, "humans", 9)


@pytest.mark.rule("CM-107")
def test_a_compulsory_option_is_taken_once() -> None:
    without = Build(equipment=STANDARD.equipment)
    twice = Build(equipment=("standard", "racing", "boars", "boars", "experienced", "fit", "ordinary"))

    assert not is_legal(without, "orcs", 9)
    assert not is_legal(twice, "orcs", 9)


@pytest.mark.parametrize(
    ("race", "equipment"),
    [
        ("humans", "standard racing experienced fit ordinary"),
        ("high_elves", "standard fast staying_power experienced fit ordinary"),
        ("orcs", "standard racing boars experienced fit ordinary"),
        ("goblins", "standard racing wolves experienced fit ordinary"),
        ("chaos_knight", "heavy racing experienced steeled ordinary"),
        ("undead", "standard racing experienced fit ordinary frightening"),
    ],
)
def test_the_default_build_is_plain_and_legal(race: str, equipment: str) -> None:
    build = default_build(BOX, race)

    assert build.equipment == tuple(equipment.split())
    assert is_legal(build, race, BOX.numbers.equipment_points)


def test_an_unknown_race_is_refused_by_name() -> None:
    with pytest.raises(UnknownRace) as refusal:
        find_race(BOX, "dwarves")

    assert refusal.value.found == "dwarves"
